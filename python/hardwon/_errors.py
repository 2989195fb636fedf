"""The one error list of every host, as classes.

Decides which class a code has. Each error carries its `code`, which is the same in every host; docs/errors.md has each
one's remedy.
"""

from __future__ import annotations

__all__ = [
    "ContendedError",
    "CorruptError",
    "Error",
    "HostError",
    "IncompatibleError",
    "InvalidError",
    "LimitError",
    "NotFoundError",
    "ProtocolError",
]


class Error(Exception):
    """Something went wrong and nothing was changed."""

    code: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


class InvalidError(Error, ValueError):
    """The input cannot be used as it is (`invalid.*`)."""


class NotFoundError(InvalidError, LookupError):
    """There is no record or operation of that id (`invalid.not_found`)."""


class LimitError(Error, ValueError):
    """A limit of the policy was passed (`limit.*`)."""


class HostError(Error, RuntimeError):
    """A store, an embedder or a model failed (`host.*`)."""


class ContendedError(Error):
    """Others kept writing to the space until the deadline passed (`contended`); try again."""


class CorruptError(Error):
    """Stored data breaks an invariant (`corrupt`)."""


class IncompatibleError(Error):
    """The store or the export is of a newer format (`incompatible`)."""


class ProtocolError(Error):
    """A request was answered with something else (`protocol`): a defect of a store or another port."""


_CLASSES: dict[str, type[Error]] = {
    "invalid": InvalidError,
    "limit": LimitError,
    "host": HostError,
    "contended": ContendedError,
    "corrupt": CorruptError,
    "incompatible": IncompatibleError,
    "protocol": ProtocolError,
}


def of(code: str, message: str) -> Error:
    """The error of a code."""
    kind = NotFoundError if code == "invalid.not_found" else _CLASSES.get(code.partition(".")[0], Error)
    return kind(code, message)
