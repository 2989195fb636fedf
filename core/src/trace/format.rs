//! The formats: their names, how each is told from the others, and who reads it. One row a format.
//!
//! Decides which reader an input gets. Never reads events itself.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical;
use super::formats::{
    claude_agent_sdk, claude_code, codex_rollout, gemini_cli, inspect_ai, kimi_cli, langchain,
    langchain_runs, mcp_jsonrpc, mini_swe_agent, openai, openai_responses, openhands, otel_events,
    otel_spans, swe_agent_traj, toolbench, vercel_ai_sdk, who_and_when,
};
use super::frame::{Framer, Unit, salvage};
use super::json;
use super::report::Bad;
use super::sessions::Sessions;

/// Units are long from here on, in bytes.
const LONG: usize = 1 << 18;

/// A trace format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// Our own: JSON Lines, one event a line.
    Canonical,
    /// Recordings of the Claude Agent SDK: stream lines with their direction.
    ClaudeAgentSdk,
    /// Claude Code's sessions, sub-agent files and stream-json.
    ClaudeCode,
    /// Codex rollouts.
    CodexRollout,
    /// Gemini CLI sessions.
    GeminiCli,
    /// Inspect evaluation logs.
    InspectAi,
    /// Kimi CLI wire files.
    KimiCli,
    /// Messages between MCP clients and servers.
    McpJsonrpc,
    /// `OpenHands` event histories.
    #[serde(rename = "openhands")]
    OpenHands,
    /// `OpenTelemetry` spans with `OpenInference` attributes.
    #[serde(rename = "openinference_spans")]
    OpenInferenceSpans,
    /// `OpenTelemetry` spans with `GenAI` attributes.
    #[serde(rename = "otel_genai_spans")]
    OtelGenAiSpans,
    /// `OpenTelemetry` log events of coding agents.
    OtelEvents,
    /// Run exports of `LangChain` and `LangGraph`.
    #[serde(rename = "langchain_runs")]
    LangChainRuns,
    /// SWE-agent trajectories.
    SweAgentTraj,
    /// mini-swe-agent trajectories.
    MiniSweAgent,
    /// `ToolBench` answers.
    #[serde(rename = "toolbench")]
    ToolBench,
    /// Conversations of the Who&When set.
    WhoAndWhen,
    /// Messages of `LangChain` and `LangGraph`.
    #[serde(rename = "langchain")]
    LangChain,
    /// Steps and messages of the Vercel AI SDK.
    VercelAiSdk,
    /// Items of OpenAI's Responses.
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    /// Anthropic messages with tool blocks.
    Anthropic,
    /// OpenAI chat messages with tool calls, also as tau-bench sessions.
    #[serde(rename = "openai")]
    OpenAi,
}

/// How one format is read.
pub(super) trait Parse: fmt::Debug + Send + Sync {
    /// Takes one unit: a line, or a document.
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad>;

    /// Hands over what it kept until the whole input was seen.
    fn finish(&mut self, _out: &mut Sessions) {}
}

struct Row {
    format: Format,
    name: &'static str,
    /// Whether a unit can be nothing else. The rows are asked in order.
    recognise: fn(&Value) -> bool,
    parser: fn() -> Box<dyn Parse>,
}

const ROWS: [Row; 22] = [
    Row {
        format: Format::Canonical,
        name: "canonical",
        recognise: canonical::recognise,
        parser: || Box::new(canonical::Parser),
    },
    Row {
        format: Format::ClaudeAgentSdk,
        name: "claude_agent_sdk",
        recognise: claude_agent_sdk::recognise,
        parser: || Box::<claude_agent_sdk::Parser>::default(),
    },
    Row {
        format: Format::ClaudeCode,
        name: "claude_code",
        recognise: claude_code::recognise,
        parser: || Box::<claude_code::Parser>::default(),
    },
    Row {
        format: Format::CodexRollout,
        name: "codex_rollout",
        recognise: codex_rollout::recognise,
        parser: || Box::<codex_rollout::Parser>::default(),
    },
    Row {
        format: Format::GeminiCli,
        name: "gemini_cli",
        recognise: gemini_cli::recognise,
        parser: || Box::<gemini_cli::Parser>::default(),
    },
    Row {
        format: Format::InspectAi,
        name: "inspect_ai",
        recognise: inspect_ai::recognise,
        parser: || Box::new(inspect_ai::PARSER),
    },
    Row {
        format: Format::KimiCli,
        name: "kimi_cli",
        recognise: kimi_cli::recognise,
        parser: || Box::new(kimi_cli::PARSER),
    },
    Row {
        format: Format::McpJsonrpc,
        name: "mcp_jsonrpc",
        recognise: mcp_jsonrpc::recognise,
        parser: || Box::<mcp_jsonrpc::Parser>::default(),
    },
    Row {
        format: Format::OpenHands,
        name: "openhands",
        recognise: openhands::recognise,
        parser: || Box::<openhands::Parser>::default(),
    },
    Row {
        format: Format::OpenInferenceSpans,
        name: "openinference_spans",
        recognise: otel_spans::is_openinference,
        parser: || Box::<otel_spans::Parser>::default(),
    },
    Row {
        format: Format::OtelGenAiSpans,
        name: "otel_genai_spans",
        recognise: otel_spans::is_genai,
        parser: || Box::<otel_spans::Parser>::default(),
    },
    Row {
        format: Format::OtelEvents,
        name: "otel_events",
        recognise: otel_events::recognise,
        parser: || Box::new(otel_events::PARSER),
    },
    Row {
        format: Format::LangChainRuns,
        name: "langchain_runs",
        recognise: langchain_runs::recognise,
        parser: || Box::<langchain_runs::Parser>::default(),
    },
    Row {
        format: Format::SweAgentTraj,
        name: "swe_agent_traj",
        recognise: swe_agent_traj::recognise,
        parser: || Box::new(swe_agent_traj::PARSER),
    },
    Row {
        format: Format::MiniSweAgent,
        name: "mini_swe_agent",
        recognise: mini_swe_agent::recognise,
        parser: || Box::new(mini_swe_agent::PARSER),
    },
    Row {
        format: Format::ToolBench,
        name: "toolbench",
        recognise: toolbench::recognise,
        parser: || Box::new(toolbench::PARSER),
    },
    Row {
        format: Format::WhoAndWhen,
        name: "who_and_when",
        recognise: who_and_when::recognise,
        parser: || Box::new(who_and_when::PARSER),
    },
    Row {
        format: Format::LangChain,
        name: "langchain",
        recognise: langchain::recognise,
        parser: || Box::new(langchain::Parser),
    },
    Row {
        format: Format::VercelAiSdk,
        name: "vercel_ai_sdk",
        recognise: vercel_ai_sdk::recognise,
        parser: || Box::new(vercel_ai_sdk::PARSER),
    },
    Row {
        format: Format::OpenAiResponses,
        name: "openai_responses",
        recognise: openai_responses::recognise,
        parser: || Box::new(openai_responses::PARSER),
    },
    Row {
        format: Format::Anthropic,
        name: "anthropic",
        recognise: openai::has_tool_blocks,
        parser: || Box::new(openai::Parser),
    },
    Row {
        format: Format::OpenAi,
        name: "openai",
        recognise: openai::recognise,
        parser: || Box::new(openai::Parser),
    },
];

