"""Records and their parts. Shares and scores are in millionths, times are RFC 3339 in UTC.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from ._data import EMPTY, Data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._names import Kind, Mark, Pin, SourceClass, Status, Strength, Subtype, Tier

__all__ = [
    "Claim",
    "Counters",
    "Evidence",
    "Feedback",
    "Record",
    "Rewording",
    "StoredVector",
    "Support",
    "Variant",
]


class Counters(Data):
    """What came of showing a record."""

    surfaced: int = 0
    """Times it was shown."""
    followed: int = 0
    """Times it was shown and followed."""
    not_followed: int = 0
    """Times it was shown and not followed."""
    irrelevant: int = 0
    """Times it was shown and did not matter."""
    missed: int = 0
    """Times it should have been shown and was not."""
    recurred: int = 0
    """Times the same failure came back after it was shown."""
    avoided: int = 0
    """Times its shape was called and passed after it was shown."""
    withheld: int = 0
    """Times it would have been shown and the holdback kept it back."""
    recurred_withheld: int = 0
    """Times the same failure came back after it was kept back."""
    avoided_withheld: int = 0
    """Times its shape was called and passed after it was kept back."""


class Evidence(Data):
    """One event that shows a lesson, and which run it belongs to."""

    key: str
    """What identifies the event over all files and sessions; the same event is never counted twice."""
    session_id: str = ""
    """The session, as its format names it."""
    root_run_id: str = ""
    """The root run; recurrence counts distinct ones."""
    event_id: str = ""
    """The event: for Claude Code and OpenAI messages the tool-call id of the failing result."""
    position: int = 0
    """Its place in the session, since ids may repeat."""
    ts: str
    """When it happened; the time of learning where the trace does not say."""
    undated: bool = False
    """Whether `ts` is the time of learning."""
    tool: str = ""
    """The tool."""
    says: str
    """Which wording it supports: the `Variant` of that text."""


class Variant(Data):
    """A wording of a lesson and how strongly it is supported."""

    text: str = ""
    """The text, within the token cap."""
    strength: Strength
    """How strong the remedy in it is."""
    subtype: Subtype
    """The signal it comes from."""
    trigger: str = ""
    """The shape of the earliest call at which it would have helped."""
    about: str = ""
    """The kind of thing that a call of that shape must name for the lesson to be about it, for example `gift card`;
    empty where the lesson is about every such call.
    """
    action: Mapping[str, Any] | None = None
    """The remedy in a form that can be applied to a call; `None` where it is prose."""
    benign: bool = False
    """Whether the runs that support it met an answer about the world, or mended the matter in one call."""


class Rewording(Data):
    """A wording in a model's words.  It stands for the `Variant` it was made from and for nothing more: evidence,
    strength, trigger and action stay that wording's own, and it leaves with it.
    """

    of: str
    """The wording it stands for: `Variant::key`."""
    text: str = ""
    """The text, within the token cap."""
    model: str = ""
    """The model that wrote it, as the host names it."""


class Claim(Data):
    """A claim in parts. A statement that was not taken apart has its words in the record's text and no subject here."""

    subject: str = ""
    """What it is about, for example `svc-3`."""
    predicate: str = ""
    """What is said of it, for example `is hosted on`."""
    object: str = ""
    """The value, for example `host-7`."""
    instead_of: str = ""
    """The value that it says this is in place of: `npm` of "we use bun, not npm"."""
    negated: bool = False
    """Whether it says that this is not so."""
    many: bool = False
    """Whether the predicate has many values that hold beside each other."""
    dated: bool = False
    """Whether `valid_from` was given; else it is the time of the claim."""
    rationale: str = ""
    """Why it is so, for a decision."""
    freshness: str = ""
    """How to check it again."""


class Support(Data):
    """Somebody or something that says a fact."""

    source: SourceClass
    """What kind of source it is."""
    at: str
    """When it was said."""
    confidence: int = 0
    """How sure it is, in millionths, at most the cap of its class."""
    reference: str = ""
    """Where it stands: a file and commit, an address, a session or message."""
    author: str = ""
    """Who said it."""
    quote: str = ""
    """The source's own words."""


