//! What is told, in the form that each agent reads.
//!
//! Decides field names alone. Never allows and never denies a call: the strongest word is to ask the person.

use serde_json::{Value, json};

use super::{Agent, Event, Told};

/// The answer; `None` where there is nothing to say or the agent has no place for it.
pub(super) fn of(agent: Agent, event: Event, told: &Told) -> Option<Value> {
    match (agent, told) {
        (_, Told::Nothing) => None,
        (Agent::Cursor, Told::Hold(text)) => {
            Some(json!({ "permission": "ask", "user_message": text, "agent_message": text }))
        }
        (Agent::Cursor, Told::Context(text)) => match event {
            // Without `permission`: an "allow" of ours would pass over the person's own rules.
            Event::PreTool => Some(json!({ "agent_message": text })),
            Event::SessionStart | Event::PostTool | Event::PostToolFailure => {
                Some(json!({ "additional_context": text }))
            }
            _ => None,
        },
        (_, Told::Hold(text)) => Some(json!({ "hookSpecificOutput": {
            "hookEventName": name(agent, event)?, "permissionDecision": "ask", "permissionDecisionReason": text,
        } })),
        (_, Told::Context(text)) => Some(
            json!({ "hookSpecificOutput": { "hookEventName": name(agent, event)?, "additionalContext": text } }),
        ),
    }
}

/// The event as Claude Code and Codex call it, where it takes context.
const fn name(agent: Agent, event: Event) -> Option<&'static str> {
    match event {
        // Codex has one event for every answer of a tool.
        Event::PostToolFailure if matches!(agent, Agent::Codex) => Some("PostToolUse"),
        Event::SessionStart => Some("SessionStart"),
        Event::Prompt => Some("UserPromptSubmit"),
        Event::PreTool => Some("PreToolUse"),
        Event::PostTool => Some("PostToolUse"),
        Event::PostToolFailure => Some("PostToolUseFailure"),
        Event::Stop | Event::SessionEnd => None,
    }
}
