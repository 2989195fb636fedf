"""Plays the conformance vectors on any Stepper that Python can reach.

Decides whether a host says what the vectors say, string for string. Never rewrites a vector.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Refused(Exception):
    """A setup that the engine refuses, with the JSON it answers."""


def text(value):
    """The value as the engine writes it: no white space, keys as they come, and they come sorted."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def vectors():
    for path in sorted((ROOT / "tests/vectors").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def play(vector, make):
    """Plays one vector on the stepper that `make` makes of a setup; the problem, or None."""
    try:
        stepper = make(text(vector["setup"]))
    except Refused as refused:
        return differs(vector["expect"], str(refused))
    for operation in [vector, *vector.get("then", [])]:
        answer = stepper.start(operation["text"] if "text" in operation else text(operation["start"]))
        for asked, reply in operation["exchange"]:
            if problem := differs(asked, answer):
                return problem
            answer = stepper.resume(text(reply))
        if problem := differs(operation["expect"], answer):
            return problem
    return None


def differs(expected, got):
    """Where the two part, with what stands around; None where they are equal."""
    wanted = text(expected)
    if wanted == got:
        return None
    at = next((at for at, (a, b) in enumerate(zip(wanted, got)) if a != b), min(len(wanted), len(got)))
    around = slice(max(at - 60, 0), at + 100)
    return f"character {at}\n  expected … {wanted[around]}\n  got      … {got[around]}"


def main(host, make):
    """Plays every vector, writes the names that ran, and leaves with the result."""
    names, problems = [], []
    for vector in vectors():
        names.append(vector["name"])
        if problem := play(vector, make):
            problems.append(f"{vector['name']}: {problem}")
    if problems:
        sys.exit(f"{len(problems)} of {len(names)} vectors fail in {host}:\n" + "\n".join(problems))
    folder = ROOT / "target/vectors"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{host}.txt").write_text("".join(f"{name}\n" for name in names))
    print(f"{len(names)} vectors hold in {host}")
