"""What verbs about facts and other agents answer. Shares and scores are in millionths, times are RFC 3339 in UTC.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from ._answers import Worded
from ._data import EMPTY, Data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._names import Outcome

__all__ = [
    "Audited",
    "Extracted",
    "FactsWritten",
    "Flaw",
    "Forgotten",
    "Gathered",
    "Objection",
    "Opinion",
    "Remembered",
    "Told",
]


class Remembered(Data):
    """What came of a claim."""

    outcome: Outcome
    """What came of it."""
    reason: str = ""
    """Why, as a reason code, where it was refused, waits, or was set aside."""
    id: str | None = None
    """The fact, where there is one; of a retraction the last one that ended."""
    replaced: tuple[str, ...] = ()
    """The facts that it took the place of, or that ended."""
    rivals: tuple[str, ...] = ()
    """The facts that it contradicts and that stay."""
    beside: tuple[str, ...] = ()
    """Facts about the same that hold beside it, the first eight: one of them may be what was meant."""
    read_back: str = ""
    """The fact as an agent will read it."""
    flags: tuple[str, ...] = ()
    """What is doubtful in how it reads: `over_generalised`, `undated`."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _lists = ("replaced", "rivals", "beside", "flags",)


class Forgotten(Data):
    """The answer to `forget_source`."""

    forgotten: tuple[str, ...] = ()
    """Records that nobody else says: they are taken back."""
    weakened: tuple[str, ...] = ()
    """Records that others say too: they stay."""
    revived: tuple[str, ...] = ()
    """Records that one of the forgotten had taken the place of: they hold again."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _lists = ("forgotten", "weakened", "revived",)


class Told(Data):
    """A claim that was found, and what came of it."""

    message: int = 0
    """The number of its message, or of the claim in an import, from 0."""
    text: str = ""
    """The claim in words."""
    outcome: Outcome
    """What came of it."""
    reason: str = ""
    """Why, as a reason code."""
    id: str | None = None
    """The fact, where there is one."""


class Extracted(Data):
    """The answer to `extract`."""

    messages: int = 0
    """Messages given."""
    sentences: int = 0
    """Sentences in them."""
    unread: int = 0
    """Sentences that nobody looked at for more than an explicit form; none where a model has read them."""
    outcomes: Mapping[str, int] = EMPTY
    """How many claims came to which outcome."""
    told: tuple[Told, ...] = ()
    """The claims that were found, in order."""
    model: Worded | None = None
    """What came of asking a model; none where none was asked."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _nested = {"told": Told, "model": Worded}


class Gathered(Data):
    """The answer to `import_facts`."""

    format: str = ""
    """The form of the files."""
    outcomes: Mapping[str, int] = EMPTY
    """How many claims came to which outcome."""
    skipped: Mapping[str, int] = EMPTY
    """What was passed over, by reason code."""
    told: tuple[Told, ...] = ()
    """The claims, in order, without those that changed nothing."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _nested = {"told": Told}


class Flaw(Data):
    """Something wrong with stored facts, or with the indexes."""

    class_: str = ""
    """`duplicate`, `scope_leak`, `stale`, `contradiction`, `inference`, `secret` or `index`."""
    records: tuple[str, ...] = ()
    """The records concerned."""
    detail: str = ""
    """What is wrong, in a sentence."""
    remedy: str = ""
    """What mends it."""
    safe: bool = False
    """Whether that loses nothing, so that `fix` does it."""
    fixed: bool = False
    """Whether it was done."""

    _keywords = ("class",)

    _lists = ("records",)


class Audited(Data):
    """The answer to `audit`."""

    checked: int = 0
    """Records looked at."""
    flaws: tuple[Flaw, ...] = ()
    """What is wrong."""
    fixed: int = 0
    """How many of these were mended."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _nested = {"flaws": Flaw}


class Objection(Data):
    """Why an initiator is to wait."""

    memories: tuple[str, ...] = ()
    """The memories that speak against it, the strongest first."""
    text: str = ""
    """The memory and why it fits."""

    _lists = ("memories",)


class Opinion(Data):
    """What a memory says to a question."""

    infos: tuple[str, ...] = ()
    """What is to be known, one `info` each: facts, what was learned, warnings."""
    objection: Objection | None = None
    """Why the initiator is to wait; none where nothing speaks against it."""
    ack: str = ""
    """What an `ack` says, where nothing speaks against the intent."""
    question: str = ""
    """What a person is asked before something is remembered; empty for nothing."""
    verdict: Mapping[str, str] | None = None
    """Of an argument: whether the answer meets the objection, or what came of it."""
    surfaced: tuple[str, ...] = ()
    """The memories that were shown."""
    missed: tuple[str, ...] = ()
    """The memories that should have been shown before and were not."""
    made: tuple[str, ...] = ()
    """The memories that were made of it."""
    replaced: tuple[str, ...] = ()
    """The memories that gave way."""
    refused: tuple[str, ...] = ()
    """What was not remembered, and why, as reason codes."""
    op: str | None = None
    """The operation; none where nothing was written."""

    _nested = {"objection": Objection}

    _lists = ("infos", "surfaced", "missed", "made", "replaced", "refused",)


class FactsWritten(Data):
    """To `export_facts`."""

    text: str = ""
    """The file."""
    total: int = 0
    """How many facts are in it."""