class Feedback(Data):
    """A correction in parts. The record's text is the situation: it is found by what an agent knows before the
    mistake.
    """

    situation: str = ""
    """When it applies, as it looks before the mistake."""
    behavior: str = ""
    """What was done and is not to be done."""
    impact: str = ""
    """What came of it."""
    action: str = ""
    """What is to be done."""


class Record(Data):
    """One version of a record.  Fields that follow from others (`text`, `tier`, `tools`' part from evidence,
    `last_confirmed_at`) are kept in step by `Record::derive`, so that taking evidence away again needs no memory of
    what was there before.
    """

    id: str
    """Its id."""
    kind: Kind
    """What kind of thing it is."""
    subtype: Subtype
    """The signal it came from."""
    scope: Mapping[str, str] = EMPTY
    """To whom it applies."""
    text: str = ""
    """What it says: for a mined lesson the wording with the strongest evidence, in a model's words where it has them.
    """
    key: str = ""
    """What makes two records the same at once."""
    signature: str = ""
    """The error message it is about, with classes in place of instance values."""
    tool_group: str = ""
    """The tools that may share it."""
    trigger: str = ""
    """The shape of the earliest call at which it helps."""
    situations: tuple[str, ...] = ()
    """The tasks of runs in which it was learned, shortened."""
    tools: tuple[str, ...] = ()
    """The tools concerned."""
    tags: tuple[str, ...] = ()
    """Words of the host's own."""
    marks: tuple[Mark, ...] = ()
    """What reviewers and ranking must know."""
    status: Status
    """Whether it holds."""
    status_reason: str = ""
    """Why it does not, as a reason code; empty while it is active."""
    tier: Tier
    """How often it came back."""
    tier_set: Tier | None = None
    """The tier given by evidence other than recurrence (a demotion, an import); `None` lets recurrence decide."""
    pin: Pin
    """Whether it is held in place."""
    source: SourceClass
    """Where it comes from."""
    author: str = ""
    """Who wrote it, where a person did."""
    confidence: int = 0
    """How sure it is, in millionths, at most its source's cap."""
    claim: Claim | None = None
    """What a fact claims; none of any other kind."""
    feedback: Feedback | None = None
    """What a correction says; none of any other kind."""
    supports: tuple[Support, ...] = ()
    """Who says so, of a fact."""
    rivals: tuple[str, ...] = ()
    """The records that contradict it and have not been settled."""
    counters: Counters
    """What came of showing it."""
    evidence: tuple[Evidence, ...] = ()
    """The events that show it."""
    variants: tuple[Variant, ...] = ()
    """Its wordings; empty for a record whose text was written by hand."""
    rewordings: tuple[Rewording, ...] = ()
    """Wordings in a model's words, each with the model that wrote it."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When anything of it last changed, counters too."""
    last_confirmed_at: str
    """The newest event that shows it. Never moves back while its evidence stays."""
    valid_from: str | None = None
    """Since when it holds in the world; `None` is unknown."""
    valid_to: str | None = None
    """Until when it held."""
    revalidate_after: str | None = None
    """When it must be checked again."""
    supersedes: tuple[str, ...] = ()
    """The records it took the place of."""
    superseded_by: str | None = None
    """The record that took its place."""
    version: int = 0
    """Counted up by each change set that touches it; 1 for a new record."""

    _nested = {
        "claim": Claim,
        "feedback": Feedback,
        "supports": Support,
        "counters": Counters,
        "evidence": Evidence,
        "variants": Variant,
        "rewordings": Rewording,
    }

    _lists = ("situations", "tools", "tags", "marks", "rivals", "supersedes",)


class StoredVector(Data):
    """A vector in a store, keyed by record and embedder."""

    record: str
    """The record."""
    embedder: str = ""
    """The embedder's id."""
    vector: str
    """The vector."""
