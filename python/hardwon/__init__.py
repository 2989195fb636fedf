"""A memory engine for agents: lessons from their traces, given back when they help.

    import hardwon

    with hardwon.Memory.open(".hardwon") as memory:
        memory.learn(open("trace.jsonl").read())
        print(memory.recall("push the branch").block)

`guard_tools` puts a memory in front of the tools of an agent. Everything is imported when it is first used.
"""

from __future__ import annotations

from ._native import MemoryStore, SqliteStore, Stepper, __version__

__all__ = [
    "AsyncMemory",
    "Embedder",
    "Memory",
    "MemoryStore",
    "Model",
    "Run",
    "SqliteStore",
    "Stepper",
    "__version__",
    "guard",
    "guard_tools",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _answers, _errors, _fact_answers, _names, _protocols, _records
    from ._answers import *
    from ._async import AsyncMemory
    from ._errors import *
    from ._fact_answers import *
    from ._guard import Run, guard, guard_tools
    from ._memory import Memory
    from ._names import *
    from ._ports import Embedder, Model
    from ._protocols import *
    from ._records import *

    __all__ += _answers.__all__
    __all__ += _errors.__all__
    __all__ += _fact_answers.__all__
    __all__ += _names.__all__
    __all__ += _protocols.__all__
    __all__ += _records.__all__
else:
    # Where a name is found. The package is to be imported in no time, by a command too.
    _PLACES = {
        "AsyncMemory": "_async",
        "Memory": "_memory",
        **dict.fromkeys(("Run", "guard", "guard_tools"), "_guard"),
        **dict.fromkeys(("Embedder", "Model"), "_ports"),
    }
    _OTHERS = ("_errors", "_records", "_answers", "_fact_answers", "_names", "_protocols")

    def __getattr__(name):
        if not name.startswith("_"):
            for place in [_PLACES[name]] if name in _PLACES else _OTHERS:
                module = __import__(f"{__name__}.{place}", fromlist=(name,))
                if name in _PLACES or name in module.__all__:
                    value = globals()[name] = getattr(module, name)
                    return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