impl Format {
    /// Every format, in the order in which an input is held against them.
    pub const ALL: [Self; ROWS.len()] = {
        let mut all = [Self::Canonical; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].format;
            at += 1;
        }
        all
    };

    /// The name, as the command and the wire have it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.format)
    }

    fn of(value: &Value) -> Option<Self> {
        ROWS.iter().find(|row| (row.recognise)(value)).map(|row| row.format)
    }

    /// Whether a unit that was recognised as `found` may be of this format: chat formats share plain messages, in which
    /// nothing tells one from another.
    pub(super) fn takes(self, found: Self, text: &str) -> bool {
        let chat =
            matches!(self, Self::Anthropic | Self::VercelAiSdk | Self::MiniSweAgent | Self::OpenAiResponses);
        self == found
            || chat && found == Self::OpenAi && parse_value(text).is_ok_and(|unit| openai::is_plain(&unit))
    }

    pub(super) fn parser(self) -> Box<dyn Parse> {
        (self.row().parser)()
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.format == self).unwrap_or(&ROWS[0])
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The format of an input, from its first bytes (some kilobytes suffice; they may end anywhere).
pub fn detect(head: &[u8]) -> Option<Format> {
    let mut found = None;
    let mut framer = Framer::new(usize::MAX, usize::MAX);
    let mut look = |unit: Unit<'_>| {
        if found.is_none() {
            found = match unit {
                Unit::Whole(_, bytes) => value_of(bytes).as_ref().and_then(Format::of),
                Unit::Cut(_, bytes) => {
                    salvage(bytes).and_then(|bytes| value_of(&bytes)).as_ref().and_then(Format::of)
                }
                Unit::TooLong(_) => None,
            };
        }
    };
    framer.push(head, &mut look);
    framer.finish(&mut look);
    found
}

/// The format of one unit. Of a long one only the beginning is looked at, if that is enough.
pub(super) fn of_unit(text: &str) -> Result<Option<Format>, Bad> {
    if let Some(head) = text.as_bytes().get(..LONG)
        && let found @ Some(_) =
            salvage(head).and_then(|bytes| value_of(&bytes)).as_ref().and_then(Format::of)
    {
        return Ok(found);
    }
    parse_value(text).map(|value| Format::of(&value))
}

fn value_of(bytes: &[u8]) -> Option<Value> {
    parse_value(core::str::from_utf8(bytes).ok()?).ok()
}

/// Reads a unit for a look at its shape.
pub(super) fn parse_value(text: &str) -> Result<Value, Bad> {
    json::value(text).map_err(|error| Bad::from(&error))
}

/// The string at a key.
pub(super) fn str_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The messages of a unit in a chat format: those of a list, of a list in a list, at one of the keys, or the unit
/// itself.
pub(super) fn messages_of<'a>(mut value: &'a Value, keys: &[&str]) -> &'a [Value] {
    for _ in 0..3 {
        value = match value {
            Value::Array(list) => match list.first() {
                Some(first) if first.is_array() || inner(first, keys).is_some() => first,
                _ => return list,
            },
            object => match inner(object, keys) {
                Some(list) => list,
                None => return core::slice::from_ref(object),
            },
        };
    }
    value.as_array().map_or(&[], Vec::as_slice)
}

fn inner<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    let held = keys.iter().find_map(|key| value.get(key))?;
    (held.is_array() || held.is_object()).then_some(held)
}
