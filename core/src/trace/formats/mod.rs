//! One reader a format, and what some of them share.
//!
//! Each decides what one format says: which events, which failures, which session. None decides what is worth learning.

pub(super) mod claude_agent_sdk;
pub(super) mod claude_code;
pub(super) mod codex_rollout;
pub(super) mod gemini_cli;
pub(super) mod inspect_ai;
mod items;
pub(super) mod kimi_cli;
pub(super) mod langchain;
pub(super) mod langchain_runs;
pub(super) mod mcp_jsonrpc;
pub(super) mod mini_swe_agent;
pub(super) mod openai;
pub(super) mod openai_responses;
pub(super) mod openhands;
pub(super) mod otel_events;
pub(super) mod otel_spans;
mod otlp;
mod spans;
pub(super) mod swe_agent_traj;
pub(super) mod toolbench;
pub(super) mod vercel_ai_sdk;
pub(super) mod who_and_when;
