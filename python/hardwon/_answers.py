"""What verbs answer. Shares and scores are in millionths, times are RFC 3339 in UTC.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from ._data import EMPTY, Data
from ._records import Record, StoredVector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._names import Advice, Outcome, Slot

__all__ = [
    "Check",
    "Effect",
    "Explained",
    "Exported",
    "Figures",
    "Guarded",
    "HistoryEntry",
    "Imported",
    "Interval",
    "Item",
    "Learned",
    "Listed",
    "Maintained",
    "Outcomes",
    "Rate",
    "Recalled",
    "Reviewed",
    "ShownRecord",
    "Silent",
    "Undone",
    "Waiting",
    "Why",
    "Worded",
    "Written",
]


class Why(Data):
    """Why a record came back: the score of each signal, in millionths, and its place."""

    slot: Slot = "ranked"
    """Which place it holds."""
    relevance: int = 0
    """The fused relevance that the gate looks at."""
    lexical: int = 0
    """The lexical part."""
    cosine: int = 0
    """The cosine."""
    signature: int = 0
    """How the error's signature fits: 1,000,000 is exact."""
    situation: int = 0
    """How the query's task fits the tasks of the runs where it was learned."""
    score: int = 0
    """Relevance with age and tier: what the order follows, where no reranker is asked."""
    reranked: int | None = None
    """What the host's reranker says, where it was asked: what the order follows then."""


class Item(Data):
    """One record that came back, and why."""

    id: str
    """The record."""
    text: str = ""
    """What it says."""
    kind: str = ""
    """Its kind."""
    tier: str = ""
    """Its tier."""
    age_days: int = 0
    """Days since it was last confirmed."""
    confidence: int = 0
    """How sure it is, in millionths."""
    why: Why
    """Why it came back."""
    evidence: tuple[str, ...] = ()
    """The newest events that show it: session and event id. Of a fact, where its sources stand."""
    due: bool = False
    """Whether it must be checked again."""
    rivals: tuple[str, ...] = ()
    """The records that contradict it and wait for a person."""
    superseded_by: str | None = None
    """What has taken its place since the time that was asked for."""
    valid_from: str | None = None
    """Since when a fact holds."""
    valid_to: str | None = None
    """Until when it held."""

    _nested = {"why": Why}

    _lists = ("evidence", "rivals",)


class Recalled(Data):
    """The answer to `recall`."""

    moment: str = ""
    """The moment: `start`, `before_tool`, `after_failure` or `before_done`."""
    items: tuple[Item, ...] = ()
    """What came back, in order."""
    omitted: tuple[str, ...] = ()
    """What the budget cut, and the best 32 of what `top_k` cut, in order."""
    overruled: tuple[str, ...] = ()
    """Facts that contradict what the caller sees now: they are left out."""
    block: str = ""
    """The fenced block for the prompt; empty when nothing came back."""
    tokens: int = 0
    """Its tokens."""
    tokenizer: str = ""
    """The tokenizer they were counted with."""
    event: str = ""
    """A canonical `retrieval` event for the host to observe."""
    notices: tuple[str, ...] = ()
    """Notices for the caller, each a sentence."""

    _nested = {"items": Item}

    _lists = ("omitted", "overruled", "notices",)


class Silent(Data):
    """A lesson that stays silent."""

    id: str
    """The record."""
    reason: str = ""
    """`muted`, `unproven`, `base_rate`, `outcomes_turned`, `quiet`, `shown`, `limit`, `just_passed`, `elsewhere`,
    `followed` or `withheld`.
    """


class Guarded(Data):
    """The answer to `guard`."""

    verdict: Advice = "silent"
    """What the host should do."""
    text: str = ""
    """What to say, in one line; empty when silent."""
    block: str = ""
    """The same as a fenced block for a prompt."""
    items: tuple[Item, ...] = ()
    """The lessons that speak."""
    silent: tuple[Silent, ...] = ()
    """The lessons that fit the call and stay silent, each with its reason code."""
    event: str = ""
    """A canonical `retrieval` event for the host to observe; empty when there is nothing to note."""
    args: str = ""
    """The arguments to make the call with, as JSON text; empty unless the verdict is to rewrite."""

    _nested = {"items": Item, "silent": Silent}


