"""Tools that are guarded: each call is observed at once, told what went wrong at calls like it, and learned from.

Decides how advice reaches whoever calls a tool, and what of a call is noted. Never keeps a tool from working: where the
memory fails, the call is made, and why is in `Run.trouble`. When a lesson speaks is the policy's, in the engine.
"""

from __future__ import annotations

import functools
import inspect
from contextlib import contextmanager

from . import _errors as errors
from ._memory import Memory, Opened
from ._native import json_text, new_id, now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping
    from types import TracebackType
    from typing import Any, Literal, TypeVar

    from ._answers import Guarded, Recalled

    Tool = TypeVar("Tool")
    Manner = Literal["result", "instead"]

# The most characters of a text that is noted: most of them from its beginning, the rest from its end.
KEPT = 16_384
# How many records are looked up after a failure: there is one thing to mend.
AFTER_FAILURE = 3


class Call:
    """One call of a tool, from the question whether to make it to its end."""

    def __init__(self, tool: str, args: Any) -> None:
        self.tool = tool
        self.args = args
        self.advice = ""
        """What is to be said about it, as a block for a prompt; empty for nothing."""
        self.is_held_back = False
        """Whether the advice takes the place of the call."""
        self.rewritten: dict[str, Any] | None = None
        """The arguments to make it with, where a remedy changes them."""


class Run:
    """One run of an agent: its session, its tools and what is said to it.

    Args:
        memory: Where lessons come from and go to; the one that the command would use where none is given.
        session_id: The run's name; a new one where none is given.
        task: What the agent was asked to do.
        scope: To whom its lessons apply, and whose are told.
        advice: How a lesson is told before a call: `result` makes the call and puts the lesson before its answer, as
            far as that is text; `instead` answers with the lesson and makes no call, so that the agent calls again. A
            lesson speaks once in a run, so the second call is made.
        rewrite: Whether a call may be made with other arguments, where a proven remedy changes one.
        confirm: Asked where a reviewer wants a call held; the call is made where it answers true. Without it the call
            is made.
    """

    def __init__(
        self,
        memory: Opened | None = None,
        *,
        session_id: str | None = None,
        task: str = "",
        scope: Mapping[str, str] | None = None,
        advice: Manner = "result",
        rewrite: bool = False,
        confirm: Callable[[Guarded], bool] | None = None,
    ) -> None:
        """As the class says."""
        self.memory = sync(memory)
        self.session_id = session_id or new_id()
        self.task = task
        self.scope = scope
        self.trouble: list[str] = []
        """Codes of what went wrong with the memory."""
        self.told: list[str] = []
        """Every piece of advice, for tools whose answers are no texts."""
        self._manner = advice
        self._rewrite = rewrite
        self._confirm = confirm
        self._failed: set[str] = set()
        self._is_begun = False

    def guard(self, tool: Tool) -> Tool:
        """The tool, guarded: a function of any kind, a LangChain tool or a LangGraph `ToolNode`."""
        made: Tool
        if hasattr(tool, "tools_by_name"):
            from ._guard_langchain import guard_node

            made = guard_node(tool, self)
        elif hasattr(tool, "args_schema") and hasattr(tool, "invoke"):
            from ._guard_langchain import guard_tool

            made = guard_tool(tool, self)
        elif callable(tool):
            made = guard_function(tool, self)
        else:
            raise TypeError(f"{tool!r} is no tool: it cannot be called")
        return made

    def guard_tools(self, tools: Iterable[Tool]) -> list[Tool]:
        """The tools, guarded."""
        return [self.guard(tool) for tool in tools]

    def recall(self, **query: Any) -> Recalled | None:
        """What is known for a moment of this run, noted as shown; for its task where nothing is named."""
        with self._troubled():
            query.setdefault("task", "" if query else self.task)
            found = self.memory.recall(session_id=self.session_id, scope=self.scope, **query)
            self._observe(found.event)
            return found
        return None

    def before(self, tool: str, args: Any) -> Call:
        """What is to be done about a call."""
        call = Call(tool, args)
        with self._troubled():
            answer = self.memory.guard(
                tool,
                json_text(args),
                session_id=self.session_id,
                task=self.task,
                scope=self.scope,
                rewrite=self._rewrite,
            )
            self._observe(answer.event)
            call.advice = answer.block
            self._tell(answer.block)
            self._decide(call, answer)
        return call

    def passed(self, call: Call, result: Any) -> str:
        """Notes a call that answered; answers what is to be said with its result."""
        return self._ended(call, not is_failure(result), text_of(result))

    def failed(self, call: Call, problem: BaseException) -> None:
        """Notes a call that raised, and gives the exception what is known of it as a note."""
        if not isinstance(problem, Exception):
            self._note(call, {"ok": False, "error": told(problem), "status": "cancelled"})
            return
        advice = self._ended(call, False, told(problem))
        if advice and hasattr(problem, "add_note"):
            problem.add_note(advice)

    def finish(self, text: str = "", outcome: str = "") -> None:
        """Ends the run with what the agent said and how it ended (`success`, `failed`), and learns from it."""
        event = {"type": "final", "text": text}
        with self._troubled():
            self._observe(json_text({**self._event(event), "outcome": outcome} if outcome else self._event(event)))
        self._learn()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None:
        self.finish(outcome="failed" if problem is not None else "")

    def _decide(self, call: Call, answer: Guarded) -> None:
        if answer.verdict == "rewrite":
            import json

            call.rewritten = json.loads(answer.args)
        elif answer.verdict == "hold" and self._confirm is not None:
            call.is_held_back = not self._confirm(answer)
        elif answer.verdict == "advise":
            call.is_held_back = self._manner == "instead"
        if call.is_held_back:
            # The trace shows that this call was not made: what comes of the advice is the agent's next one.
            self._note(call, {"ok": False, "status": "cancelled", "error": ""})

    def _ended(self, call: Call, ok: bool, text: str) -> str:
        kept, is_cut = cut(text)
        result: dict[str, Any] = {"ok": ok, ("result" if ok else "error"): kept}
        self._note(call, {**result, "cut": True} if is_cut else result)
        advice = call.advice
        if not ok:
            found = self.recall(tool=call.tool, args=json_text(call.args), error=kept, top_k=AFTER_FAILURE)
            after = found.block if found else ""
            self._tell(after)
            advice = after or advice
        # What a call teaches is known when it has failed, and when such a call has worked again.
        if not ok or call.tool in self._failed:
            self._learn()
        (self._failed.discard if ok else self._failed.add)(call.tool)
        return advice

    def _tell(self, advice: str) -> None:
        if advice:
            self.told.append(advice)

    def _note(self, call: Call, result: dict[str, Any]) -> None:
        args = call.args if call.rewritten is None else call.rewritten
        with self._troubled():
            event = self._event({"type": "tool_call", "name": call.tool, "args": args, "result": result})
            self._observe(json_text({**event, "call_id": event["event_id"]}))

    def _event(self, event: dict[str, Any]) -> dict[str, Any]:
        return {**event, "ts": now(), "event_id": new_id()}

    def _observe(self, event: str) -> None:
        if not event:
            return
        lines = [event]
        if not self._is_begun and self.task:
            lines.insert(0, json_text(self._event({"type": "start", "task": self.task})))
        self.memory.observe(self.session_id, lines)
        self._is_begun = True

    def _learn(self) -> None:
        with self._troubled():
            self.memory.learn(observed=self.session_id, scope=self.scope, actor="guard")

    @contextmanager
    def _troubled(self) -> Generator[None, None, None]:
        """Keeps what goes wrong with the memory from the tools."""
        try:
            yield
        except errors.Error as problem:
            self.trouble.append(problem.code)


