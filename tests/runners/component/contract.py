"""The script that every store passes, on the keeper of the component over the rows of the example: `contract.py`."""

import json
import sys
import tempfile
from pathlib import Path

from host import ROOT, Loaded, record

sys.path.insert(0, str(ROOT / "examples/wasi-python"))

from agent import Rows

INSTANCE = Loaded().instance()


def ask(rows, task):
    """What a keeper makes of a task, in reads and writes of rows."""
    keeper = INSTANCE("stepping", "[static]keeper.make", json.dumps(task))
    said = json.loads(INSTANCE("stepping", "[method]keeper.next", keeper))
    while "done" not in said and "error" not in said:
        if spans := said.get("read"):
            page = rows.read([record(first=first, end=end) for first, end in spans])
            page = {"version": page.version, "rows": [[row.key, row.value] for row in page.rows]}
            said = json.loads(INSTANCE("stepping", "[method]keeper.read", keeper, json.dumps(page)))
        else:
            change = dict(said["write"])
            change["puts"] = [record(key=key, value=value) for key, value in change["puts"]]
            is_written = rows.write(record(**change))
            said = json.loads(INSTANCE("stepping", "[method]keeper.written", keeper, is_written))
    return said["done"] if "done" in said else {"error": said["error"]["code"]}


class Spaces:
    """A store of many spaces: a handle to the rows of each."""

    def __init__(self, folder):
        self.folder, self.rows = Path(folder), {}

    def __call__(self, space):
        return self.rows.setdefault(space, Rows(self.folder / f"{len(self.rows)}.db"))

    def answer(self, method, given):
        if method == "spaces":
            whole = [record(first="", end="~")]
            return sorted(name for name, rows in self.rows.items() if rows.read(whole).rows)
        rows = self(given.pop("space"))
        if method in ("cache_get", "cache_put"):
            task = {"cached": [given["name"], given["rev"]]} if method == "cache_get" else {"cache": list(given.values())}
        elif method == "answer_get":
            task = {"answers": [given["key"]]}
        elif method == "answer_put":
            task = {"keep_answers": given["answers"]}
        elif method == "trace_mined":
            task = {"request": {method: {"sessions": [[given["session_id"], given["lines"]]]}}}
        elif method == "trace_drop":
            task = {"request": {"trace_mined": {"sessions": [], "ended": [given["session_id"]]}}}
        else:
            task = {"request": {method: given.get("commit", given.get("query", given))}}
        said = ask(rows, task)
        if "error" in said:
            return said
        ((kind, told),) = said.items()
        if kind == "answers":
            return told[0]
        if kind == "cached" or isinstance(told, str):
            return told
        ((kind, told),) = told.items()
        return {kind: told} if kind == "committed" else told


def normal(value):
    """The value without what the wire may leave out."""
    nothing = (None, "", [], {}, 0, "1970-01-01T00:00:00.000Z", "0" * 16)
    if isinstance(value, dict):
        return {key: kept for key, one in value.items() if (kept := normal(one)) not in nothing}
    return [normal(one) for one in value] if isinstance(value, list) else value


def filled_in(value, names):
    if isinstance(value, str):
        return names[value[1:]] if value.startswith("$") else value
    if isinstance(value, list):
        return [filled_in(one, names) for one in value]
    return {key: filled_in(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def play(lines):
    names, case, steps, store = {}, "", 0, None
    for number, line in enumerate(lines, 1):
        step = json.loads(line)
        if "let" in step:
            for name, value in step["let"].items():
                names[name] = filled_in(value, names)
        elif "case" in step:
            store, case = Spaces(tempfile.mkdtemp()), step["case"]
        else:
            ((method, given),) = filled_in(step["call"], names).items()
            said, wanted = normal(store.answer(method, given)), normal(filled_in(step["expect"], names))
            if said != wanted:
                sys.exit(f"line {number}, case: {case}\ncall: {step['call']}\nexpected {wanted}\ngot {said}")
            steps += 1
    return steps


steps = play((ROOT / "tests/contract/store.jsonl").read_text(encoding="utf-8").splitlines())
assert steps >= 150, "the script has lost steps"
print(f"the store's script holds in component-wasmtime: {steps} steps")
