"""Threads, processes and their ends: one memory for many, one file for many processes and the command."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hardwon

from conftest import COMMAND, trace
from plain_store import PlainStore

TEXTS = [
    f"{verb} the {thing} before the {other} step."
    for verb in ("Check", "Rebuild", "Flush", "Quote", "Sort")
    for thing, other in zip(
        ("schema", "branch", "token", "header", "index", "worker", "cache", "socket", "fixture", "payload"),
        ("manifest", "cursor", "replica", "snapshot", "queue", "ledger", "archive", "session", "volume", "shard"),
        strict=True,
    )
]


def command(*args: str, store: Path) -> Any:
    done = subprocess.run([COMMAND, "--json", "--store", store, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def python(code: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.run(run, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("kind", ["file", "plain"])
def test_fifty_threads_lose_nothing(kind: str, store: Path) -> None:
    locked = threading.Lock()

    class Locked(PlainStore):
        def commit(self, space: str, commit: dict[str, Any]) -> Any:
            with locked:
                return super().commit(space, commit)

    memory = hardwon.Memory.open(store) if kind == "file" else hardwon.Memory.open(store=Locked())
    with ThreadPoolExecutor(50) as pool:
        wrote = list(pool.map(memory.teach, TEXTS))
        found = list(pool.map(memory.recall, TEXTS))
    assert all(one.op is not None for one in wrote)
    assert len({entry.op for entry in memory.history(limit=100)}) == len(TEXTS)
    assert all(one.items for one in found)


def test_the_interpreter_is_free_while_the_engine_waits(store: Path) -> None:
    """The engine waits for a lock that Python gives back: with the interpreter held, it would wait in vain."""
    memory = hardwon.Memory.open(store)
    memory.teach(TEXTS[0])
    holder = """
import sqlite3, sys
rival = sqlite3.connect(sys.argv[1], isolation_level=None)
rival.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
rival.execute("ROLLBACK")
"""
    # Another process: two copies of SQLite in one do not see each other's locks.
    rival = subprocess.Popen(
        [sys.executable, "-c", holder, store / "memory.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert rival.stdout is not None and rival.stdout.readline() == "locked\n"
    begun = threading.Event()

    def teach() -> hardwon.Written:
        begun.set()
        return memory.teach(TEXTS[1])

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(teach)
        begun.wait()
        for _ in range(20):
            threading.Event().wait(0.01)
            assert not writing.done()
        rival.communicate("go on\n")
        assert writing.result(timeout=30).outcome == "created"


def test_the_interpreter_is_free_while_the_engine_works() -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore())
    data = "\n".join(trace(f"run-{at}", error=f"cannot open stage{at}: {text}") for at, text in enumerate(TEXTS * 8))
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1

    sys.setswitchinterval(0.2)
    try:
        ticking = threading.Thread(target=tick)
        ticking.start()
        before = ticks[0]
        memory.learn(data)
        after = ticks[0]
    finally:
        sys.setswitchinterval(0.005)
        done.set()
        ticking.join()
    assert after > before, "no other thread ran while the engine mined"


def test_many_tasks_on_one_loop(store: Path) -> None:
    async def main() -> None:
        async with await hardwon.AsyncMemory.open(store) as memory:
            ticks = 0

            async def tick() -> None:
                nonlocal ticks
                while True:
                    ticks += 1
                    await asyncio.sleep(0)

            ticking = asyncio.create_task(tick())
            wrote = await asyncio.gather(*(memory.teach(text) for text in TEXTS))
            assert all(one.op for one in wrote)
            assert (await memory.stats()).revision == len(TEXTS)
            cancelled = asyncio.create_task(memory.recall(TEXTS[0]))
            await asyncio.sleep(0)
            cancelled.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cancelled
            assert (await memory.recall(TEXTS[0])).items
            ticking.cancel()
            assert ticks > 0

    asyncio.run(main())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_leaves_both_with_a_memory(store: Path) -> None:
    memory = hardwon.Memory.open(store)
    memory.teach(TEXTS[0])
    busy = threading.Thread(target=lambda: [memory.recall(text) for text in TEXTS * 4])
    busy.start()
    child = os.fork()
    if child == 0:
        try:
            memory.teach(TEXTS[1])
            os._exit(0 if memory.stats().revision == 2 else 3)
        except BaseException:
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    busy.join()
    assert memory.list().total == 2
    memory.teach(TEXTS[2])
    assert command("doctor", store=store)["findings"] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_store_in_memory_is_copied_by_a_fork() -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore())
    memory.teach(TEXTS[0])
    child = os.fork()
    if child == 0:
        try:
            memory.teach(TEXTS[1])
            os._exit(memory.list().total)
        except BaseException:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert memory.list().total == 1


def test_an_interpreter_ends_while_threads_work(store: Path) -> None:
    ended = python(
        """
