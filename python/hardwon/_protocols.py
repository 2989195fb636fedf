"""What a store, an embedder, a reranker and a model of the host's own have to be.

Decides only what they are called and given. Nothing has to inherit from these: what has the methods will do.
"""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["EmbedderPort", "ModelPort", "Rerank", "Store"]


class Store(Protocol):
    """Where a memory's data is kept. Arguments and answers are in the wire form (docs/format.md).

    Each method may be a coroutine. Nothing is asked while another answer is awaited, except by operations that run
    at the same time; `commit` has to be all or nothing whatever runs beside it. `tests/contract` is the script that
    a store has to pass.
    """

    def load(self, space: str, since: int) -> Any:
        """`{"changes": {"list", "rev"}}` since a revision, or `{"reset": snapshot}` where it is 0 or too old."""

    def commit(self, space: str, commit: dict[str, Any]) -> Any:
        """`{"committed": rev}` once it is durable, or `"conflict"` where the space is not at the set's base."""

    def log(self, space: str, query: dict[str, Any]) -> Any:
        """Log entries `{"rev", "set"}`, oldest first."""

    def trace_append(self, space: str, session_id: str, lines: list[str]) -> Any:
        """Appends events to the live trace of a session."""

    def trace_load(self, space: str, session_id: str | None) -> Any:
        """Pairs of session and lines: of one session, or of all with lines that were not mined."""

    def trace_mined(self, space: str, session_id: str, lines: int) -> Any:
        """Notes how many lines of a session have been mined."""

    def trace_drop(self, space: str, session_id: str) -> Any:
        """Drops the live trace of a session, if all of its lines have been mined."""

    def answer_get(self, space: str, key: str) -> Any:
        """An answer of a model that was kept, or `None`."""

    def answer_put(self, space: str, answers: list[tuple[str, str]]) -> Any:
        """Keeps answers of a model. Any may be dropped at any time; a hard forget drops all of the space."""


class EmbedderPort(Protocol):
    """An embedder of the host's own; `Embedder` makes one of a function."""

    @property
    def id(self) -> str:
        """Name, version and content in one text: vectors of two embedders are never compared."""

    @property
    def dims(self) -> int:
        """The length of its vectors."""

    def embed(self, texts: list[str]) -> Any:
        """One vector a text, in their order; zeros for no opinion. May be a coroutine."""


class Rerank(Protocol):
    """A reranker of the host's own: any callable of this form."""

    def __call__(self, query: str, texts: list[str], /) -> Any:
        """How well each text fits the query, from 0 to 1, in their order. May be a coroutine."""


class ModelPort(Protocol):
    """A model of the host's own; `Model` makes one of a function."""

    @property
    def name(self) -> str:
        """Its name, which is recorded with what it wrote. Answers are kept by it."""

    def complete(self, instructions: str, prompt: str, max_tokens: int) -> Any:
        """The answer to one prompt, as text. May be a coroutine. A call that raises is one answer less."""
