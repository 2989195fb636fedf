"""Compare one recall with the search of other memory stores, all at the same size, in one run on one machine.

usage: python3 benches/peers.py HARNESS_DIR [N]

HARNESS_DIR holds bench.py, which runs `bench.py SYSTEM N` and prints one JSON object with `search_cpu_ms`. Peers that are
not installed are named and left out; fewer than two is a failure. hardwon's figure is `recall with embedding`: embedding,
lexical and dense search, places and the fenced block, where the peers search vectors that are ready.
"""

import json
import subprocess
import sys
from pathlib import Path

# How much of a peer's CPU time one recall may take. numpy's plain scan is the physical limit, so it is a floor there.
BOUNDS = {"numpy": 4.0, "sqlitevec": 0.5, "langgraph_mem": 0.05, "langgraph_sqlite": 0.2, "mem0_qdrant": 0.05}


def peer(harness: Path, system: str, n: int) -> float | None:
    command = [sys.executable, str(harness / "bench.py"), system, str(n)]
    run = subprocess.run(command, cwd=harness, capture_output=True, text=True, timeout=900)
    rows = [line for line in run.stdout.splitlines() if line.startswith("{")]
    return json.loads(rows[-1])["search_cpu_ms"] if run.returncode == 0 and rows else None


def ours(n: int) -> float:
    command = ["cargo", "run", "--release", "--quiet", "-p", "hardwon-benches", "--", "recall", f"--size={n}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (json.loads(line) for line in run.stdout.splitlines())
    return next(row["ms"] for row in rows if row.get("figure") == "recall with embedding" and row["n"] == n)


def main() -> int:
    harness, n = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    if not (harness / "bench.py").is_file():
        print(f"skipped: no peer harness at {harness}")
        return 0
    recall = ours(n)
    print(json.dumps({"system": "hardwon", "n": n, "search_cpu_ms": recall}))
    measured, over = 0, []
    for system, bound in BOUNDS.items():
        theirs = peer(harness, system, n)
        if theirs is None:
            print(json.dumps({"system": system, "left_out": "not installed or failed"}))
            continue
        measured += 1
        ratio = recall / theirs
        print(json.dumps({"system": system, "search_cpu_ms": theirs, "ratio": round(ratio, 4), "bound": bound}))
        over += [system] if ratio > bound else []
    if over or measured < 2:
        print(f"over the bound: {over}; peers measured: {measured}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
