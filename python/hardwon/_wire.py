"""From what a caller gives to what the engine takes.

Decides which Python values may stand for an option. Never decides what the option means.
"""

from __future__ import annotations

from ._native import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Union

    Trace = Union[str, bytes, os.PathLike[str], Mapping[str, Any], Sequence[Any]]
    """A trace as its format has it: its text, a file with it, or messages and events as Python objects."""

# The types of events in the engine's own format (docs/format.md).
EVENTS = frozenset(
    ["start", "thought", "user", "final", "tool_call", "failed", "incomplete", "discrepancy", "retrieval", "usage"]
)


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options without those that were not given."""
    return {name: value for name, value in options.items() if value is not None}


def names(values: Iterable[Any]) -> list[Any]:
    """A list of them; one text alone is a list of one."""
    return [values] if isinstance(values, str) else list(values)


def text(value: Any) -> str:
    """A text as it is, anything else as JSON text."""
    return value if isinstance(value, str) else json_text(value)


def lines(values: Iterable[Any]) -> list[str]:
    """Events, one JSON text each."""
    return [text(value) for value in names(values)]


def trace(value: Trace | None) -> str | None:
    """The text of a trace: of a file, of bytes, or of objects as JSON."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "__fspath__"):
        with open(value, "rb") as file:
            value = file.read()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", errors="replace")
    if isinstance(value, (list, tuple)) and value and all(map(is_event, value)):
        return "\n".join(map(json_text, value))
    return json_text(value)


def is_event(value: Any) -> bool:
    """Whether it is an event of the engine's own format, which has one a line; other formats are read as they are."""
    return isinstance(value, dict) and value.get("type") in EVENTS and "role" not in value and "content" not in value