def guard(tool: Tool, *, run: Run | None = None, memory: Opened | None = None, **options: Any) -> Tool:
    """The tool, guarded: as `Run(memory, **options).guard(tool)`, or in a run that is given."""
    return (run or Run(memory, **options)).guard(tool)


def guard_tools(
    tools: Iterable[Tool], *, run: Run | None = None, memory: Opened | None = None, **options: Any
) -> list[Tool]:
    """The tools, guarded in one run: as `Run(memory, **options).guard_tools(tools)`, or in a run that is given."""
    return (run or Run(memory, **options)).guard_tools(tools)


def sync(memory: Opened | None) -> Memory:
    """The memory, to be called: a tool that is no coroutine has nothing to await with."""
    if memory is None:
        return Memory.open()
    return memory if isinstance(memory, Memory) else memory._called()


def guard_function(tool: Any, run: Run) -> Any:
    """A function, coroutine function or generator function, guarded."""
    if inspect.isasyncgenfunction(tool):
        return guard_async_generator(tool, run)
    if inspect.isgeneratorfunction(tool):
        return guard_generator(tool, run)
    if inspect.iscoroutinefunction(tool):
        return guard_coroutine(tool, run)
    name = name_of(tool)

    def guarded(*args: Any, **kwargs: Any) -> Any:
        call = run.before(name, bound(tool, args, kwargs))
        if call.is_held_back:
            return call.advice
        args, kwargs = applied(tool, call, args, kwargs)
        try:
            result = tool(*args, **kwargs)
        except BaseException as problem:
            run.failed(call, problem)
            raise
        return with_advice(result, run.passed(call, result))

    return as_tool(tool, guarded)


