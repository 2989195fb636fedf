"""Memory: a space of a store with every verb.

Decides how a memory is opened, and how questions of the engine reach the ports of Python. `_async` is the other driver
of the same step machines. Never decides what a verb does.
"""

from __future__ import annotations

import os
from _weakref import ref
from time import sleep

from . import _errors as errors
from ._native import Asked, Engine, MemoryStore, SqliteStore, usual_place
from ._ports import CANDIDATE, MERGE, Ports, failed, raised
from ._verbs import Verbs
from ._wire import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping
    from types import TracebackType
    from typing import Any, Literal, TypeVar, Union

    from ._protocols import EmbedderPort, ModelPort, Rerank, Store

    T = TypeVar("T")
    Path = Union[str, os.PathLike[str]]
    BuiltIn = Literal["built_in", "hash", "none"]


class Opened:
    """A memory that is open, whoever drives it."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        store: Store | MemoryStore | SqliteStore | None = None,
        space: str = "default",
        policy: Mapping[str, Any] | None = None,
        embedder: EmbedderPort | BuiltIn = "built_in",
        model: ModelPort | None = None,
        reranker: Rerank | None = None,
        read_only: bool = False,
    ) -> None:
        """As `open`."""
        if path is not None and store is not None:
            raise errors.of("invalid.setup", "a memory is at a path or in a store; give one of them")
        built_in = store if isinstance(store, (MemoryStore, SqliteStore)) else None
        own = None if store is None or isinstance(store, (MemoryStore, SqliteStore)) else store
        info = embedder if isinstance(embedder, str) else describe(embedder)
        self._ports = Ports(space, own, None if isinstance(embedder, str) else embedder, model, reranker)
        self._store = built_in
        setup: dict[str, Any] = {"space": space, "embedder": info, "reranker": reranker is not None}
        setup["model"] = None if model is None else model.name
        if store is None:
            place, usual = usual_place(path)
            setup |= {"path": place, "read_only": read_only}
            policy = usual if policy is None else policy
        self._setup = given({**setup, "policy": policy})
        self._engine_here: Engine | None = Engine(self._setup, self._store)
        self._is_closed = False
        _open.add(ref(self, _open.discard))

    @property
    def space(self) -> str:
        """The name of the space."""
        return self._ports.space

    @property
    def path(self) -> str | None:
        """The store's file; `None` where the memory is not in one."""
        return None if self._is_closed else self._engine.path

    @property
    def _engine(self) -> Engine:
        # After a fork the child opens its own: a connection to a file cannot be shared with the parent.
        if self._engine_here is None:
            self._engine_here = Engine(self._setup, self._store)
        return self._engine_here

    def _called(self) -> Memory:
        """The same memory, to be called."""
        called = Memory.__new__(Memory)
        called._ports, called._store, called._setup = self._ports, self._store, self._setup
        called._engine_here, called._is_closed = self._engine, False
        _open.add(ref(called, _open.discard))
        return called

    def _close(self) -> None:
        self._is_closed = True
        self._engine.close()

    def _forked(self) -> None:
        if self._engine_here is not None and not self._is_closed:
            self._engine_here.abandon()
            self._engine_here = None

    def __repr__(self) -> str:
        place = "closed" if self._is_closed else self.path or self._ports.store or self._store
        return f"{type(self).__name__}({place!r}, space={self.space!r})"


class Memory(Opened, Verbs):
    """A space of a store, with every verb. May be used from many threads at once."""

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        store: Store | MemoryStore | SqliteStore | None = None,
        space: str = "default",
        policy: Mapping[str, Any] | None = None,
        embedder: EmbedderPort | BuiltIn = "built_in",
        model: ModelPort | None = None,
        reranker: Rerank | None = None,
        read_only: bool = False,
    ) -> Memory:
        """Opens a memory.

        Args:
            path: The store's directory, or its file; it is made where there is none. Without path and store it is the
                one that the command would use: `HARDWON_STORE`, `.hardwon/` here or above, the user's data directory.
            store: A store in place of a path.
            space: The space inside the store.
            policy: Numbers of the lifecycle that differ from the defaults, by stage: `{"learn": {"promote_at": 2}}`.
                Without it the file `policy.toml` beside the store counts, as for the command.
            embedder: Your own, or one of the built-in ones: the table, hashes of words, or none.
            model: Words new lessons, where `learn` is told to use one.
            reranker: Takes a query and texts, and answers how well each fits, from 0 to 1; asked at each recall about
                what has passed the filters. May be a coroutine function.
            read_only: Nothing is made and nothing is changed.
        """
        return cls(
            path,
            store=store,
            space=space,
            policy=policy,
            embedder=embedder,
            model=model,
            reranker=reranker,
            read_only=read_only,
        )

    def close(self) -> None:
        """Ends the use of the memory. What a verb has answered is durable with or without it."""
        self._close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, options: dict[str, Any]) -> dict[str, Any]:
        step: Any = self._engine.start(given(options))
        while isinstance(step, Asked):
            step = step.resume(self._answer(step.kind, step.payload))
        return output_of(step)

    def _answer(self, kind: str, payload: Any) -> Any:
        if kind == "wait":
            return sleep(payload)
        replying = self._ports.reply(kind, payload)
        results: list[Any] | None = None
        while True:
            try:
                calls = next(replying) if results is None else replying.send(results)
            except StopIteration as end:
                return end.value
            results = [attempt(call, args) for call, args in calls]
            if (problem := failed(kind, results)) is not None:
                raise raised(kind, problem) from problem


def output_of(step: dict[str, Any]) -> dict[str, Any]:
    """What a verb answers, without the name of its form, which the method knows."""
    del step["verb"]
    return step


def attempt(call: Any, args: tuple[Any, ...]) -> Any:
    """What a call answers, or the exception it raises. What stops a program is not held back."""
    try:
        result = call(*args)
        return wait_for(result) if hasattr(result, "__await__") else result
    except Exception as problem:
        return problem


def wait_for(result: Awaitable[T]) -> T:
    """What an awaitable gives, in a thread without an event loop."""
    import asyncio

    async def awaited() -> T:
        return await result

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(awaited())
    if hasattr(result, "close"):
        result.close()
    raise errors.of("invalid.setup", "a port of this memory is async, and an event loop runs here; use AsyncMemory")


def describe(embedder: EmbedderPort) -> dict[str, Any]:
    """What the engine knows an embedder by."""
    return {
        "id": embedder.id,
        "dims": embedder.dims,
        "merge": getattr(embedder, "merge", MERGE),
        "candidate": getattr(embedder, "candidate", CANDIDATE),
    }


# What is open, so that a fork can be told to it.
_open: set[ref[Opened]] = set()


def _after_fork() -> None:
    for one in list(_open):
        if (memory := one()) is not None:
            memory._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
