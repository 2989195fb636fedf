"""Memory whose verbs are awaited.

Decides what runs in a thread and what on the event loop. Everything else is that of `_memory`: the same engine, the
same questions, the same ports.
"""

from __future__ import annotations

import asyncio
from asyncio import to_thread
from inspect import iscoroutinefunction

from ._awaited import AsyncVerbs
from ._memory import Opened, output_of
from ._native import Asked, MemoryStore, SqliteStore
from ._ports import failed, raised
from ._wire import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Any

    from ._memory import BuiltIn, Path
    from ._protocols import EmbedderPort, ModelPort, Rerank, Store


class AsyncMemory(Opened, AsyncVerbs):
    """As `Memory`, with verbs to be awaited. The engine works in threads, so that the event loop never waits for it.

    Callables of the host that are coroutine functions are awaited on the loop; plain ones are called in a thread.
    """

    @classmethod
    async def open(
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
    ) -> AsyncMemory:
        """Opens a memory, as `Memory.open`."""
        return await to_thread(
            cls,
            path,
            store=store,
            space=space,
            policy=policy,
            embedder=embedder,
            model=model,
            reranker=reranker,
            read_only=read_only,
        )

    async def close(self) -> None:
        """Ends the use of the memory. What a verb has answered is durable with or without it."""
        await to_thread(self._close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, options: dict[str, Any]) -> dict[str, Any]:
        step: Any = await to_thread(self._engine.start, given(options))
        while isinstance(step, Asked):
            step = await to_thread(step.resume, await self._answer(step.kind, step.payload))
        return output_of(step)

    async def _answer(self, kind: str, payload: Any) -> Any:
        if kind == "wait":
            return await asyncio.sleep(payload)
        replying = self._ports.reply(kind, payload)
        results: list[Any] | None = None
        while True:
            try:
                calls = next(replying) if results is None else replying.send(results)
            except StopIteration as end:
                return end.value
            results = list(await asyncio.gather(*(attempt_async(call, args) for call, args in calls)))
            if (problem := failed(kind, results)) is not None:
                raise raised(kind, problem) from problem


async def attempt_async(call: Any, args: tuple[Any, ...]) -> Any:
    """As `attempt`; a coroutine function is awaited here, anything else is called in a thread."""
    try:
        is_async = iscoroutinefunction(call) or iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004
        result = call(*args) if is_async else await to_thread(call, *args)
        return await result if hasattr(result, "__await__") else result
    except Exception as problem:
        return problem
