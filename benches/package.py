"""What the Python package costs: `package.py WHEEL` with the interpreter that has it installed; one JSON object a line.

Times are CPU time of child processes, the median of many, each kind beside a bare interpreter in the same round.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import sysconfig
from pathlib import Path

ROUNDS = 40
COMMAND = Path(sysconfig.get_path("scripts")) / "hardwon"


def cpu_ms(*command: str) -> float:
    """The CPU time of one run of a command, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def figure(name: str, unit: str, value: float, goal: float) -> None:
    print(json.dumps({"figure": name, unit: round(value, 3), "goal": goal, "holds": value <= goal}))


def main(wheel: str) -> None:
    where = [sys.executable, "-c", "import hardwon; print(hardwon.__path__[0])"]
    package = Path(subprocess.check_output(where, text=True).strip())
    installed = sum(file.stat().st_size for file in package.rglob("*") if file.is_file())
    figure("wheel", "MB", os.path.getsize(wheel) / 1e6, 12)
    figure("installed", "MB", installed / 1e6, 20)
    kinds = {
        "bare": [sys.executable, "-c", "pass"],
        "import": [sys.executable, "-c", "import hardwon"],
        "import Memory": [sys.executable, "-c", "import hardwon; hardwon.Memory"],
        "command": [str(COMMAND), "--version"],
    }
    times = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, command in kinds.items():
            times[name].append(cpu_ms(*command))
    bare = statistics.median(times["bare"])
    print(json.dumps({"figure": "a bare interpreter", "ms": round(bare, 3)}))
    for name, goal in (("import", 10), ("import Memory", 10), ("command", 15)):
        figure(f"{name} over a bare interpreter", "ms", statistics.median(times[name]) - bare, goal)


main(sys.argv[1])
