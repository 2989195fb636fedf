"""A store in plain Python, held to the same script as the built-in ones, and the example for whoever writes another.

Decides nothing: it keeps what it is given, all or nothing, and wipes what a hard forget names.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from hardwon import ProtocolError

# The most answers of a model that a space keeps.
ANSWERS = 4096


@dataclass
class Space:
    log: list[dict[str, Any]] = field(default_factory=list)
    horizon: int = 0
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    vectors: dict[tuple[str, str], str] = field(default_factory=dict)
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    tombstones: list[dict[str, Any]] = field(default_factory=list)
    traces: dict[str, list[str]] = field(default_factory=dict)
    mined: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    caches: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    @property
    def rev(self) -> int:
        return len(self.log)


class PlainStore:
    """A store in dictionaries."""

    def __init__(self) -> None:
        self.by_name: dict[str, Space] = defaultdict(Space)

    def load(self, space: str, since: int) -> dict[str, Any]:
        held = self.by_name[space]
        if 0 < since <= held.rev and since >= held.horizon:
            return {"changes": {"list": [entry["set"] for entry in held.log[since:]], "rev": held.rev}}
        vectors = [{"record": r, "embedder": e, "vector": v} for (r, e), v in sorted(held.vectors.items())]
        return {
            "reset": {
                "rev": held.rev,
                "records": [held.records[one] for one in sorted(held.records)],
                "vectors": vectors,
                "runs": [held.runs[one] for one in sorted(held.runs)],
                "tombstones": held.tombstones,
            }
        }

    def commit(self, space: str, commit: dict[str, Any]) -> dict[str, int] | str:
        check(commit)
        held, change_set = self.by_name[space], commit["set"]
        for entry in held.log:
            if entry["set"]["op_id"] == change_set["op_id"]:
                return {"committed": entry["rev"]}
        if change_set["base"] != held.rev:
            return "conflict"
        commit = copy.deepcopy(commit)
        held.log.append({"rev": held.rev + 1, "set": commit["set"]})
        keep(held, commit)
        if gone := erased(commit["set"]):
            wipe(held, gone)
            held.horizon = held.rev
        return {"committed": held.rev}

    def log(self, space: str, query: dict[str, Any]) -> list[dict[str, Any]]:
        held = self.by_name[space]
        op, records, last = query.get("op"), set(query.get("records", [])), query.get("last", 0)

        def is_wanted(entry: dict[str, Any]) -> bool:
            one = entry["set"]
            names_op = op is not None and (one["op_id"] == op or op in one.get("undoes", []))
            return (
                entry["rev"] > held.rev - last
                or names_op
                or any(change["record"] in records for change in one["changes"])
            )

        return [entry for entry in held.log if is_wanted(entry)]

    def trace_append(self, space: str, session_id: str, lines: list[str]) -> None:
        if lines:
            self.by_name[space].traces.setdefault(session_id, []).extend(lines)

    def trace_load(self, space: str, session_id: str | None = None) -> list[tuple[str, list[str]]]:
        held = self.by_name[space]
        waits = (name for name in sorted(held.traces) if held.mined[name] < len(held.traces[name]))
        names = waits if session_id is None else (name for name in [session_id] if name in held.traces)
        return [(name, list(held.traces[name])) for name in names]

    def trace_mined(self, space: str, session_id: str, lines: int) -> None:
        held = self.by_name[space]
        if session_id in held.traces:
            held.mined[session_id] = min(max(held.mined[session_id], lines), len(held.traces[session_id]))

    def trace_drop(self, space: str, session_id: str) -> None:
        held = self.by_name[space]
        if held.mined[session_id] >= len(held.traces.get(session_id, [])):
            held.traces.pop(session_id, None)
            held.mined.pop(session_id, None)

    def cache_get(self, space: str, name: str, rev: int) -> bytes | None:
        at, kept = self.by_name[space].caches.get(name, (0, b""))
        return kept if at == rev and at > 0 else None

    def cache_put(self, space: str, name: str, rev: int, bytes: bytes) -> None:
        held = self.by_name[space]
        is_older = held.caches.get(name, (0, b""))[0] > rev
        if 0 < rev <= held.rev and rev >= held.horizon and not is_older:
            held.caches[name] = (rev, bytes)

    def answer_get(self, space: str, key: str) -> str | None:
        return self.by_name[space].answers.get(key)

    def answer_put(self, space: str, answers: list[tuple[str, str]]) -> None:
        kept = self.by_name[space].answers
        for key, text in answers:
            kept.pop(key, None)
            kept[key] = text
        for key in list(kept)[: max(0, len(kept) - ANSWERS)]:
            del kept[key]

    def spaces(self) -> list[str]:
        return sorted(name for name, held in self.by_name.items() if held.log or held.traces)


def check(commit: dict[str, Any]) -> None:
    """Refuses a commit whose rows do not follow from its changes: one row for each record changed, and no other."""
    waiting = {change["record"] for change in commit["set"]["changes"]}
    gone = erased(commit["set"])
    for row in commit["rows"]:
        record = row.get("record")
        is_own = record is None or (record["id"] == row["id"] and row["id"] not in gone)
        if not is_own or row["id"] not in waiting:
            raise ProtocolError("protocol", f"the row of record {row['id']} does not follow from a change")
        waiting.discard(row["id"])
    if waiting:
        raise ProtocolError("protocol", f"record {min(waiting)} is changed but has no row")


def erased(change_set: dict[str, Any]) -> set[str]:
    return {one["record"] for one in change_set.get("tombstones", [])}


def keep(held: Space, commit: dict[str, Any]) -> None:
    gone = erased(commit["set"])
    for change in commit["set"]["changes"]:
        if vector := change["delta"].get("vector"):
            held.vectors[change["record"], vector["embedder"]] = vector["vector"]
    for row in commit["rows"]:
        if row.get("record") is not None:
            held.records[row["id"]] = row["record"]
        elif row["id"] not in gone:
            held.records.pop(row["id"], None)
            held.vectors = {key: one for key, one in held.vectors.items() if key[0] != row["id"]}
    held.runs.update({run["session_id"]: run for run in commit["set"].get("runs", [])})
    held.tombstones += commit["set"].get("tombstones", [])


def wipe(held: Space, gone: set[str]) -> None:
    """Takes erased records out of everything, and the sessions that nothing else names."""
    sessions: set[str] = set()
    words: set[str] = set()
    for one in gone & held.records.keys():
        note_record(held.records[one], sessions, words)
    touched = set()
    for entry in held.log:
        mine = [change for change in entry["set"]["changes"] if change["record"] in gone]
        for change in mine:
            note_delta(change["delta"], sessions, words)
        if mine:
            touched.add(entry["rev"])
            entry["set"]["changes"] = [one for one in entry["set"]["changes"] if one["record"] not in gone]
    held.records = {key: one for key, one in held.records.items() if key not in gone}
    held.vectors = {key: one for key, one in held.vectors.items() if key[0] not in gone}
    held.traces = {key: one for key, one in held.traces.items() if key not in sessions}
    held.caches.clear()
    held.answers.clear()
    spared: set[str] = set()
    for record in held.records.values():
        note_record(record, spared, set())
    for entry in held.log:
        for change in entry["set"]["changes"]:
            note_delta(change["delta"], spared, set())
    sessions -= spared
    held.runs = {key: one for key, one in held.runs.items() if not is_reached(one, sessions)}
    for entry in held.log:
        clean(entry["set"], entry["rev"] in touched, sessions, sessions | words)


def clean(head: dict[str, Any], is_touched: bool, sessions: set[str], words: set[str]) -> None:
    runs = [run for run in head.get("runs", []) if not is_reached(run, sessions)]
    reason = head.get("reason", "")
    if is_touched or any(quotes(reason, word) for word in words):
        reason = ""
    actor = "" if is_touched and not head["changes"] else head.get("actor", "")
    for name, value in {"runs": runs, "reason": reason, "actor": actor}.items():
        head.pop(name, None)
        if value:
            head[name] = value


def is_reached(run: dict[str, Any], sessions: set[str]) -> bool:
    return run["session_id"] in sessions or run["root_run_id"] in sessions


def quotes(text: str, word: str) -> bool:
    return bool(word) and re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None


def note_record(record: dict[str, Any], sessions: set[str], words: set[str]) -> None:
    words |= {record["id"], record["text"], *record.get("situations", [])}
    words |= {one["text"] for part in ("variants", "rewordings") for one in record.get(part, [])}
    for one in record.get("evidence", []):
        note_evidence(one, sessions, words)


def note_delta(delta: dict[str, Any], sessions: set[str], words: set[str]) -> None:
    ((kind, value),) = delta.items()
    if kind in ("create", "remove") and value is not None:
        note_record(value, sessions, words)
    if kind in ("add", "drop"):
        ((part, member),) = value.items()
        if part == "evidence":
            note_evidence(member, sessions, words)
        elif part in ("variant", "rewording"):
            words.add(member["text"])
        elif part == "situation":
            words.add(member)
    if kind == "set":
        words |= {scalar["text"] for scalar in (value["before"], value["after"]) if "text" in scalar}


def note_evidence(one: dict[str, Any], sessions: set[str], words: set[str]) -> None:
    sessions |= {one["session_id"], one["root_run_id"]}
    words.add(one["event_id"])
