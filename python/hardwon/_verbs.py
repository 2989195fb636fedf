"""Verbs that write, with their options.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from . import _wire as wire
from ._answers import Imported, Learned, Maintained, Undone, Written
from ._fact_answers import Audited, Extracted, Forgotten, Gathered, Opinion, Remembered
from ._reads import Reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._names import About, Cardinality, Choice, FactFormat, Format, Settlement, SourceClass, Subtype
    from ._records import Record, StoredVector
    from ._wire import Trace


class Verbs(Reads):
    """Verbs that write, with their options."""

    def observe(self, session_id: str, lines: Iterable[str | Mapping[str, object]]) -> int:
        """Append events to a session's live trace.

        Args:
            session_id: The session.
            lines: Canonical events, one JSON object a line.
        """
        options: dict[str, Any] = {"verb": "observe", "session_id": session_id, "lines": wire.lines(lines)}
        return int(self._run(options)["events"])

    def learn(
        self,
        data: Trace | None = None,
        *,
        format: Format | None = None,
        session_id: str | None = None,
        observed: str | None = None,
        scope: Mapping[str, str] | None = None,
        scope_from_trace: bool = False,
        repositories: Mapping[str, str] | None = None,
        model: bool = False,
        actor: str = "",
    ) -> Learned:
        """Mine lessons from traces.

        Args:
            data: The trace as its format has it.
            format: The format; detected where it is not given.
            session_id: Names the run where the format does not: session and root run.
            observed: The session whose live trace is mined; every waiting one where it is not given.
            scope: To whom the lessons apply; the policy's scope where it is not given.
            scope_from_trace: Lessons of each run apply to the repository that its trace names, which takes the place
                of a `repo` in the scope; those of a run that names none keep the scope as it is, with a notice.
            repositories: With `scope_from_trace`: the repositories that working directories belong to, where the host
                knows better than their paths tell.
            model: Whether the host's model words what begins a lesson. Where the host has none, the fixed wordings
                serve.
            actor: Who asks.
        """
        options: dict[str, Any] = {
            "verb": "learn",
            "data": wire.trace(data),
            "format": format,
            "session_id": session_id,
            "observed": observed,
            "scope": scope,
            "scope_from_trace": scope_from_trace,
            "repositories": repositories,
            "model": model,
            "actor": actor,
        }
        return Learned._of(self._run(options))

    def teach(
        self,
        text: str,
        *,
        tools: Iterable[str] = (),
        tags: Iterable[str] = (),
        situation: str = "",
        scope: Mapping[str, str] | None = None,
        actor: str = "",
        reason: str = "",
    ) -> Written:
        """Write a lesson by hand.

        Args:
            text: The lesson, within the token cap.
            tools: The tools concerned.
            tags: Words of your own.
            situation: The situation in which it helps.
            scope: To whom it applies; the policy's scope where it is not given.
            actor: Who teaches.
            reason: Why.
        """
        options: dict[str, Any] = {
            "verb": "teach",
            "text": text,
            "tools": wire.names(tools),
            "tags": wire.names(tags),
            "situation": situation,
            "scope": scope,
            "actor": actor,
            "reason": reason,
        }
        return Written._of(self._run(options))

    def remember(
        self,
        text: str = "",
        *,
        subject: str = "",
        predicate: str = "",
        object: str = "",
        cardinality: Cardinality | None = None,
        subtype: Subtype | None = None,
        scope: Mapping[str, str] | None = None,
        source: SourceClass | None = None,
        reference: str = "",
        quote: str = "",
        confidence: int | None = None,
        rationale: str = "",
        freshness: str = "",
        tags: Iterable[str] = (),
        valid_from: str | None = None,
        valid_to: str | None = None,
        revalidate_after: str | None = None,
        claimed_at: str | None = None,
        retract: bool = False,
        actor: str = "",
        reason: str = "",
    ) -> Remembered:
        """Write a fact, or take one back.

        Args:
            text: The fact in words.
            subject: What it is about.
            predicate: What is said of it.
            object: The value. With `retract` it may be left out: then all values end.
            cardinality: Whether the predicate has one value or many; where it is not said, what was said before, else
                what is known.
            subtype: What type of fact it is: preference, constraint, decision, workflow or external.
            scope: To whom it applies; the policy's scope where it is not given.
            source: What kind of source says it.
            reference: Where it stands: a file and commit, an address, a session or message.
            quote: The source's own words.
            confidence: How sure it is, in millionths; the cap of its source where it is not given.
            rationale: Why it is so; a decision needs it.
            freshness: How to check it again.
            tags: Words of your own.
            valid_from: Since when it holds in the world; the time of the claim where it is not given.
            valid_to: Until when it held; with `retract`, when it ended.
            revalidate_after: When it must be checked again.
            claimed_at: When it was said, where that is not now.
            retract: It holds no longer.
            actor: Who says so.
            reason: Why it is written.
        """
        options: dict[str, Any] = {
            "verb": "remember",
            "text": text,
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "cardinality": cardinality,
            "subtype": subtype,
            "scope": scope,
            "source": source,
            "reference": reference,
            "quote": quote,
            "confidence": confidence,
            "rationale": rationale,
            "freshness": freshness,
            "tags": wire.names(tags),
            "valid_from": valid_from,
            "valid_to": valid_to,
            "revalidate_after": revalidate_after,
            "claimed_at": claimed_at,
            "retract": retract,
            "actor": actor,
            "reason": reason,
        }
        return Remembered._of(self._run(options))

    def audit(
        self,
        *,
        scope: Mapping[str, str] | None = None,
        fix: bool = False,
        actor: str = "",
        reason: str = "",
    ) -> Audited:
        """What is wrong with the facts that are stored.

        Args:
            scope: Records that apply to this scope; all where it is not given.
            fix: Carry out the remedies that are safe.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "audit", "scope": scope, "fix": fix, "actor": actor, "reason": reason}
        return Audited._of(self._run(options))

    def extract(
        self,
        messages: Iterable[Mapping[str, str]],
        *,
        session_id: str = "",
        scope: Mapping[str, str] | None = None,
        model: bool = False,
        actor: str = "",
        reason: str = "",
    ) -> Extracted:
        """Find the claims in a conversation, and write them.

        Args:
            messages: The conversation, in order.
            session_id: The session, for the reference of each claim.
            scope: To whom the claims apply; the policy's scope where it is not given.
            model: Whether the host's model reads the messages too. Without it only explicit forms are found.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {
            "verb": "extract",
            "messages": wire.names(messages),
            "session_id": session_id,
            "scope": scope,
            "model": model,
            "actor": actor,
            "reason": reason,
        }
        return Extracted._of(self._run(options))

    def import_facts(
        self,
        documents: Iterable[Mapping[str, str]],
        *,
        format: FactFormat | None = None,
        subtype: Subtype | None = None,
        scope: Mapping[str, str] | None = None,
        source: SourceClass | None = None,
        actor: str = "",
        reason: str = "",
    ) -> Gathered:
        """Take in facts of other memories, or edits of an export.

        Args:
            documents: The files, those that belong together in one call.
            format: Their form; detected where it is not given.
            subtype: The type of facts that the files give none.
            scope: To whom the facts apply; the policy's scope where it is not given.
            source: What kind of source they are; where it is not given, `repo` for notes and instructions, else
                `model`.
            actor: Who imports.
            reason: Why.
        """
        options: dict[str, Any] = {
            "verb": "import_facts",
            "documents": wire.names(documents),
            "format": format,
            "subtype": subtype,
            "scope": scope,
            "source": source,
            "actor": actor,
            "reason": reason,
        }
        return Gathered._of(self._run(options))

    def forget(self, id: str, *, hard: bool = False, actor: str = "", reason: str = "") -> Written:
        """Take a record back, or erase it.

        Args:
            id: The record.
            hard: Erase it: text, vector, variants, log, caches and traces. It cannot be restored.
            actor: Who asks.
            reason: Why. Not kept with a hard forget.
        """
        options: dict[str, Any] = {"verb": "forget", "id": id, "hard": hard, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def forget_source(self, source: str, *, actor: str = "", reason: str = "") -> Forgotten:
        """Take back all that one source has taught.

        Args:
            source: The source: a reference or an author of facts, a session or root run of lessons.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "forget_source", "source": source, "actor": actor, "reason": reason}
        return Forgotten._of(self._run(options))

    def restore(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Bring an archived or forgotten record back.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "restore", "id": id, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def undo(self, op: str, *, cascade: bool = False, actor: str = "", reason: str = "") -> Undone:
        """Take an operation back.

        Args:
            op: The operation.
            cascade: Also take back the later operations that built on it.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "undo", "op": op, "cascade": cascade, "actor": actor, "reason": reason}
        return Undone._of(self._run(options))

    def pin(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Hold a record in place.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "pin", "id": id, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def unpin(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Let a record go again.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "unpin", "id": id, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def maintain(self, *, model: bool = False, vectors: int = 0, actor: str = "") -> Maintained:
        """Evict to the cap, and write missing vectors.

        Args:
            model: Whether the host's model sums up what leaves, where the policy's strategy is to summarize.
            vectors: Write at most this many missing vectors; 0 is all.
            actor: Who asks.
        """
        options: dict[str, Any] = {"verb": "maintain", "model": model, "vectors": vectors, "actor": actor}
        return Maintained._of(self._run(options))

    def import_records(
        self,
        records: Iterable[Record],
        *,
        vectors: Iterable[StoredVector] = (),
        actor: str = "",
    ) -> Imported:
        """Records of an export.

        Args:
            records: The records, with their original dates.
            vectors: Their vectors, where the export has them.
            actor: Who imports.
        """
        options: dict[str, Any] = {
            "verb": "import_records",
            "records": wire.names(records),
            "vectors": wire.names(vectors),
            "actor": actor,
        }
        return Imported._of(self._run(options))

    def react(
        self,
        message: Mapping[str, str],
        *,
        about: About = "heard",
        before: Mapping[str, str] | None = None,
        intent: Mapping[str, str] | None = None,
        memories: Iterable[str] = (),
        counted: Iterable[str] = (),
        scope: Mapping[str, str] | None = None,
        model: bool = False,
        actor: str = "",
        reason: str = "",
    ) -> Opinion:
        """What the memory says to a message of other agents.

        Args:
            about: How the memory is asked.
            message: The message.
            before: What it follows: what the agent that it may correct said last, or what was asked to be confirmed.
            intent: The intent that it belongs to.
            memories: Of an argument: the memories that it is about.
            counted: The memories that are already counted as shown or missed for the intent.
            scope: Whose memory, and to whom applies what it learns; the policy's scope where it is not given.
            model: Whether the host's model judges what fits the situation. Without it words and the embedder do.
            actor: Who asks; the sender of the message where it is not given.
            reason: Why.
        """
        options: dict[str, Any] = {
            "verb": "react",
            "about": about,
            "message": message,
            "before": before,
            "intent": intent,
            "memories": wire.names(memories),
            "counted": wire.names(counted),
            "scope": scope,
            "model": model,
            "actor": actor,
            "reason": reason,
        }
        return Opinion._of(self._run(options))

    def settle(self, id: str, outcome: Settlement, *, actor: str = "", reason: str = "") -> Written:
        """What came of showing a record, as a person or the host says.

        Args:
            id: The record that was shown.
            outcome: What came of it.
            actor: Who says so.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "settle", "id": id, "outcome": outcome, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def mute(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Keep a record from speaking at calls.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "mute", "id": id, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def unmute(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Let it speak again.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "unmute", "id": id, "actor": actor, "reason": reason}
        return Written._of(self._run(options))

    def resolve(self, id: str, choice: Choice, *, by: str | None = None, actor: str = "", reason: str = "") -> Written:
        """A person's answer to it.

        Args:
            id: The record.
            choice: What becomes of it.
            by: The record that takes its place; for `supersede` alone.
            actor: Who decides.
            reason: Why.
        """
        options: dict[str, Any] = {
            "verb": "resolve",
            "id": id,
            "choice": choice,
            "by": by,
            "actor": actor,
            "reason": reason,
        }
        return Written._of(self._run(options))