import sys, threading, hardwon
memory = hardwon.Memory.open(sys.argv[1])
def work():
    at = 0
    while True:
        at += 1
        memory.recall(f"check the ledger {at}")
        memory.teach(f"Check the ledger of stage {at} first.")
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
while memory.stats().revision < 3:
    pass
""",
        store,
    )
    assert ended.returncode == 0, ended.stderr
    with hardwon.Memory.open(store) as memory:
        assert memory.stats().revision >= 3


def test_an_interrupt_ends_the_command(store: Path) -> None:
    waiting = subprocess.Popen(
        [COMMAND, "--store", store, "learn", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert waiting.stdin is not None
    waiting.stdin.write(trace("run-1").encode())
    waiting.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(0.5)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(10) == -signal.SIGINT
    waiting.communicate()


def test_processes_share_a_file_with_the_command(store: Path) -> None:
    writer = """
import sys, hardwon
with hardwon.Memory.open(sys.argv[1]) as memory:
    for at in range(5):
        assert memory.teach(f"Check the {sys.argv[2]} of stage {at} before you pack.").op
"""
    with ThreadPoolExecutor(6) as pool:
        things = ["ledger", "sprite", "tenant"]
        scripts = [pool.submit(python, writer, store, thing) for thing in things]
        commands = [
            pool.submit(command, "teach", f"Flush the {thing} before you leave.", store=store)
            for thing in ("queue", "socket", "archive")
        ]
        for script in scripts:
            assert script.result().returncode == 0, script.result().stderr
        for one in commands:
            assert one.result()["outcome"] == "created"
    told = command("list", store=store)
    with hardwon.Memory.open(store) as memory:
        assert memory.stats().revision == 18
        assert {record["id"] for record in told["records"]} == {record.id for record in memory.list().records}
        taught = memory.teach("Close the door of the vault.")
        assert command("show", str(taught.id), store=store)["record"]["text"] == "Close the door of the vault."
    assert command("doctor", store=store)["findings"] == []


def test_hooks_run_the_native_command_where_there_is_one(tmp_path: Path) -> None:
    def hooks() -> str:
        subprocess.run([COMMAND, "install", "claude"], check=True, capture_output=True, timeout=60)
        return (tmp_path / ".claude/settings.json").read_text()

    assert str(COMMAND) in hooks()
    native = tmp_path / "bin/hardwon"
    native.parent.mkdir()
    native.write_bytes(Path(sys.executable).resolve().read_bytes()[:64])
    native.chmod(0o755)
    os.environ["PATH"], before = f"{native.parent}{os.pathsep}{os.environ['PATH']}", os.environ["PATH"]
    try:
        assert f"{native} hook" in hooks()
    finally:
        os.environ["PATH"] = before


def test_a_hook_mines_in_a_process_of_its_own(store: Path, tmp_path: Path) -> None:
    def hook(step: str, **event: object) -> None:
        subprocess.run(
            [COMMAND, "--store", store, "hook", step, "--agent", "claude"],
            input=json.dumps({"session_id": "s1", "cwd": str(tmp_path), **event}),
            text=True,
            check=True,
            timeout=60,
        )

    call = {"tool_name": "write_file", "tool_input": {"path": "a"}, "tool_use_id": "t1"}
    hook("post-tool-failure", error="parent directory does not exist", **call)
    hook("session-end", reason="exit")
    with hardwon.Memory.open(store) as memory:
        for _ in range(200):
            if memory.list().total:
                break
            threading.Event().wait(0.05)
        assert [record.tools for record in memory.list().records] == [("write_file",)]


def test_the_command_says_its_version_and_its_mistakes() -> None:
    version = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, timeout=60)
    assert version.stdout.strip() == f"hardwon {hardwon.__version__}"
    module = subprocess.run([sys.executable, "-m", "hardwon", "--version"], capture_output=True, text=True, timeout=60)
    assert module.stdout == version.stdout
    assert subprocess.run([COMMAND, "nonsense"], capture_output=True, timeout=60).returncode == 2
