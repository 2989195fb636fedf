"""Verbs that read, with their options.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from __future__ import annotations

from . import _wire as wire
from ._answers import Effect, Explained, Exported, Figures, Guarded, HistoryEntry, Listed, Recalled, Reviewed
from ._fact_answers import FactsWritten
from ._records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._names import Kind, SourceClass, Status, Subtype, Tier


class Reads:
    """Verbs that read, with their options."""

    def _run(self, options: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def facts(
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
        return Listed._of(self._run(options))

    def export_facts(self, *, scope: Mapping[str, str] | None = None) -> FactsWritten:
        """The facts as Markdown, for people.

        Args:
            scope: Facts that apply to this scope; all where it is not given.
        """
        options: dict[str, Any] = {"verb": "export_facts", "scope": scope}
        return FactsWritten._of(self._run(options))

    def recall(
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
        return Recalled._of(self._run(options))

    def get(self, id: str, *, actor: str = "", reason: str = "") -> Record:
        """One record.

        Args:
            id: Its id.
            actor: Who asks.
            reason: Why.
        """
        options: dict[str, Any] = {"verb": "get", "id": id, "actor": actor, "reason": reason}
        return Record._of(self._run(options)["record"])

    def list(
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
        return Listed._of(self._run(options))

    def history(self, id: str | None = None, *, limit: int = 0) -> tuple[HistoryEntry, ...]:
        """What happened to a record, or in the space.

        Args:
            id: The record; the whole space where it is not given.
            limit: The most entries, newest kept; 0 is 50.
        """
        options: dict[str, Any] = {"verb": "history", "id": id, "limit": limit}
        return tuple(HistoryEntry._of(one) for one in self._run(options)["entries"])

    def explain(
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
        return Explained._of(self._run(options))

    def export_records(self, *, scope: Mapping[str, str] | None = None, without_vectors: bool = False) -> Exported:
        """All records, for a file or another host.

        Args:
            scope: Records that apply to this scope; all where it is not given.
            without_vectors: Leave vectors out.
        """
        options: dict[str, Any] = {"verb": "export_records", "scope": scope, "without_vectors": without_vectors}
        return Exported._of(self._run(options))

    def stats(self) -> Figures:
        """Figures of the space.
        """
        options: dict[str, Any] = {"verb": "stats"}
        return Figures._of(self._run(options))

    def guard(
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
        return Guarded._of(self._run(options))

    def review(self, *, scope: Mapping[str, str] | None = None, limit: int = 0) -> Reviewed:
        """What waits for a person.

        Args:
            scope: Records that apply to this scope; all where it is not given.
            limit: The most to answer; 0 is all.
        """
        options: dict[str, Any] = {"verb": "review", "scope": scope, "limit": limit}
        return Reviewed._of(self._run(options))

    def report(self, *, days: int = 0) -> Effect:
        """What was learned, shown and changed in the last days.

        Args:
            days: How many days back; 0 is 7.
        """
        options: dict[str, Any] = {"verb": "report", "days": days}
        return Effect._of(self._run(options))
