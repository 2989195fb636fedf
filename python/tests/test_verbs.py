"""Every verb through the wheel, called and awaited, on every kind of store."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hardwon
from hardwon._awaited import AsyncVerbs
from hardwon._verbs import Verbs

from conftest import ROOT, trace
from plain_store import PlainStore

Open = Callable[[], hardwon.Memory]


@pytest.fixture(params=["file", "memory", "plain"])
def any_memory(request: pytest.FixtureRequest, store: Path) -> hardwon.Memory:
    makers: dict[str, Open] = {
        "file": lambda: hardwon.Memory.open(store),
        "memory": lambda: hardwon.Memory.open(store=hardwon.MemoryStore()),
        "plain": lambda: hardwon.Memory.open(store=PlainStore()),
    }
    return makers[request.param]()


def use_every_verb(memory: hardwon.Memory) -> set[str]:
    """Calls each verb, and answers the names of those that were called."""
    assert memory.observe("live", [json.loads(trace("live"))]) == 1
    learned = memory.learn(observed="live")
    assert learned.inserted == 1 and learned.op is not None
    for run in ("run-1", "run-2"):
        assert memory.learn(trace(run)).merged == 1
    lesson = memory.get(learned.records[0])
    assert lesson.tier == "strategic" and lesson.tools == ("write_file",)
    assert {one.session_id for one in lesson.evidence} == {"live", "run-1", "run-2"}

    taught = memory.teach("Run the formatter before you commit.", tags="style", reason="seen twice")
    assert taught.outcome == "created" and taught.id is not None
    found = memory.recall("format the code and commit", top_k=3)
    assert [item.id for item in found.items] == [taught.id]
    assert "formatter" in found.block and found.items[0].why.score > 0
    assert memory.explain(taught.id, task="format the code and commit").comes_back
    assert memory.list(tag="style").records == (memory.get(taught.id),)

    for change, back in ((memory.pin, memory.unpin), (memory.mute, memory.unmute)):
        assert change(taught.id).outcome == back(taught.id).outcome == "changed"
    assert memory.guard("write_file", {"path": "x"}).verdict == "silent"
    assert memory.settle(taught.id, "followed").outcome == "changed"
    assert memory.get(taught.id).counters.followed == 1
    assert memory.review().total == 0
    assert memory.resolve(taught.id, "archive").outcome == "changed"
    assert memory.restore(taught.id).outcome == "changed"
    assert memory.report(days=1).with_.of == 0
    assert memory.maintain().missing == 0
    assert memory.stats().kinds == {"lesson": 2}

    exported = memory.export_records()
    assert memory.import_records(exported.records, vectors=exported.vectors).unchanged == 2
    gone = memory.forget(taught.id, reason="no longer so")
    assert gone.op is not None and memory.undo(gone.op).done
    assert [entry.verb for entry in memory.history(taught.id)][-2:] == ["forget", "undo"]
    assert memory.forget(taught.id, hard=True).outcome == "erased"
    with pytest.raises(hardwon.NotFoundError) as missing:
        memory.get(taught.id)
    assert missing.value.code == "invalid.not_found"
    use_facts(memory)
    use_reactions(memory)
    return {name for name in dir(Verbs) if not name.startswith("_")}


def use_facts(memory: hardwon.Memory) -> None:
    """The verbs about facts."""
    what = {"subtype": "constraint", "scope": {"repo": "r"}, "source": "user"}
    first = memory.remember("svc-1 is hosted on host-3", reference="ops.md", **what)  # type: ignore[arg-type]
    second = memory.remember(subject="svc-1", predicate="hosted on", object="host-4", **what)  # type: ignore[arg-type]
    assert (first.outcome, second.outcome, second.replaced) == ("created", "superseded", (first.id,))
    held = memory.facts("svc-1", "hosted on").records
    assert [one.id for one in held] == [second.id] and held[0].claim is not None and held[0].claim.object == "host-4"
    seen = [{"subject": "svc-1", "predicate": "hosted on", "object": "host-5"}]
    assert memory.recall("where is svc-1 hosted", scope={"repo": "r"}, current=seen).overruled == (second.id,)
    assert memory.audit().flaws == ()
    told = memory.extract([{"role": "user", "text": "Never push to main. Thanks!"}], scope={"repo": "r"})
    assert (told.outcomes, told.unread, told.told[0].outcome) == ({"created": 1}, 1, "created")
    written = memory.export_facts()
    assert written.total == 2 and "host-4" in written.text
    same = memory.import_facts([{"name": "facts.md", "text": written.text}])
    assert same.format == "markdown" and same.op is None
    assert memory.forget_source("ops.md").op is None or memory.get(first.id or "").status == "retracted"


def use_reactions(memory: hardwon.Memory) -> None:
    """The verb that answers other agents: what a person corrects is said to whoever is about to do it again."""

    def message(kind: str, text: str, thread: str = "t1") -> dict[str, str]:
        ts = "2026-05-01T09:00:00.000Z"
        return {"from": "ann", "to": "mem", "thread": thread, "type": kind, "ts": ts, "text": text}

    intent = message("intent", "Situation: running the build of the parser project. Behavior: run go test ./... now")
    said = message("info", "No, use targ test instead of go test.", "user-input")
    learned = memory.react(said, before=message("done", "Ran go test."), intent=intent, scope={"repo": "r"})
    assert len(learned.made) == 1
    held = memory.get(learned.made[0])
    assert held.kind == "feedback" and held.feedback is not None and held.feedback.action == "use targ test"
    again = memory.react({**intent, "thread": "t2"}, scope={"repo": "r"})
    assert again.objection is not None and again.objection.memories == learned.made and again.ack == ""
    assert memory.stats().outcomes.surfaced >= 1


def test_every_verb(any_memory: hardwon.Memory) -> None:
    with any_memory as memory:
        verbs = use_every_verb(memory)
    source = "".join(map(inspect.getsource, (use_every_verb, use_facts, use_reactions)))
    assert len(verbs) >= 24 and all(f"memory.{verb}" in source for verb in verbs)


class Called:
    """A memory to be awaited, called as if it were not."""

    def __init__(self, memory: hardwon.AsyncMemory, loop: asyncio.AbstractEventLoop) -> None:
        self.memory, self.loop = memory, loop

    def __getattr__(self, verb: str) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            return self.loop.run_until_complete(getattr(self.memory, verb)(*args, **options))

        return call


@pytest.mark.parametrize("kind", ["file", "plain"])
def test_every_verb_awaited(kind: str, store: Path) -> None:
    loop = asyncio.new_event_loop()
    opening = hardwon.AsyncMemory.open(store) if kind == "file" else hardwon.AsyncMemory.open(store=PlainStore())
    memory = loop.run_until_complete(opening)
    use_every_verb(Called(memory, loop))  # type: ignore[arg-type]
    loop.run_until_complete(memory.close())
    loop.close()


def test_both_kinds_have_the_same_verbs() -> None:
    for name in dir(Verbs):
        if not name.startswith("_"):
            verb, awaited = getattr(Verbs, name), getattr(AsyncVerbs, name)
            assert inspect.iscoroutinefunction(awaited)
            assert inspect.signature(verb) == inspect.signature(awaited)


def test_the_surface_is_what_the_engine_says() -> None:
    import subprocess
    import sys

    made = subprocess.run([sys.executable, ROOT / "python/generate.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


def test_answers_compare_print_and_travel(memory: hardwon.Memory) -> None:
    memory.learn(trace("run-1"))
    (lesson,) = memory.list().records
    assert pickle.loads(pickle.dumps(lesson)) == lesson == copy.deepcopy(lesson)
    assert hardwon.Record.from_dict(lesson.to_dict()) == lesson
    assert json.loads(json.dumps(lesson.to_dict()))["evidence"][0]["tool"] == "write_file"
    assert repr(lesson).startswith("Record(id='") and "write_file" in repr(lesson)
    assert lesson != hardwon.Record.from_dict({**lesson.to_dict(), "text": "another"})
    with pytest.raises(AttributeError):
        lesson.text = "changed"
    report = memory.report()
    assert hardwon.Effect.from_dict(report.to_dict()) == report and "with" in report.to_dict()


def test_records_have_the_fields_of_the_schema(memory: hardwon.Memory) -> None:
    schema = json.loads((ROOT / "docs/schema/record.json").read_text())
    known = set(hardwon.Record.__annotations__)
    # The command adds what follows from the evidence.
    assert set(schema["properties"]) - known <= {"hits", "sessions", "root_runs", "load_set"}
    assert known <= set(schema["properties"]) | {"key", "variants", "rewordings", "superseded_by", "supersedes"}


def test_a_trace_may_be_text_bytes_a_file_or_objects(memory: hardwon.Memory, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text(trace("run-2"))
    assert memory.learn(trace("run-1")).inserted == 1
    assert memory.learn(file).merged == 1
    assert memory.learn(trace("run-3").encode()).merged == 1
    call = {"id": "c1", "type": "function", "function": {"name": "write_file", "arguments": '{"path": "b"}'}}
    messages = [
        {"role": "user", "content": "write it"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "Error: no such user"},
    ]
    assert memory.learn(messages, session_id="chat").format == "openai"
    assert memory.learn([json.loads(trace("run-4"))]).format == "canonical"


def test_policy_and_spaces(store: Path) -> None:
    with hardwon.Memory.open(store, policy={"learn": {"promote_at": 1}}, space="other") as memory:
        memory.learn(trace("run-1"))
        assert memory.list().records[0].tier == "strategic"
        assert memory.space == "other" and memory.path == str(store / "memory.db")
    with hardwon.Memory.open(store) as memory:
        assert memory.list().total == 0
    (store / "policy.toml").write_text("[learn]\npromote_at = 1\n")
    with hardwon.Memory.open(store) as memory:
        memory.learn(trace("run-1"))
        assert memory.list().records[0].tier == "strategic"


def test_errors_are_classes_with_codes(memory: hardwon.Memory, store: Path) -> None:
    def code(kind: type[hardwon.Error], call: Callable[[], object]) -> str:
        with pytest.raises(kind) as raised:
            call()
        assert str(raised.value) and pickle.loads(pickle.dumps(raised.value)).code == raised.value.code
        return raised.value.code

    assert code(hardwon.NotFoundError, lambda: memory.get("0" * 32)) == "invalid.not_found"
    assert code(hardwon.InvalidError, lambda: memory.learn("what is this")) == "invalid.format"
    assert code(hardwon.InvalidError, lambda: memory.get("no id")) == "invalid.json"
    assert code(hardwon.LimitError, lambda: memory.recall("x" * 70_000)) == "limit.text_bytes"
    assert code(hardwon.InvalidError, lambda: hardwon.Memory.open(store, policy={"recall": {"top_k": 0}}))
    assert code(hardwon.InvalidError, lambda: hardwon.Memory.open(store, space="")) == "invalid.space"
    assert code(hardwon.HostError, lambda: hardwon.Memory.open("/proc/none/here")) == "host.store"
    assert issubclass(hardwon.InvalidError, ValueError) and issubclass(hardwon.NotFoundError, LookupError)
    memory.close()
    assert code(hardwon.HostError, memory.stats) == "host.store"
    assert "closed" in repr(memory)


def test_a_memory_that_only_reads(store: Path) -> None:
    with hardwon.Memory.open(store) as memory:
        memory.teach("Run the formatter before you commit.")
    with hardwon.Memory.open(store, read_only=True) as memory:
        assert memory.recall("format and commit").items
        with pytest.raises(hardwon.HostError):
            memory.teach("Close the socket when you are done.")


def test_half_a_character_is_none() -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore())
    taught = memory.teach("Run \ud83e make first \U0001f9f9.")
    assert memory.get(taught.id or "").text == "Run \ufffd make first \U0001f9f9."
    assert memory.recall("\udc00 make").items
