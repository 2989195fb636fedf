"""What a memory asks of Python: a store, an embedder, a reranker, a model.

Decides which call answers which question, once for plain and for awaited callables. Never decides what an answer means,
and holds no lock while anybody is called: whoever is called may use the same memory.
"""

from __future__ import annotations

from . import _errors as errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Sequence
    from typing import Any, Union

    from ._protocols import EmbedderPort, ModelPort, Rerank, Store

    Vectors = Union[Sequence[Sequence[float]], Any]
    Call = tuple[Callable[..., Any], tuple[Any, ...]]
    Reply = Generator[list[Call], list[Any], Any]

# From which cosines on two texts may be one, where an embedder was not calibrated; in millionths.
MERGE, CANDIDATE = 850_000, 750_000
# So many prompts are under way at once where they are awaited.
AT_ONCE = 8


class Embedder:
    """An embedder made of a function.

    Args:
        embed: Takes a list of texts and answers one vector each, of any length other than zero. May be a coroutine
            function.
        id: Name and version in one text. Another one means other vectors.
        dims: The length of the vectors.
        merge: The cosine, in millionths, from which two texts may be merged.
        candidate: The cosine, in millionths, from which two texts are compared more closely.
    """

    def __init__(
        self,
        embed: Callable[[list[str]], Vectors | Awaitable[Vectors]],
        *,
        id: str,
        dims: int,
        merge: int = MERGE,
        candidate: int = CANDIDATE,
    ) -> None:
        self.id = id
        self.dims = dims
        self.merge = merge
        self.candidate = candidate
        self._embed = embed

    def embed(self, texts: list[str]) -> Vectors | Awaitable[Vectors]:
        """The vectors of these texts."""
        return self._embed(texts)

    def __repr__(self) -> str:
        return f"Embedder(id={self.id!r}, dims={self.dims})"


class Model:
    """A model made of a function.

    Args:
        complete: Takes instructions for the system's place, a prompt for the user's, and the most tokens of the answer;
            answers text. May be a coroutine function.
        name: The model's name, which is recorded with what it wrote.
    """

    def __init__(self, complete: Callable[[str, str, int], str | Awaitable[str]], *, name: str) -> None:
        self.name = name
        self._complete = complete

    def complete(self, instructions: str, prompt: str, max_tokens: int) -> str | Awaitable[str]:
        """The answer to one prompt."""
        return self._complete(instructions, prompt, max_tokens)

    def __repr__(self) -> str:
        return f"Model(name={self.name!r})"


class Ports:
    """The ports of one memory that are Python's."""

    def __init__(
        self,
        space: str,
        store: Store | None,
        embedder: EmbedderPort | None,
        model: ModelPort | None,
        reranker: Rerank | None,
    ) -> None:
        self.space = space
        self.store = store
        self.embedder = embedder
        self.model = model
        self.reranker = reranker

    def reply(self, kind: str, payload: Any) -> Reply:
        """What is to be called for a question, each round a list of calls; ends with the answer."""
        if kind == "embed" and self.embedder is not None:
            (vectors,) = yield [(self.embedder.embed, (payload["texts"],))]
            return {"embedded": vectors}
        if kind == "rerank" and self.reranker is not None:
            (scores,) = yield [(self.reranker, (payload["query"], payload["texts"]))]
            return {"reranked": millionths(scores)}
        if kind == "complete" and self.model is not None:
            return (yield from self._complete(self.model, payload))
        if self.store is None:
            raise errors.of("protocol", f"the engine asks for {kind}, and this version of the package has no answer")
        return (yield from self._keep(self.store, kind, payload))

    def _keep(self, store: Store, kind: str, payload: Any) -> Reply:
        space = self.space
        if kind == "load":
            return {"loaded": (yield [(store.load, (space, payload["since"]))])[0]}
        if kind == "commit":
            return (yield [(store.commit, (space, payload))])[0]
        if kind == "log":
            return {"logged": (yield [(store.log, (space, payload))])[0]}
        if kind == "trace_append":
            yield [(store.trace_append, (space, payload["session_id"], payload["lines"]))]
            return "done"
        if kind == "trace_load":
            return {"traces": (yield [(store.trace_load, (space, payload["session_id"]))])[0]}
        if kind == "trace_mined":
            for session, lines in payload["sessions"]:
                yield [(store.trace_mined, (space, session, lines))]
            for session in payload.get("ended", ()):
                yield [(store.trace_drop, (space, session))]
            return "done"
        if kind == "answers_get":
            kept = []
            for key in payload:
                kept += yield [(store.answer_get, (space, key))]
            return kept
        if kind == "answers_put":
            yield [(store.answer_put, (space, [(key, text) for key, text in payload]))]
            return None
        raise errors.of("protocol", f"the engine asks for {kind}, and this version of the package has no answer")

    def _complete(self, model: ModelPort, payload: Any) -> Reply:
        answers: list[dict[str, str]] = []
        prompts = payload["prompts"]
        for at in range(0, len(prompts), AT_ONCE):
            asked = prompts[at : at + AT_ONCE]
            calls = [(model.complete, (payload["instructions"], one, payload["max_tokens"])) for one in asked]
            answers += [completion(one) for one in (yield calls)]
        return answers


def completion(said: Any) -> dict[str, str]:
    """An answer of a model, or the failure of one call."""
    if isinstance(said, Exception):
        return {"failed": told(said)}
    return {"text": said} if isinstance(said, str) else {"failed": f"the model answered {type(said).__name__}, no text"}


def millionths(scores: Any) -> list[int]:
    """Scores of 0 to 1 as the wire has them."""
    try:
        return [round(float(score) * 1_000_000) for score in scores]
    except (TypeError, ValueError, OverflowError) as problem:
        raise raised("rerank", problem) from problem


def port_of(kind: str) -> str:
    """Which port a question is for."""
    return {"embed": "embedder", "rerank": "reranker", "complete": "model"}.get(kind, "store")


def told(problem: BaseException) -> str:
    """An exception in a line."""
    return f"{type(problem).__name__}: {problem}"


def failed(kind: str, results: list[Any]) -> Exception | None:
    """The exception that ends an operation: any but a model's, of which each call stands alone."""
    if kind == "complete":
        return None
    return next((one for one in results if isinstance(one, Exception)), None)


def raised(kind: str, problem: Exception) -> errors.Error:
    """What the caller of a verb gets for an exception of a port."""
    if isinstance(problem, errors.Error):
        return problem
    return errors.of(f"host.{port_of(kind)}", f"the {port_of(kind)} failed: {told(problem)}")
