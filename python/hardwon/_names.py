"""The closed lists of names, as types.

Made by generate.py from the engine's source. Change that, and run it again.
"""

from typing import Literal

__all__ = [
    "About",
    "Advice",
    "Cardinality",
    "Choice",
    "FactFormat",
    "Format",
    "Kind",
    "Mark",
    "Outcome",
    "Pin",
    "Settlement",
    "Slot",
    "SourceClass",
    "Status",
    "Strength",
    "Subtype",
    "Tier",
]

Kind = Literal["lesson", "fact", "feedback", "item"]
"""What kind of thing a record is. A promotion never changes it."""

Subtype = Literal[
    "failure",
    "recovery",
    "invented_value",
    "discrepancy",
    "hint_followed",
    "provenance",
    "dead_end",
    "environment",
    "contrast",
    "correction",
    "success_pattern",
    "postmortem",
    "taught",
    "summary",
    "preference",
    "constraint",
    "decision",
    "workflow",
    "external",
]
"""The signal a lesson comes from."""

Status = Literal["active", "quarantined", "conflicted", "superseded", "retracted", "archived"]
"""Whether a record holds."""

Tier = Literal["tactical", "strategic"]
"""How often a lesson came back."""

Pin = Literal["none", "auto_core", "pinned"]
"""Whether a record is held in place."""

SourceClass = Literal["web", "model", "tool", "review", "repo", "user"]
"""Where a record comes from, least trusted first. It caps the confidence and decides what it may become."""

Mark = Literal["bare", "weak", "benign", "bypass", "looped", "relapse", "entangled", "muted", "blocking"]
"""What reviewers and ranking must know about a record."""

Strength = Literal["looped", "bare", "weak", "seen", "named", "proven", "taught"]
"""How strongly a wording is supported. Of several wordings the strongest is the record's text."""

Advice = Literal["silent", "advise", "hold", "rewrite"]
"""What a host should do about a call."""

Outcome = Literal[
    "created",
    "refreshed",
    "changed",
    "unchanged",
    "superseded",
    "coexists",
    "retracted",
    "conflicted",
    "quarantined",
    "refused",
    "erased",
]
"""What came of a write."""

Slot = Literal["core", "tool", "ranked"]
"""Which place a record holds in a recall."""

Settlement = Literal["followed", "not_followed", "irrelevant"]
"""What came of showing a record."""

Choice = Literal["confirm", "block", "archive", "supersede"]
"""A person's answer to what waits for review."""

Format = Literal[
    "canonical",
    "claude_agent_sdk",
    "claude_code",
    "codex_rollout",
    "gemini_cli",
    "inspect_ai",
    "kimi_cli",
    "mcp_jsonrpc",
    "open_hands",
    "open_inference_spans",
    "otel_gen_ai_spans",
    "otel_events",
    "lang_chain_runs",
    "swe_agent_traj",
    "mini_swe_agent",
    "tool_bench",
    "who_and_when",
    "lang_chain",
    "vercel_ai_sdk",
    "open_ai_responses",
    "anthropic",
    "open_ai",
]
"""A trace format."""

Cardinality = Literal["one", "many"]
"""How many values of a predicate hold at a time."""

FactFormat = Literal["mcp_memory", "mem0", "langgraph_store", "notes", "instructions", "markdown"]
"""A form of facts in files."""

About = Literal["heard", "argued", "decided", "confirmed"]
"""How a memory was asked, which is what its answer is to say."""
