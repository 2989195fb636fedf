"""Every verb with its options, to be awaited.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from . import _wire as wire
from ._answers import (
    Audited,
    Effect,
    Explained,
    Exported,
    Extracted,
    FactsWritten,
    Figures,
    Forgotten,
    Gathered,
    Guarded,
    HistoryEntry,
    Imported,
    Learned,
    Listed,
    Maintained,
    Opinion,
    Recalled,
    Remembered,
    Reviewed,
    Undone,
    Written,
)
from ._records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._names import (
        About,
        Cardinality,
        Choice,
        FactFormat,
        Format,
        Kind,
        Settlement,
        SourceClass,
        Status,
        Subtype,
        Tier,
    )
    from ._records import StoredVector
    from ._wire import Trace


class AsyncVerbs:
    """Every verb with its options, to be awaited."""

    async def _run(self, options: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    async def observe(self, session_id: str, lines: Iterable[str | Mapping[str, object]]) -> int:
        """Append events to a session's live trace.

        Args:
            session_id: The session.
            lines: Canonical events, one JSON object a line.
        """
        options: dict[str, Any] = {"verb": "observe", "session_id": session_id, "lines": wire.lines(lines)}
        return int((await self._run(options))["events"])

    async def learn(
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
        return Learned._of(await self._run(options))

    async def teach(
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
        return Written._of(await self._run(options))

    async def remember(
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
        return Remembered._of(await self._run(options))

    async def facts(
        self,
        subject: str = "",
        predicate: str = "",
        *,
        object: str = "",
        follow: Iterable[str] = (),
        subtype: Subtype | None = None,
        source: SourceClass | None = None,
        said_by: str = "",
        scope: Mapping[str, str] | None = None,
        as_of: str | None = None,
        believed: bool = False,
        due: bool = False,
        all: bool = False,
        offset: int = 0,
        limit: int = 0,
    ) -> Listed:
        """What holds, and what held.

        Args:
            subject: What they are about.
            predicate: What they say of it.
            object: The value.
            follow: Predicates to follow, one after the other: from the values found to what is said of them.
            subtype: The type.
            source: The class of their best source.
            said_by: A source that says them: a reference or an author.
            scope: Facts that apply to this scope, a narrower one in place of a broader one; all where it is not
                given.
            as_of: What held at this time; now where it is not given.
            believed: As it was believed at that time, and not as it is known today.
            due: Those alone that must be checked again.
            all: The whole history: what was replaced, ended, waits.
            offset: How many to leave out from the start.
            limit: The most to answer; 0 is all.
        """
        options: dict[str, Any] = {
            "verb": "facts",
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "follow": wire.names(follow),
            "subtype": subtype,
            "source": source,
            "said_by": said_by,
            "scope": scope,
            "as_of": as_of,
            "believed": believed,
            "due": due,
            "all": all,
            "offset": offset,
            "limit": limit,
        }
        return Listed._of(await self._run(options))

    async def audit(
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
        return Audited._of(await self._run(options))

    async def extract(
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
        return Extracted._of(await self._run(options))

    async def import_facts(
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
        return Gathered._of(await self._run(options))

    async def export_facts(self, *, scope: Mapping[str, str] | None = None) -> FactsWritten:
        """The facts as Markdown, for people.

        Args:
            scope: Facts that apply to this scope; all where it is not given.
        """
        options: dict[str, Any] = {"verb": "export_facts", "scope": scope}
        return FactsWritten._of(await self._run(options))

    async def recall(
        self,
        task: str = "",
        *,
        tool: str = "",
        args: str | Mapping[str, object] = "",
        error: str = "",
        claim: str = "",
        tools: Iterable[str] = (),
        session_id: str = "",
        scope: Mapping[str, str] | None = None,
        budget: int | None = None,
        top_k: int | None = None,
        as_of: str | None = None,
        believed: bool = False,
        current: Iterable[Mapping[str, str]] = (),
    ) -> Recalled:
        """What is known for this moment.

        Args:
            task: What the agent is about to do or was asked to do.
            tool: The tool that is about to be called or has failed.
            args: The arguments of that call, as JSON text.
            error: The error message.
            claim: What the agent is about to claim.
            tools: The tools that the agent has.
            session_id: The session of the run; with a holdback, what one run is shown does not change.
            scope: Whose memory; the policy's scope where none is given.
            budget: The most tokens the block has; the policy's where it is not given.
            top_k: The most records; the policy's where it is not given.
            as_of: What held at this time; now where it is not given.
            believed: As it was believed at that time, and not as it is known today.
            current: What the caller sees at this moment: facts that contradict it are left out and named.
        """
        options: dict[str, Any] = {
            "verb": "recall",
            "task": task,
            "tool": tool,
            "args": wire.text(args),
            "error": error,
            "claim": claim,
            "tools": wire.names(tools),
            "session_id": session_id,
            "scope": scope,
            "budget": budget,
            "top_k": top_k,
            "as_of": as_of,
            "believed": believed,
            "current": wire.names(current),
        }
        return Recalled._of(await self._run(options))

    async def get(self, id: str, *, actor: str = "", reason: str = "") -> Record:
        """One record.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "get", "id": id, "actor": actor, "reason": reason}
        return Record._of((await self._run(options))["record"])

    async def list(
        self,
        *,
        kind: Kind | None = None,
        status: Iterable[Status] = (),
        tier: Tier | None = None,
        tool: str | None = None,
        tag: str | None = None,
        scope: Mapping[str, str] | None = None,
        offset: int = 0,
        limit: int = 0,
    ) -> Listed:
        """Records, filtered.

        Args:
            kind: Kind.
            status: Statuses; active alone where none is given.
            tier: Tier.
            tool: A tool concerned.
            tag: A tag.
            scope: Records that apply to this scope; all where it is not given.
            offset: How many to leave out from the start.
            limit: The most to answer; 0 is all.
        """
        options: dict[str, Any] = {
            "verb": "list",
            "kind": kind,
            "status": wire.names(status),
            "tier": tier,
            "tool": tool,
            "tag": tag,
            "scope": scope,
            "offset": offset,
            "limit": limit,
        }
        return Listed._of(await self._run(options))

    async def forget(self, id: str, *, hard: bool = False, actor: str = "", reason: str = "") -> Written:
        """Take a record back, or erase it.

        Args:
            id: The record.
            hard: Erase it: text, vector, variants, log, caches and traces. It cannot be restored.
            actor: Who asks.
            reason: Why. Not kept with a hard forget.
        """
        options: dict[str, Any] = {"verb": "forget", "id": id, "hard": hard, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def forget_source(self, source: str, *, actor: str = "", reason: str = "") -> Forgotten:
        """Take back all that one source has taught.

        Args:
            source: The source: a reference or an author of facts, a session or root run of lessons.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "forget_source", "source": source, "actor": actor, "reason": reason}
        return Forgotten._of(await self._run(options))

    async def restore(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Bring an archived or forgotten record back.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "restore", "id": id, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def undo(self, op: str, *, cascade: bool = False, actor: str = "", reason: str = "") -> Undone:
        """Take an operation back.

        Args:
            op: The operation.
            cascade: Also take back the later operations that built on it.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "undo", "op": op, "cascade": cascade, "actor": actor, "reason": reason}
        return Undone._of(await self._run(options))

    async def history(self, id: str | None = None, *, limit: int = 0) -> tuple[HistoryEntry, ...]:
        """What happened to a record, or in the space.

        Args:
            id: The record; the whole space where it is not given.
            limit: The most entries, newest kept; 0 is 50.
        """
        options: dict[str, Any] = {"verb": "history", "id": id, "limit": limit}
        return tuple(HistoryEntry._of(one) for one in (await self._run(options))["entries"])

    async def explain(
        self,
        id: str,
        *,
        task: str = "",
        tool: str = "",
        args: str | Mapping[str, object] = "",
        error: str = "",
        claim: str = "",
        tools: Iterable[str] = (),
        session_id: str = "",
        scope: Mapping[str, str] | None = None,
        budget: int | None = None,
        top_k: int | None = None,
        as_of: str | None = None,
        believed: bool = False,
        current: Iterable[Mapping[str, str]] = (),
    ) -> Explained:
        """Why a record does or does not come back for a query.

        Args:
            id: The record.
            task: What the agent is about to do or was asked to do.
            tool: The tool that is about to be called or has failed.
            args: The arguments of that call, as JSON text.
            error: The error message.
            claim: What the agent is about to claim.
            tools: The tools that the agent has.
            session_id: The session of the run; with a holdback, what one run is shown does not change.
            scope: Whose memory; the policy's scope where none is given.
            budget: The most tokens the block has; the policy's where it is not given.
            top_k: The most records; the policy's where it is not given.
            as_of: What held at this time; now where it is not given.
            believed: As it was believed at that time, and not as it is known today.
            current: What the caller sees at this moment: facts that contradict it are left out and named.
        """
        query = {
            "task": task,
            "tool": tool,
            "args": wire.text(args),
            "error": error,
            "claim": claim,
            "tools": wire.names(tools),
            "session_id": session_id,
            "scope": scope,
            "budget": budget,
            "top_k": top_k,
            "as_of": as_of,
            "believed": believed,
            "current": wire.names(current),
        }
        options: dict[str, Any] = {"verb": "explain", "id": id}
        options["query"] = wire.given(query)
        return Explained._of(await self._run(options))

    async def pin(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Hold a record in place.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "pin", "id": id, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def unpin(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Let a record go again.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "unpin", "id": id, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def maintain(self, *, model: bool = False, vectors: int = 0, actor: str = "") -> Maintained:
        """Evict to the cap, and write missing vectors.

        Args:
            model: Whether the host's model sums up what leaves, where the policy's strategy is to summarize.
            vectors: Write at most this many missing vectors; 0 is all.
            actor: Who asks.
        """
        options: dict[str, Any] = {"verb": "maintain", "model": model, "vectors": vectors, "actor": actor}
        return Maintained._of(await self._run(options))

    async def export_records(
        self,
        *,
        scope: Mapping[str, str] | None = None,
        without_vectors: bool = False,
    ) -> Exported:
        """All records, for a file or another host.

        Args:
            scope: Records that apply to this scope; all where it is not given.
            without_vectors: Leave vectors out.
        """
        options: dict[str, Any] = {"verb": "export_records", "scope": scope, "without_vectors": without_vectors}
        return Exported._of(await self._run(options))

    async def import_records(
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
        return Imported._of(await self._run(options))

    async def stats(self) -> Figures:
        """Figures of the space.
        """
        options: dict[str, Any] = {"verb": "stats"}
        return Figures._of(await self._run(options))

    async def guard(
        self,
        tool: str,
        args: str | Mapping[str, object] = "",
        *,
        session_id: str = "",
        task: str = "",
        scope: Mapping[str, str] | None = None,
        rewrite: bool = False,
    ) -> Guarded:
        """Whether something is to be said before a call.

        Args:
            session_id: The session of the run; its live trace tells what has been said and tried.
            tool: The tool.
            args: The arguments, as JSON text.
            task: The run's task.
            scope: Whose memory; the policy's scope where none is given.
            rewrite: Whether the host makes the call with other arguments, where a remedy changes one of them.
        """
        options: dict[str, Any] = {
            "verb": "guard",
            "session_id": session_id,
            "tool": tool,
            "args": wire.text(args),
            "task": task,
            "scope": scope,
            "rewrite": rewrite,
        }
        return Guarded._of(await self._run(options))

    async def react(
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
        return Opinion._of(await self._run(options))

    async def settle(self, id: str, outcome: Settlement, *, actor: str = "", reason: str = "") -> Written:
        """What came of showing a record, as a person or the host says.

        Args:
            id: The record that was shown.
            outcome: What came of it.
            actor: Who says so.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "settle", "id": id, "outcome": outcome, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def mute(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Keep a record from speaking at calls.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "mute", "id": id, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def unmute(self, id: str, *, actor: str = "", reason: str = "") -> Written:
        """Let it speak again.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "unmute", "id": id, "actor": actor, "reason": reason}
        return Written._of(await self._run(options))

    async def review(self, *, scope: Mapping[str, str] | None = None, limit: int = 0) -> Reviewed:
        """What waits for a person.

        Args:
            scope: Records that apply to this scope; all where it is not given.
            limit: The most to answer; 0 is all.
        """
        options: dict[str, Any] = {"verb": "review", "scope": scope, "limit": limit}
        return Reviewed._of(await self._run(options))

    async def resolve(
        self,
        id: str,
        choice: Choice,
        *,
        by: str | None = None,
        actor: str = "",
        reason: str = "",
    ) -> Written:
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
        return Written._of(await self._run(options))

    async def report(self, *, days: int = 0) -> Effect:
        """What was learned, shown and changed in the last days.

        Args:
            days: How many days back; 0 is 7.
        """
        options: dict[str, Any] = {"verb": "report", "days": days}
        return Effect._of(await self._run(options))