class Waiting(Data):
    """A record that waits for a person."""

    record: Record
    """The record with its evidence."""
    cause: str = ""
    """Why, as a reason code: its status reason, or `outcomes_turned`, `revalidate`, `no_longer_fails`, `unseen`."""
    detail: str = ""
    """The same in a sentence."""

    _nested = {"record": Record}


class ShownRecord(Data):
    """A record and what came of showing it."""

    id: str
    """The record."""
    text: str = ""
    """What it says; empty where it is gone."""
    surfaced: int = 0
    """Times it was shown."""
    recurred: int = 0
    """Times its failure came back."""
    avoided: int = 0
    """Times its call passed."""
    followed: int = 0
    """Times it was followed."""
    not_followed: int = 0
    """Times it was not."""
    irrelevant: int = 0
    """Times it had nothing to do with the matter."""


class Rate(Data):
    """How often a failure came back, of the times it could have."""

    recurred: int = 0
    """Times it came back."""
    of: int = 0
    """Times it could have: it came back or its call passed."""


class Interval(Data):
    """A value and where it lies with 95 % certainty."""

    low: int = 0
    """The lower end."""
    value: int = 0
    """The value."""
    high: int = 0
    """The upper end."""


class Effect(Data):
    """What was learned, shown and changed."""

    since: str
    """Since when."""
    until: str
    """Until when."""
    sessions: int = 0
    """Sessions read."""
    learned: tuple[str, ...] = ()
    """Lessons made."""
    left: int = 0
    """Lessons taken back, archived or erased."""
    shown: tuple[ShownRecord, ...] = ()
    """Lessons that were shown, with what came of it, most shown first."""
    with_: Rate
    """Repeats after a lesson was shown."""
    without: Rate
    """Repeats after it was withheld; without a holdback there are none to compare with."""
    effect: Interval | None = None
    """How much less often a failure came back where its lesson was shown, with a 95 % interval, in millionths; none
    without a holdback.
    """
    waiting: int = 0
    """How many records wait for review."""
    missed: int = 0
    """Times a record should have been shown and was not."""

    _keywords = ("with",)

    _nested = {"shown": ShownRecord, "with_": Rate, "without": Rate, "effect": Interval}

    _lists = ("learned",)


class Worded(Data):
    """What came of asking a model for words."""

    model: str = ""
    """The model, as the host names it; empty where no call got through."""
    asked: int = 0
    """Prompts asked."""
    worded: int = 0
    """Answers that are used."""
    unused: Mapping[str, int] = EMPTY
    """Answers that are not, by reason code; the fixed wordings serve there."""


class Learned(Data):
    """The report of one `learn`."""

    format: str = ""
    """The format read."""
    sessions: int = 0
    """Sessions read."""
    known: int = 0
    """Sessions that were known to this point already."""
    events: int = 0
    """Events read."""
    signals: int = 0
    """Signals found."""
    drafted: int = 0
    """Drafts of lessons made from them."""
    inserted: int = 0
    """New lessons."""
    merged: int = 0
    """Lessons that were there and gained evidence."""
    promoted: int = 0
    """Lessons that became strategic."""
    quarantined: int = 0
    """Lessons touched that wait for review."""
    skipped: Mapping[str, int] = EMPTY
    """What taught nothing, by reason code."""
    bad_lines: Mapping[str, int] = EMPTY
    """Lines that could not be read, by reason code."""
    bad: tuple[str, ...] = ()
    """The first of those lines, with their numbers."""
    records: tuple[str, ...] = ()
    """The lessons touched."""
    notices: tuple[str, ...] = ()
    """Notices for the caller, each a sentence."""
    model: Worded | None = None
    """What came of asking a model; none where none was asked."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _nested = {"model": Worded}

    _lists = ("bad", "records", "notices",)


class Written(Data):
    """The answer of a verb that writes one record."""

    outcome: Outcome
    """What came of it."""
    reason: str = ""
    """Why, as a reason code, where it was refused or quarantined."""
    id: str | None = None
    """The record, where there is one."""
    op: str | None = None
    """The operation; none where nothing changed."""


class Undone(Data):
    """The answer to `undo`."""

    done: bool = False
    """Whether it was taken back."""
    undone: tuple[str, ...] = ()
    """The operations taken back."""
    entangled: tuple[str, ...] = ()
    """Later operations that built on it, for which nothing was changed."""
    records: tuple[str, ...] = ()
    """The records touched."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _lists = ("undone", "entangled", "records",)


