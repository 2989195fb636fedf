"""Guarded tools: observed at once, advised at the call, learned from; functions of every kind."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hardwon

LESSON = "Create the parent directory before you call write_file."


@pytest.fixture
def taught(memory: hardwon.Memory) -> hardwon.Memory:
    memory.teach(LESSON, tools=["write_file"], situation="write a file")
    return memory


def write_file(path: str, text: str = "") -> str:
    """Writes a file."""
    if "/" in path:
        raise FileNotFoundError(f"parent directory of {path} does not exist")
    return f"wrote {path}"


def lines(memory: hardwon.Memory, run: hardwon.Run) -> list[str]:
    store = hardwon.SqliteStore(str(memory.path))
    ((_, lines),) = store.trace_load("default", run.session_id)
    return lines


def test_a_call_is_noted_whether_it_works_or_raises(memory: hardwon.Memory) -> None:
    run = hardwon.Run(memory, task="write two files")
    guarded = run.guard(write_file)
    assert guarded("a.md") == "wrote a.md"
    with pytest.raises(FileNotFoundError):
        guarded("out/a.md", text="x")
    noted = lines(memory, run)
    assert [one for one in noted if '"type":"start"' in one] == noted[:1]
    assert sum('"ok":true' in one for one in noted) == sum('"ok":false' in one for one in noted) == 1
    assert any('"args":{"path":"out/a.md","text":"x"}' in one for one in noted)
    (lesson,) = memory.list().records
    assert lesson.tools == ("write_file",) and lesson.evidence[0].session_id == run.session_id
    assert run.trouble == []


def test_the_tool_looks_as_it_did(memory: hardwon.Memory) -> None:
    guarded = hardwon.guard(write_file, memory=memory)
    assert guarded.__name__ == "write_file" and guarded.__doc__ == "Writes a file."
    assert inspect.signature(guarded) == inspect.signature(write_file)


def test_advice_comes_with_the_result_once_a_run(taught: hardwon.Memory) -> None:
    (guarded,) = hardwon.guard_tools([write_file], memory=taught, task="write a file")
    first, second = guarded("a.md"), guarded("b.md")
    assert LESSON in first and first.endswith("wrote a.md")
    assert second == "wrote b.md"


def test_advice_on_answers_that_are_no_texts_is_told_to_the_host(taught: hardwon.Memory) -> None:
    def write_file(path: str) -> dict[str, str]:
        return {"wrote": path}

    run = hardwon.Run(taught, task="write a file")
    assert run.guard(write_file)("a.md") == {"wrote": "a.md"}
    assert len(run.told) == 1 and LESSON in run.told[0]


def test_advice_may_stand_in_the_place_of_a_call(taught: hardwon.Memory) -> None:
    made: list[str] = []

    def write_file(path: str) -> str:
        made.append(path)
        return "wrote"

    guarded = hardwon.guard(write_file, memory=taught, advice="instead", task="write a file")
    assert LESSON in guarded("a.md") and made == []
    assert guarded("a.md") == "wrote" and made == ["a.md"]


def test_a_held_call_waits_for_a_person(taught: hardwon.Memory) -> None:
    (lesson,) = taught.list().records
    taught.resolve(lesson.id, "block")
    asked: list[str] = []

    def refuse(answer: hardwon.Guarded) -> bool:
        asked.append(answer.text)
        return False

    def write_file(path: str) -> str:
        raise AssertionError("it was called")

    assert LESSON in hardwon.guard(write_file, memory=taught, task="write a file", confirm=refuse)("a.md")
    assert len(asked) == 1


def test_results_that_tell_of_a_failure(memory: hardwon.Memory) -> None:
    run = hardwon.Run(memory)

    def build(target: str) -> dict[str, Any]:
        return {"exit_code": 2, "output": f"no rule to make {target}"}

    assert run.guard(build)("all")["exit_code"] == 2
    assert memory.list().records[0].tools == ("build",)


@pytest.mark.skipif(not hasattr(Exception, "add_note"), reason="exceptions take no notes before Python 3.11")
def test_a_failure_brings_what_is_known_as_a_note(taught: hardwon.Memory) -> None:
    taught.learn(observed=None)
    first = hardwon.guard(write_file, memory=taught)
    with pytest.raises(FileNotFoundError):
        first("out/a.md")
    with pytest.raises(FileNotFoundError) as raised:
        hardwon.guard(write_file, memory=taught)("out/b.md")
    assert any("write_file" in note for note in getattr(raised.value, "__notes__", []))


def test_coroutines_and_generators(taught: hardwon.Memory) -> None:
    run = hardwon.Run(taught)

    async def fetch(url: str) -> str:
        await asyncio.sleep(0)
        if "bad" in url:
            raise ConnectionError("no such host")
        return "page"

    def stream(count: int) -> Iterator[str]:
        for at in range(count):
            yield str(at)
            if at == 3:
                raise ValueError("three is too many")

    async def stream_later(count: int) -> AsyncIterator[str]:
        for item in stream(count):
            yield item

    async def main() -> None:
        assert await run.guard(fetch)("good") == "page"
        with pytest.raises(ConnectionError):
            await run.guard(fetch)("bad")
        assert [item async for item in run.guard(stream_later)(2)] == ["0", "1"]
        waiting = asyncio.create_task(run.guard(fetch)("good"))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(main())
    assert list(run.guard(stream)(2)) == ["0", "1"]
    with pytest.raises(ValueError, match="three"):
        list(run.guard(stream)(9))
    half: Any = run.guard(stream)(3)
    assert next(half) == "0"
    half.close()
    noted = lines(taught, run)
    calls = [one for one in noted if '"type":"tool_call"' in one]
    assert sum('"ok":true' in one for one in calls) == 3
    assert any('"result":"01"' in one for one in calls)
    assert sum('"status":"cancelled"' in one for one in calls) >= 1
    assert {record.tools for record in taught.list().records} >= {("fetch",), ("stream",)}


def test_a_memory_that_fails_keeps_no_tool_from_working(memory: hardwon.Memory) -> None:
    run = hardwon.Run(memory)
    guarded = run.guard(write_file)
    memory.close()
    assert guarded("a.md") == "wrote a.md"
    assert set(run.trouble) == {"host.store"}


def test_a_run_ends_and_what_it_mended_is_learned(memory: hardwon.Memory) -> None:
    def install(package: str, flag: str = "") -> str:
        if not flag:
            raise RuntimeError("error: externally-managed-environment, use --user")
        return "installed"

    for _ in range(2):
        with hardwon.Run(memory, task="install a package") as run:
            guarded = run.guard(install)
            with pytest.raises(RuntimeError):
                guarded("left-pad")
            assert guarded("left-pad", flag="--user").endswith("installed")
    (lesson, *_) = memory.list(tool="install").records
    assert len({one.session_id for one in lesson.evidence}) == 2


def test_a_run_recalls_and_notes_what_it_was_shown(taught: hardwon.Memory) -> None:
    with hardwon.Run(taught, task="write a file") as run:
        found = run.recall()
        assert found is not None and LESSON in found.block
    (lesson,) = taught.list().records
    assert lesson.counters.surfaced == 1


def test_the_usual_memory_is_taken_where_none_is_given(tmp_path: Path) -> None:
    (tmp_path / ".hardwon").mkdir()
    guarded: Callable[..., str] = hardwon.guard(write_file)
    with pytest.raises(FileNotFoundError):
        guarded("out/a.md")
    with hardwon.Memory.open(tmp_path / ".hardwon") as memory:
        assert memory.list().total == 1


def test_an_async_memory_serves_tools_that_are_called(store: Path) -> None:
    memory = asyncio.run(hardwon.AsyncMemory.open(store))
    assert hardwon.guard(write_file, memory=memory)("a.md") == "wrote a.md"


def test_what_cannot_be_called_is_no_tool(memory: hardwon.Memory) -> None:
    with pytest.raises(TypeError):
        hardwon.guard("write_file", memory=memory)
