"""The base of everything that verbs answer.

Decides how answers compare, print and travel. Never knows what a field means: those are in `_types`, which is made from
the engine's own source.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, NoReturn, TypeVar

    T = TypeVar("T", bound="Data")

# A mapping that nobody can change, without the module that names its class.
EMPTY: Mapping[str, Any] = type(object.__dict__)({})


class Data:
    """An answer, or a part of one: fields by name, equal by value, and not to be changed."""

    _nested: ClassVar[dict[str, type[Data]]] = {}
    _lists: ClassVar[tuple[str, ...]] = ()
    _keywords: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **fields: Any) -> None:
        self._fill(fields)

    @classmethod
    def from_dict(cls: type[T], fields: Mapping[str, Any]) -> T:
        """The object of a dictionary in the wire form, as `to_dict` gives it."""
        return cls._of(dict(fields))

    def to_dict(self) -> dict[str, Any]:
        """The wire form: plain dictionaries, lists, texts and numbers. Fields that say nothing may be missing."""
        wire = {name: _plain(value) for name, value in self.__dict__.items()}
        for word in self._keywords:
            wire[word] = wire.pop(f"{word}_")
        return wire

    @classmethod
    def _of(cls: type[T], wire: dict[str, Any]) -> T:
        self = cls.__new__(cls)
        self._fill(wire)
        return self

    def _fill(self, wire: dict[str, Any]) -> None:
        fields = self.__dict__
        fields.update(wire)
        for word in self._keywords:
            if word in fields:
                fields[f"{word}_"] = fields.pop(word)
        for name in self._lists:
            if name in fields:
                fields[name] = tuple(fields[name])
        for name, kind in self._nested.items():
            value = fields.get(name)
            if isinstance(value, (tuple, list)):
                fields[name] = tuple([kind._of(one) if isinstance(one, dict) else one for one in value])
            elif isinstance(value, dict):
                fields[name] = kind._of(value)

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name, None) for name in type(self).__annotations__}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is an answer and does not change; {name!r} was not set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is an answer and does not change; {name!r} was not deleted")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._fields() == other._fields()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = (f"{name}={value!r}" for name, value in self._fields().items() if value not in (None, "", (), EMPTY))
        return f"{type(self).__name__}({', '.join(parts)})"


def _plain(value: Any) -> Any:
    if isinstance(value, Data):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value