class HistoryEntry(Data):
    """One entry of a history."""

    rev: int = 0
    """The revision it led to."""
    op: str
    """The operation."""
    verb: str = ""
    """The verb."""
    at: str
    """When."""
    actor: str = ""
    """Who."""
    reason: str = ""
    """Why."""
    undoes: tuple[str, ...] = ()
    """The operations that it took back."""
    changes: tuple[str, ...] = ()
    """What changed, a short line each."""

    _lists = ("undoes", "changes",)


class Check(Data):
    """One check of a recall."""

    name: str = ""
    """`status`, `scope`, `validity`, `gate`, `top_k`, `budget`."""
    passed: bool = False
    """Whether it passed."""
    detail: str = ""
    """The values compared, in words."""


class Explained(Data):
    """The answer to `explain`."""

    id: str
    """The record."""
    comes_back: bool = False
    """Whether it comes back for the query."""
    rank: int | None = None
    """Its place among what comes back, from 1."""
    checks: tuple[Check, ...] = ()
    """Each check it met, in order, and whether it passed."""
    why: Why
    """The scores."""

    _nested = {"checks": Check, "why": Why}


class Maintained(Data):
    """The answer to `maintain`."""

    archived: int = 0
    """Lessons archived to hold the cap, those that a summary stands for included."""
    summaries: int = 0
    """Summaries written of them."""
    embedded: int = 0
    """Vectors written."""
    missing: int = 0
    """Vectors still missing."""
    model: Worded | None = None
    """What came of asking a model; none where none was asked."""
    op: str | None = None
    """The operation; none where nothing changed."""

    _nested = {"model": Worded}


class Outcomes(Data):
    """What came of showing records, and how many are proven by it."""

    surfaced: int = 0
    """Times they were shown."""
    followed: int = 0
    """Times they were followed."""
    not_followed: int = 0
    """Times they were not."""
    irrelevant: int = 0
    """Times they had nothing to do with the matter."""
    missed: int = 0
    """Times they should have been shown and were not."""
    unresolved: int = 0
    """Times they were shown and nothing came of it that is known."""
    effectiveness: int | None = None
    """How often they were followed of the times that they were or were not, in millionths; none where neither was."""
    proven: int = 0
    """Records that were of use and do not fail more often."""
    unproven: int = 0
    """Records that nothing has come of yet."""
    failing: int = 0
    """Records whose outcomes speak against them."""
    core: int = 0
    """Records that are core by their outcomes."""


class Figures(Data):
    """Figures of a space."""

    revision: int = 0
    """The revision."""
    kinds: Mapping[str, int] = EMPTY
    """Records by kind."""
    statuses: Mapping[str, int] = EMPTY
    """Records by status."""
    tiers: Mapping[str, int] = EMPTY
    """Active lessons by tier."""
    subtypes: Mapping[str, int] = EMPTY
    """Active lessons by signal."""
    pinned: int = 0
    """Pinned records."""
    sessions: int = 0
    """Sessions read."""
    without_vector: int = 0
    """Active records without a vector of the primary embedder."""
    embedder: str = ""
    """The primary embedder; empty for none."""
    tokenizer: str = ""
    """The tokenizer."""
    tombstones: int = 0
    """Tombstones of hard forgets."""
    outcomes: Outcomes
    """What came of showing the active records."""

    _nested = {"outcomes": Outcomes}


class Listed(Data):
    """To `list` and `facts`."""

    records: tuple[Record, ...] = ()
    """The records of this page."""
    total: int = 0
    """How many there are in all."""

    _nested = {"records": Record}


class Exported(Data):
    """To `export_records`."""

    records: tuple[Record, ...] = ()
    """The records."""
    vectors: tuple[StoredVector, ...] = ()
    """Their vectors."""

    _nested = {"records": Record, "vectors": StoredVector}


class Imported(Data):
    """To `import_records`."""

    inserted: int = 0
    """New records."""
    merged: int = 0
    """Records that were there and learned something."""
    unchanged: int = 0
    """Records that were there as they are."""
    refused: Mapping[str, int] = EMPTY
    """Records that were not taken, by reason."""
    op: str | None = None
    """The operation; none where nothing changed."""


class Reviewed(Data):
    """To `review`."""

    items: tuple[Waiting, ...] = ()
    """What waits, most urgent first."""
    total: int = 0
    """How many wait in all."""

    _nested = {"items": Waiting}
