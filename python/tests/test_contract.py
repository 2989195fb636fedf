"""The script that every store passes, played on the built-in stores and on one in plain Python."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hardwon

from conftest import ROOT
from plain_store import PlainStore

SCRIPT = ROOT / "tests/contract/store.jsonl"


@pytest.fixture(params=["memory", "sqlite", "plain"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Any]:
    files = itertools.count()
    return {
        "memory": hardwon.MemoryStore,
        "sqlite": lambda: hardwon.SqliteStore(tmp_path / f"{next(files)}.db"),
        "plain": PlainStore,
    }[request.param]


def test_the_script(fresh: Callable[[], Any]) -> None:
    names: dict[str, Any] = {}
    store, case, steps = fresh(), "", 0
    for number, line in enumerate(SCRIPT.read_text(encoding="utf-8").splitlines(), 1):
        step = json.loads(line)
        if "let" in step:
            for name, value in step["let"].items():
                names[name] = filled_in(value, names)
        elif "case" in step:
            store, case = fresh(), step["case"]
        else:
            ((method, arguments),) = filled_in(step["call"], names).items()
            said = normal(answer(store, method, arguments))
            assert said == normal(filled_in(step["expect"], names)), f"line {number}, case: {case}, call: {method}"
            steps += 1
    assert steps >= 150, "the script has lost steps"


def answer(store: Any, method: str, arguments: dict[str, Any]) -> Any:
    if method == "cache_put":
        arguments["bytes"] = bytes.fromhex(arguments["bytes"])
    if method == "answer_put":
        arguments["answers"] = [tuple(pair) for pair in arguments["answers"]]
    try:
        said = getattr(store, method)(**arguments)
    except hardwon.Error as error:
        return {"error": error.code}
    if method in ("trace_append", "trace_mined", "trace_drop", "cache_put", "answer_put"):
        return "done"
    return said.hex() if isinstance(said, bytes) else said


def normal(value: Any) -> Any:
    """The value without what the wire may leave out and a script may have left out, tuples as lists."""
    nothing: tuple[Any, ...] = (None, "", [], {}, (), 0, "1970-01-01T00:00:00.000Z", "0" * 16)
    if isinstance(value, dict):
        return {key: kept for key, one in value.items() if (kept := normal(one)) not in nothing}
    if isinstance(value, (list, tuple)):
        return [normal(one) for one in value]
    return value


def filled_in(value: Any, names: dict[str, Any]) -> Any:
    if isinstance(value, str):
        return names[value[1:]] if value.startswith("$") else value
    if isinstance(value, list):
        return [filled_in(one, names) for one in value]
    if isinstance(value, dict):
        return {key: filled_in(one, names) for key, one in value.items()}
    return value


def test_a_file_with_an_image_is_loaded_whole(tmp_path: Path) -> None:
    with hardwon.Memory.open(tmp_path / "a.db") as memory:
        for at in range(60):
            memory.teach(f"Check ledger {at} of the tenant before you close stage {at * 7}.")
    store = hardwon.SqliteStore(tmp_path / "a.db")
    assert store.cache_get("default", "image", 0) is None
    reset = store.load("default", 0)["reset"]
    assert len(reset["records"]) == len(reset["vectors"]) == 60
    with hardwon.Memory.open(store=Delegating(store)) as memory:
        assert memory.list().total == 60 and memory.recall("close stage 7").items


class Delegating:
    """A store of Python's that hands everything on to another."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)