def guard_coroutine(tool: Any, run: Run) -> Any:
    """A coroutine function, guarded. The memory is asked in a thread."""
    from asyncio import to_thread

    name = name_of(tool)

    async def guarded(*args: Any, **kwargs: Any) -> Any:
        call = await to_thread(run.before, name, bound(tool, args, kwargs))
        if call.is_held_back:
            return call.advice
        args, kwargs = applied(tool, call, args, kwargs)
        try:
            result = await tool(*args, **kwargs)
        except Exception as problem:
            await to_thread(run.failed, call, problem)
            raise
        except BaseException as problem:
            # Who is being cancelled has no time for a thread.
            run.failed(call, problem)
            raise
        return with_advice(result, await to_thread(run.passed, call, result))

    return as_tool(tool, guarded)


def guard_generator(tool: Any, run: Run) -> Any:
    """A generator function, guarded: its call ends with the generator, and advice is its first item."""
    name = name_of(tool)

    def guarded(*args: Any, **kwargs: Any) -> Any:
        call = run.before(name, bound(tool, args, kwargs))
        if call.advice:
            yield call.advice
        if call.is_held_back:
            return None
        args, kwargs = applied(tool, call, args, kwargs)
        said: list[str] = []
        try:
            for item in tool(*args, **kwargs):
                said.append(text_of(item))
                yield item
        except BaseException as problem:
            run.failed(call, problem)
            raise
        run.passed(call, "".join(said))
        return None

    return as_tool(tool, guarded)


def guard_async_generator(tool: Any, run: Run) -> Any:
    """An async generator function, guarded as a generator is."""
    from asyncio import to_thread

    name = name_of(tool)

    async def guarded(*args: Any, **kwargs: Any) -> Any:
        call = await to_thread(run.before, name, bound(tool, args, kwargs))
        if call.advice:
            yield call.advice
        if call.is_held_back:
            return
        args, kwargs = applied(tool, call, args, kwargs)
        said: list[str] = []
        try:
            async for item in tool(*args, **kwargs):
                said.append(text_of(item))
                yield item
        except BaseException as problem:
            run.failed(call, problem)
            raise
        await to_thread(run.passed, call, "".join(said))

    return as_tool(tool, guarded)


def as_tool(tool: Any, guarded: Any) -> Any:
    """The guarded function with the name, signature and documentation of the tool, by which frameworks know it."""
    return functools.wraps(tool)(guarded)


def name_of(tool: Any) -> str:
    """What the tool is called."""
    return str(getattr(tool, "__name__", None) or type(tool).__name__)


def bound(tool: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by their names."""
    try:
        signature = inspect.signature(tool)
        named = dict(signature.bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {"args": list(args), **kwargs} if args else dict(kwargs)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            named.update(named.pop(parameter.name, {}))
    named.pop("self", None)
    return named


def applied(
    tool: Any, call: Call, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments to make a call with: a remedy's, where each can be given by its name."""
    if call.rewritten is None:
        return args, kwargs
    try:
        inspect.signature(tool).bind(**call.rewritten)
    except (TypeError, ValueError):
        call.rewritten = None
        return args, kwargs
    return (), call.rewritten


def with_advice(result: Any, advice: str) -> Any:
    """The result with what is to be said before it, where it is a text."""
    return f"{advice}\n\n{result}" if advice and isinstance(result, str) else result


def is_failure(result: Any) -> bool:
    """Whether a result tells of a failure in a field that tools agree on."""

    def get(name: str) -> Any:
        return result.get(name) if isinstance(result, dict) else getattr(result, name, None)

    if any(get(name) is True for name in ("is_error", "isError")) or get("status") == "error":
        return True
    if not isinstance(result, dict):
        return False
    codes = [get(name) for name in ("exit_code", "exitCode", "returncode", "return_code")]
    return any(get(name) is False for name in ("ok", "success")) or any(isinstance(one, int) and one for one in codes)


def text_of(result: Any) -> str:
    """What a result says to its reader."""
    content = getattr(result, "content", result)
    return content if isinstance(content, str) else json_text(content)


def told(problem: BaseException) -> str:
    """An exception as a reader of a log sees it."""
    return f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__


def cut(text: str) -> tuple[str, bool]:
    """At most `KEPT` characters of a text, and whether some were left out."""
    if len(text) <= KEPT:
        return text, False
    head = KEPT // 4 * 3
    return f"{text[:head]}\n…\n{text[-(KEPT - head) :]}", True
