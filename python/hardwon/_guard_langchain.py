"""Guards for LangChain's tools and LangGraph's tool nodes. Imported where one is given, and imports neither package
before.

Decides where a call of theirs begins and ends: at `run`, so that arguments which a tool refuses are seen too.
"""

from __future__ import annotations

import copy
from functools import lru_cache
from types import MethodType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from ._guard import Call, Run


def guard_tool(tool: Any, run: Run) -> Any:
    """A copy of the tool that is guarded."""
    guarded = tool.model_copy()
    kind: Any = type(tool)
    object.__setattr__(guarded, "__class__", guarded_class(kind))
    # Beside the fields: what a tool is made of stays as it was.
    object.__setattr__(guarded, "_hardwon_run", run)
    return guarded


def guard_node(node: Any, run: Run) -> Any:
    """A copy of the node whose tools are guarded."""
    guarded = copy.copy(node)
    # A node keeps methods of its own among its fields; those of the copy are the copy's.
    for name, value in vars(node).items():
        if getattr(value, "__self__", None) is node:
            setattr(guarded, name, MethodType(value.__func__, guarded))
    guarded._tools_by_name = {name: guard_tool(tool, run) for name, tool in node.tools_by_name.items()}
    return guarded


@lru_cache(maxsize=256)
def guarded_class(kind: Hashable) -> Any:
    """The class of a tool with guarded runs."""

    class Guarded(kind):  # type: ignore[misc,valid-type]
        def run(self, tool_input: Any, *args: Any, **kwargs: Any) -> Any:
            run: Run = self._hardwon_run
            call = run.before(self.name, arguments(tool_input))
            if call.is_held_back:
                return instead(self, call, kwargs.get("tool_call_id"))
            try:
                result = super().run(rewritten(call, tool_input), *args, **kwargs)
            except BaseException as problem:
                run.failed(call, problem)
                raise
            return with_advice(result, run.passed(call, result))

        async def arun(self, tool_input: Any, *args: Any, **kwargs: Any) -> Any:
            from asyncio import to_thread

            run: Run = self._hardwon_run
            call = await to_thread(run.before, self.name, arguments(tool_input))
            if call.is_held_back:
                return instead(self, call, kwargs.get("tool_call_id"))
            try:
                result = await super().arun(rewritten(call, tool_input), *args, **kwargs)
            except Exception as problem:
                await to_thread(run.failed, call, problem)
                raise
            except BaseException as problem:
                run.failed(call, problem)
                raise
            return with_advice(result, await to_thread(run.passed, call, result))

    Guarded.__name__ = Guarded.__qualname__ = getattr(kind, "__name__", "Guarded")
    return Guarded


def arguments(tool_input: Any) -> Any:
    """The arguments of a call; a text alone is the one that a tool of one argument takes."""
    return tool_input if isinstance(tool_input, dict) else {"input": tool_input}


def rewritten(call: Call, tool_input: Any) -> Any:
    """The input to run with: a remedy's arguments, where there are any and the tool takes arguments by name."""
    if call.rewritten is None or not isinstance(tool_input, dict):
        call.rewritten = None
        return tool_input
    return call.rewritten


def instead(tool: Any, call: Call, tool_call_id: str | None) -> Any:
    """The advice in the form of the tool's answer."""
    if tool_call_id is None:
        return call.advice
    from langchain_core.messages import ToolMessage

    return ToolMessage(call.advice, name=tool.name, tool_call_id=tool_call_id)


def with_advice(result: Any, advice: str) -> Any:
    """The result with what is to be said before it, where it says a text."""
    if advice and isinstance(result, str):
        return f"{advice}\n\n{result}"
    if advice and isinstance(getattr(result, "content", None), str):
        return result.model_copy(update={"content": f"{advice}\n\n{result.content}"})
    return result
