"""An agent that fails once: the second run is told what the first one met.

The model is a script, so that it runs anywhere; what it decides follows from what it reads, as with any model. The
tools are real, and so are their failures. `python agent.py [STORE]` keeps the memory in a folder of that name.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import hardwon

TASK = "Save the weekly report under reports/"


def make_folder(path: str) -> str:
    """Makes a folder."""
    Path(path).mkdir(parents=True, exist_ok=True)
    return f"made {path}"


def save_report(path: str, text: str) -> str:
    """Saves a report in a folder that is there."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"the folder of {path} does not exist; call make_folder first")
    Path(path).write_text(text)
    return f"saved {path}"


def model(prompt: str, done: list[str]) -> tuple[str, dict[str, Any]] | None:
    """The next call, or `None` when there is nothing left to do. It knows of folders only what the prompt says."""
    if any(line.startswith("save_report: saved") for line in done):
        return None
    read = "\n".join([prompt, *done])
    knows = "Create the parent directory" in read or "call make_folder first" in read
    if knows and not any(line.startswith("make_folder") for line in done):
        return "make_folder", {"path": WORK / "reports"}
    return "save_report", {"path": WORK / "reports/week.md", "text": "All is well."}


def run_agent(memory: hardwon.Memory, session_id: str) -> int:
    """Runs the agent once; answers how many of its calls failed."""
    failures, done = 0, []
    with hardwon.Run(memory, session_id=session_id, task=TASK) as run:
        tools = {tool.__name__: tool for tool in run.guard_tools([make_folder, save_report])}
        known = run.recall()
        prompt = f"{TASK}\n{known.block if known else ''}"
        print(f"== {session_id}\n{prompt.rstrip()}")
        while call := model(prompt, done):
            name, arguments = call
            try:
                said = tools[name](**{key: str(value) for key, value in arguments.items()})
            except OSError as problem:
                failures += 1
                said = f"failed: {problem}"
            done.append(f"{name}: {said}")
            print(done[-1])
        run.finish("The report is saved.", outcome="success")
    return failures


def main(store: str) -> list[int]:
    """Two runs on one memory, each in a folder of its own; answers the failures of each."""
    global WORK
    failures = []
    with hardwon.Memory.open(store) as memory:
        for session in ("run-1", "run-2"):
            with tempfile.TemporaryDirectory() as folder:
                WORK = Path(folder)
                failures.append(run_agent(memory, session))
    print(f"== calls that failed: {failures[0]} in the first run, {failures[1]} in the second")
    return failures


WORK = Path()

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        first, second = main(sys.argv[1] if len(sys.argv) > 1 else place)
    sys.exit(0 if first > second == 0 else 1)
