"""Stores, embedders, rerankers and models of the host's own: plain, async, failing, and calling back into a memory."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

import pytest

import hardwon

from conftest import trace
from plain_store import PlainStore

DIMS = 16
LESSON = "Run the formatter before you commit."
WORDS = "Create the folder before you call write_file."


def embed(texts: list[str]) -> list[list[float]]:
    return [[float(sum(ord(c) % DIMS == at for c in text)) for at in range(DIMS)] for text in texts]


def embedder(call: Any = embed) -> hardwon.Embedder:
    return hardwon.Embedder(call, id="letters-1", dims=DIMS)


class AsyncStore:
    """A plain store whose methods are coroutines."""

    def __init__(self) -> None:
        self._store = PlainStore()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any) -> Any:
            await asyncio.sleep(0)
            return method(*args)

        return call


def test_an_embedder_of_the_hosts_own() -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder())
    memory.teach("Run the formatter before you commit.")
    assert memory.stats().embedder == "letters-1" and memory.stats().without_vector == 0
    assert memory.recall("formatter before commit").items[0].why.cosine > 0


def test_vectors_may_be_arrays() -> None:
    class Array(list):  # type: ignore[type-arg]
        pass

    class Rows:
        def __init__(self, rows: list[list[float]]) -> None:
            self.rows = rows

        def tolist(self) -> list[list[float]]:
            return self.rows

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(lambda texts: Rows(embed(texts))))
    assert memory.teach("Run the formatter before you commit.").outcome == "created"


def test_an_embedder_that_fails_changes_nothing() -> None:
    def broken(texts: list[str]) -> list[list[float]]:
        raise ConnectionError("no route")

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(broken))
    with pytest.raises(hardwon.HostError) as raised:
        memory.teach("Run the formatter before you commit.")
    assert raised.value.code == "host.embedder" and isinstance(raised.value.__cause__, ConnectionError)
    assert memory.list().total == 0
    shapes = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(lambda texts: [[1.0]]))
    with pytest.raises(hardwon.HostError, match="components"):
        shapes.teach("Run the formatter before you commit.")


@pytest.mark.parametrize("junk", [None, 7, [[1.0] * 15 + [float("nan")]], [["a"] * DIMS], [None]])
def test_junk_of_an_embedder_is_the_embedders(junk: Any) -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(lambda texts: junk))
    with pytest.raises(hardwon.HostError) as raised:
        memory.teach("Run the formatter before you commit.")
    assert raised.value.code == "host.embedder"


SAW = ["Close the door before you start the saw.", "Put goggles on before you start the saw."]


def goggles_first(query: str, texts: list[str]) -> list[float]:
    assert query == "start the saw"
    return [0.9 if "goggles" in text else 0.1 for text in texts]


@pytest.mark.parametrize("make", [hardwon.MemoryStore, PlainStore])
def test_a_reranker_decides_the_order(make: Any) -> None:
    memory = hardwon.Memory.open(store=make(), reranker=goggles_first)
    for text in SAW:
        memory.teach(text)
    first, second = memory.recall("start the saw").items
    assert "goggles" in first.text and (first.why.reranked, second.why.reranked) == (900_000, 100_000)
    assert memory.explain(second.id, task="start the saw").why.reranked == 100_000
    plain = hardwon.Memory.open(store=hardwon.MemoryStore())
    plain.teach(SAW[0])
    assert plain.recall("start the saw").items[0].why.reranked is None


def test_an_async_reranker() -> None:
    async def rerank(query: str, texts: list[str]) -> list[float]:
        await asyncio.sleep(0)
        return goggles_first(query, texts)

    async def main() -> None:
        async with await hardwon.AsyncMemory.open(store=hardwon.MemoryStore(), reranker=rerank) as memory:
            for text in SAW:
                await memory.teach(text)
            assert "goggles" in (await memory.recall("start the saw")).items[0].text

    asyncio.run(main())
    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), reranker=rerank)
    for text in SAW:
        memory.teach(text)
    assert len(memory.recall("start the saw").items) == 2


@pytest.mark.parametrize(
    "junk", [[0.5], [0.1, float("nan")], [0.1, float("inf")], [0.1, 1.5], [-1, 0], ["a", 1], 7, None]
)
def test_junk_of_a_reranker_ends_the_verb(junk: Any) -> None:
    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), reranker=lambda query, texts: junk)
    for text in SAW:
        memory.teach(text)
    with pytest.raises(hardwon.HostError) as raised:
        memory.recall("start the saw")
    assert raised.value.code == "host.reranker"


def test_what_a_reranker_raises_is_the_cause() -> None:
    def broken(query: str, texts: list[str]) -> list[float]:
        raise ConnectionError("no route")

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), reranker=broken)
    for text in SAW:
        memory.teach(text)
    with pytest.raises(hardwon.HostError) as raised:
        memory.recall("start the saw")
    assert raised.value.code == "host.reranker" and isinstance(raised.value.__cause__, ConnectionError)


@pytest.mark.parametrize("make", [hardwon.MemoryStore, PlainStore])
def test_a_model_words_lessons_once(make: Any) -> None:
    asked: list[str] = []

    def complete(instructions: str, prompt: str, max_tokens: int) -> str:
        assert instructions and max_tokens > 0
        asked.append(prompt)
        return WORDS

    def learned(store: Any) -> hardwon.Learned:
        model = hardwon.Model(complete, name="parrot")
        memory = hardwon.Memory.open(store=store, model=model)
        memory.learn(trace("run-1", error="cannot write: the parent folder is missing"), model=True)
        (lesson,) = memory.list().records
        undone = memory.history()[-1].op
        assert memory.undo(undone).done
        assert [one.model for one in lesson.rewordings] in ([], ["parrot"])
        return memory.learn(trace("run-9", error="cannot write: the parent folder is missing"), model=True)

    report = learned(make())
    assert report.model is not None and report.model.model == "parrot" and report.model.asked == 1
    assert len(asked) == 1, "the second answer was kept"


def test_a_model_that_fails_takes_no_lesson_away() -> None:
    def complete(*_: Any) -> str:
        raise TimeoutError("too slow")

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), model=hardwon.Model(complete, name="slow"))
    learned = memory.learn(trace("run-1"), model=True)
    assert learned.inserted == 1 and learned.model is not None and learned.model.unused == {"call_failed": 1}


def test_async_ports_of_a_memory_that_is_called() -> None:
    async def embed_later(texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return embed(texts)

    memory = hardwon.Memory.open(store=AsyncStore(), embedder=embedder(embed_later))
    assert memory.teach("Run the formatter before you commit.").outcome == "created"

    async def inside() -> None:
        with pytest.raises(hardwon.InvalidError, match="AsyncMemory"):
            memory.teach("Close the socket when you are done.")

    asyncio.run(inside())


def test_async_and_plain_ports_of_a_memory_that_is_awaited() -> None:
    threads: set[int] = set()

    async def complete(instructions: str, prompt: str, max_tokens: int) -> str:
        await asyncio.sleep(0)
        return "NO_LESSON"

    def embed_here(texts: list[str]) -> list[list[float]]:
        threads.add(threading.get_ident())
        return embed(texts)

    async def main() -> None:
        memory = await hardwon.AsyncMemory.open(
            store=AsyncStore(), embedder=embedder(embed_here), model=hardwon.Model(complete, name="none")
        )
        async with memory:
            texts = [f"Check the {thing} first." for thing in ("ledger", "sprite", "tenant", "queue", "header")]
            wrote = await asyncio.gather(*(memory.teach(text) for text in texts))
            assert {one.outcome for one in wrote} == {"created"}
            assert (await memory.list()).total == len(texts)
            learned = await memory.learn(trace("run-1"), model=True)
            assert learned.skipped == {"no_lesson": 1}

    asyncio.run(main())
    assert threading.get_ident() not in threads, "a plain callable would have held up the loop"


def test_a_callback_may_use_the_same_memory() -> None:
    seen: list[int] = []

    def embed_and_look(texts: list[str]) -> list[list[float]]:
        seen.append(memory.stats().revision)
        if "formatter" in texts[0] and len(seen) == 1:
            memory.teach("Close the socket when you are done.")
        return embed(texts)

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(embed_and_look))
    memory.teach("Run the formatter before you commit.")
    assert memory.list().total == 2 and len(seen) >= 2


def test_a_store_may_use_the_memory_that_it_serves() -> None:
    class Curious(PlainStore):
        depth = 0

        def load(self, space: str, since: int) -> Any:
            if self.depth == 0:
                self.depth = 1
                memory.teach("Close the socket when you are done.")
            return super().load(space, since)

    memory = hardwon.Memory.open(store=Curious())
    memory.teach("Run the formatter before you commit.")
    assert memory.list().total == 2


def test_who_waits_for_a_model_holds_up_nobody() -> None:
    seen: list[bool] = []

    def complete(instructions: str, prompt: str, max_tokens: int) -> str:
        other = threading.Thread(target=lambda: seen.append(memory.teach(LESSON).outcome == "created"))
        other.start()
        other.join(timeout=30)
        return WORDS

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), model=hardwon.Model(complete, name="parrot"))
    assert memory.learn(trace("run-1"), model=True).inserted == 1
    assert seen == [True] and memory.list().total == 2


def test_an_interrupt_in_a_callback_reaches_the_caller() -> None:
    def interrupted(texts: list[str]) -> list[list[float]]:
        signal.raise_signal(signal.SIGINT)
        return embed(texts)

    memory = hardwon.Memory.open(store=hardwon.MemoryStore(), embedder=embedder(interrupted))
    # What is started in the background of a shell ignores interrupts, and so would Python.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            memory.teach("Run the formatter before you commit.")
    finally:
        signal.signal(signal.SIGINT, before)
    assert memory.list().total == 0
    assert memory.stats().revision == 0


def test_a_store_that_fails_says_why() -> None:
    class Broken(PlainStore):
        def commit(self, space: str, commit: dict[str, Any]) -> Any:
            raise OSError("the disk is full")

    with pytest.raises(hardwon.HostError, match="disk is full") as raised:
        hardwon.Memory.open(store=Broken()).teach("Run the formatter before you commit.")
    assert raised.value.code == "host.store"

    class Confused(PlainStore):
        def load(self, space: str, since: int) -> Any:
            return "nothing"

    with pytest.raises(hardwon.InvalidError):
        hardwon.Memory.open(store=Confused()).stats()


def test_a_store_that_always_conflicts_ends() -> None:
    class Busy(PlainStore):
        left = 5

        def commit(self, space: str, commit: dict[str, Any]) -> Any:
            self.left -= 1
            return "conflict" if self.left > 0 else super().commit(space, commit)

    assert hardwon.Memory.open(store=Busy()).teach("Run the formatter before you commit.").outcome == "created"


def test_a_memory_asks_only_for_what_is_new() -> None:
    asked: list[int] = []

    class Noting(PlainStore):
        def load(self, space: str, since: int) -> Any:
            asked.append(since)
            return super().load(space, since)

    memory = hardwon.Memory.open(store=Noting())
    memory.teach(LESSON)
    memory.recall("format and commit")
    memory.teach("Close the socket when you are done.")
    memory.stats()
    assert asked == [0, 1, 1, 2]


def test_two_memories_on_one_store() -> None:
    for store in (hardwon.MemoryStore(), PlainStore()):
        one, two = hardwon.Memory.open(store=store), hardwon.Memory.open(store=store)
        written = one.teach("Run the formatter before you commit.")
        assert written.id is not None and two.get(written.id).text == one.get(written.id).text
        assert hardwon.Memory.open(store=store, space="other").list().total == 0
