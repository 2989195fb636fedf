"""Writes seeds for fuzzing from the conformance vectors: `fuzz-seeds.py FOLDER`.

A seed of `stepper` is a vector as a script of starts (after `>`) and replies; a seed of `readers` is a trace.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def script(vector):
    for operation in [vector, *vector.get("then", [])]:
        if "exchange" in operation:
            yield ">" + (operation["text"] if "text" in operation else json.dumps(operation["start"]))
            yield from (json.dumps(reply) for _, reply in operation["exchange"])


def traces(vector):
    for operation in [vector, *vector.get("then", [])]:
        if data := operation.get("start", {}).get("input", {}).get("data"):
            yield data


def write(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def main(folder):
    for path in sorted((ROOT / "tests/vectors").glob("*.jsonl")):
        for vector in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            write(folder / "stepper", vector["name"], "\n".join(script(vector)))
            for data in traces(vector):
                write(folder / "readers", vector["name"], "\x7f" + data)


main(Path(sys.argv[1]))
