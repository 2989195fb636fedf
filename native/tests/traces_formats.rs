//! The readers of the formats of other tools on real traces, beside the project in development and in CI; without them
//! these tests say so and pass.
//!
//! No figure comes from the readers. Calls and sessions were counted in the JSON with a script a format; every failure
//! was looked at, and the reason stands beside its figure. "Soft" are failures that no flag and no exit code of the
//! format tells, only the text of the answer. "Masked" are calls that ended well whose command hides its status.

mod samples;

use std::fs;
use std::path::Path;

use hardwon_core::learn::{CommandLine, command_text};
use hardwon_core::trace::{Body, Format, Outcome, ReadLimits, Reader, Reading, ResultStatus, ToolCall};

use samples::traces;

/// What is counted of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Count {
    sessions: usize,
    events: usize,
    calls: usize,
    failed: usize,
    /// Failures without an exit status whose calls the format does not flag.
    soft: usize,
    masked: usize,
}

fn read(path: &Path) -> Reading {
    let mut reader = Reader::new(None, ReadLimits::default());
    reader.push(&fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    reader.finish().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn calls(reading: &Reading) -> Vec<&ToolCall> {
    let events = reading.traces.iter().flat_map(|trace| &trace.events);
    events
        .filter_map(|event| match &event.body {
            Body::ToolCall(call) => Some(call),
            _ => None,
        })
        .collect()
}

fn with_status(reading: &Reading, status: ResultStatus) -> usize {
    calls(reading).iter().filter(|call| call.result.status == status).count()
}

fn is_masked(call: &ToolCall) -> bool {
    call.result.status == ResultStatus::Ok
        && command_text(&call.name, &call.args).is_some_and(|line| CommandLine::parse(&line).is_masked())
}

/// Holds a file against its count. `soft` says which failures the format itself tells only in text.
fn check(path: &str, format: &str, expected: Count, soft: fn(&ToolCall) -> bool) -> Option<Reading> {
    let reading = read(&traces()?.join(path));
    assert_eq!(reading.report.format.map(Format::name), Some(format), "{path}");
    assert_eq!(reading.report.bad_total, 0, "{path}: {:?}", reading.report.bad);
    let all = calls(&reading);
    let failed = |call: &&&ToolCall| call.result.status == ResultStatus::Failed;
    let count = Count {
        sessions: reading.traces.len(),
        events: reading.traces.iter().map(|trace| trace.events.len()).sum(),
        calls: all.len(),
        failed: all.iter().filter(failed).count(),
        soft: all.iter().filter(failed).filter(|call| soft(call)).count(),
        masked: all.iter().filter(|call| is_masked(call)).count(),
    };
    assert_eq!(count, expected, "{path}");
    Some(reading)
}

/// Without an exit status only the text told it.
fn by_text(call: &ToolCall) -> bool {
    call.result.exit.is_none()
}

/// Where the format flags its failures none is soft.
fn flagged(_: &ToolCall) -> bool {
    false
}

#[test]
fn codex_rollouts() {
    // 99 function calls, 3 custom calls, 3 web searches. Two prompts; 13 messages, 2 ends of a turn; no reasoning in
    // clear. `exec_command_end` says 2, 1, 1 (searches) and 1 (a red test): four. The fifth: "write_stdin failed: stdin
    // is closed". Masked: the seven lines `strings … | rg` (two), `rg --files … | rg`, `find … | sed`, `nl … | sed`
    // (three).
    let count = Count { sessions: 1, events: 122, calls: 105, failed: 5, soft: 1, masked: 7 };
    let file = "codex_rollout/rollout-2026-05-11T11-26-55-b799.jsonl";
    let Some(reading) = check(file, "codex_rollout", count, by_text) else { return };
    let run = &reading.traces[0];
    assert_eq!(run.session_id, "019e1625-789d-76c0-80ab-3724b5ddb799");
    // The remote is git@github.com:codemie-ai/codemie-code.git.
    assert_eq!(run.repository().as_deref(), Some("github.com/codemie-ai/codemie-code"));
    // 38 commands went on in the background, and each has its end.
    assert_eq!(with_status(&reading, ResultStatus::Missing), 0);
    assert!(run.events.iter().all(|event| event.ts.is_some()));

    // 35 commands and 3 calls of `js`. `ps` is not permitted (exit 1); the browser "rejected this action" twice, in an
    // answer like any other. Masked: a second `ps … | rg` and `rg --files … | rg`; the first `ps` is the failed one.
    let count = Count { sessions: 1, events: 44, calls: 38, failed: 3, soft: 2, masked: 2 };
    let file = "codex_rollout/rollout-2026-05-11T13-28-45-3f80.jsonl";
    let reading = check(file, "codex_rollout", count, by_text).expect("the folder is there");
    // It has no remote: the directory stands for the repository.
    assert_eq!(reading.traces[0].repository().as_deref(), Some("/Users/Sample_User/naya"));

    // Token counts only.
    check("codex_rollout/session-alpha.jsonl", "codex_rollout", Count::default(), by_text);
}

#[test]
fn openhands_histories() {
    // Actions run 24, edit 16, read 8, and one error to no action. Commands with an exit code: ids 16, 67, 69, 71, 85,
    // 87, 89, 91, 97, 99, 101, 103. Edits that begin with ERROR: 24, 28, 32, 34, 36, 40, 42, 48, 52, 54, 59, 61.
    let count = Count { sessions: 1, events: 100, calls: 49, failed: 25, soft: 13, masked: 0 };
    let Some(reading) = check("openhands/ponylang__ponyc-4588.jsonl", "openhands", count, by_text) else {
        return;
    };
    // "Agent reached maximum iteration": stopped, not failed.
    let last = reading.traces[0].events.last().map(|event| &event.body);
    assert!(matches!(last, Some(Body::Incomplete { .. })), "{last:?}");
    // Run 12, edit 11, read 9, one error. Exit codes: 8, 20. ERROR: 33 (a read), 43, 47, 49, 51, 55, 57, 61, 63, 67 and
    // 69.
    let count = Count { sessions: 1, events: 67, calls: 33, failed: 14, soft: 12, masked: 0 };
    check("openhands/ponylang__ponyc-4593.jsonl", "openhands", count, by_text);
    // Run 13, read 6, edit 2. Exit codes: 36, 38, 40, 42, 46. ERROR: 28.
    let count = Count { sessions: 1, events: 45, calls: 21, failed: 6, soft: 1, masked: 0 };
    check("openhands/ponylang__ponyc-4595.jsonl", "openhands", count, by_text);
}

#[test]
fn swe_agent_trajectories() {
    // 16 steps. Two end in a traceback (steps 4 and 13), three edits bring syntax errors (8, 9, 11). No status at all.
    let count = Count { sessions: 1, events: 32, calls: 16, failed: 5, soft: 5, masked: 0 };
    if check("swe_agent_traj/BabyEncryption.traj", "swe_agent_traj", count, by_text).is_none() {
        return;
    }
    // 11 steps; one edit (step 7).
    let count = Count { sessions: 1, events: 24, calls: 11, failed: 1, soft: 1, masked: 0 };
    check("swe_agent_traj/marshmallow-code__marshmallow-1867.traj", "swe_agent_traj", count, by_text);
    // 12 steps; a traceback (3) and three edits (6, 7, 8).
    let count = Count { sessions: 1, events: 26, calls: 12, failed: 4, soft: 4, masked: 0 };
    check("swe_agent_traj/pydicom__pydicom-1458.traj", "swe_agent_traj", count, by_text);
}

#[test]
fn mini_swe_agent_trajectories() {
    // Ten commands; two with <returncode>1</returncode>: a file that is not there, a division by zero.
    let count = Count { sessions: 1, events: 21, calls: 10, failed: 2, soft: 0, masked: 0 };
    if check("mini_swe_agent/github_issue.traj.json", "mini_swe_agent", count, by_text).is_none() {
        return;
    }
    let count = Count { sessions: 1, events: 5, calls: 2, failed: 0, soft: 0, masked: 0 };
    check("mini_swe_agent/local.traj.json", "mini_swe_agent", count, by_text);
}

#[test]
fn inspect_logs() {
    // Eleven answers without their calls, each with an error; one is a refused approval.
    let count = Count { sessions: 1, events: 11, calls: 11, failed: 10, soft: 0, masked: 0 };
    let Some(reading) = check("inspect_ai/log_tool_call_error.json", "inspect_ai", count, flagged) else {
        return;
    };
    assert_eq!(with_status(&reading, ResultStatus::Refused), 1);
    // Three samples without tools: a question and an answer each; match is C, C and I.
    let file = "inspect_ai/2025-05-12T20-28-13-04-00_popularity.json";
    let count = Count { sessions: 3, events: 6, ..Count::default() };
    let reading = check(file, "inspect_ai", count, flagged).expect("the folder is there");
    let outcomes: Vec<Outcome> = reading.traces.iter().map(|trace| trace.outcome).collect();
    assert_eq!(outcomes, [Outcome::Success, Outcome::Success, Outcome::Failed]);
}

#[test]
fn toolbench_answers() {
    // Calls without Finish. 10 and 102: every observation has code 0 and an answer.
    let count = Count { sessions: 1, events: 4, calls: 2, failed: 0, soft: 0, masked: 0 };
    if check("toolbench/10_ChatGPT_DFS_woFilter_w2.json", "toolbench", count, by_text).is_none() {
        return;
    }
    let count = Count { sessions: 1, events: 6, calls: 3, failed: 0, soft: 0, masked: 0 };
    check("toolbench/102_ChatGPT_DFS_woFilter_w2.json", "toolbench", count, by_text);
    // Code 11 with statusCode 400; and a page "Forbidden" with code 0, which only its text tells.
    let count = Count { sessions: 1, events: 5, calls: 3, failed: 2, soft: 2, masked: 0 };
    check("toolbench/21_ChatGPT_DFS_woFilter_w2.json", "toolbench", count, by_text);
}

#[test]
fn who_and_when_conversations() {
    // Two blocks of code ran, with exit code 0 both.
    let count = Count { sessions: 1, events: 7, calls: 2, failed: 0, soft: 0, masked: 0 };
    let file = "who_and_when/Algorithm-Generated_1.json";
    let Some(reading) = check(file, "who_and_when", count, by_text) else { return };
    assert_eq!(reading.traces[0].outcome, Outcome::Failed, "is_correct is false");
    // "exitcode: 1 (execution failed)" and then 0.
    let count = Count { sessions: 1, events: 11, calls: 2, failed: 1, soft: 0, masked: 0 };
    check("who_and_when/Algorithm-Generated_10.json", "who_and_when", count, by_text);
    // 20 requests to WebSurfer and one to Assistant; 18 and one replies.
    let count = Count { sessions: 1, events: 76, calls: 21, failed: 0, soft: 0, masked: 0 };
    let reading = check("who_and_when/Hand-Crafted_9.json", "who_and_when", count, by_text)
        .expect("the folder is there");
    assert_eq!(with_status(&reading, ResultStatus::Missing), 2);
}

#[test]
fn graphs_tell_the_same_runs_as_messages_runs_and_spans() {
    // Three runs with three, two and one calls; the first call of the first two writes into a missing folder.
    let run = Count { sessions: 3, events: 15, calls: 6, failed: 2, soft: 0, masked: 0 };
    let Some(runs) = check("langchain_runs/runs.json", "langchain_runs", run, flagged) else { return };
    let spans =
        check("openinference_spans/spans.jsonl", "openinference_spans", run, flagged).expect("the folder");
    let messages = Count { events: 12, ..run };
    let messages = check("langchain_runs/messages.json", "langchain", messages, flagged).expect("the folder");
    let shape = |reading: &Reading| -> Vec<(String, ResultStatus)> {
        calls(reading).iter().map(|call| (call.name.clone(), call.result.status)).collect()
    };
    assert_eq!(shape(&runs), shape(&messages));
    assert_eq!(shape(&spans), shape(&messages));
    // A run ends with its last words; messages do not say that it ended.
    for trace in runs.traces.iter().chain(&spans.traces) {
        assert!(matches!(trace.events.last().map(|event| &event.body), Some(Body::Final { .. })));
        assert!(trace.events.windows(2).all(|pair| pair[0].ts <= pair[1].ts), "in order");
    }
}

#[test]
fn sessions_of_other_coding_agents() {
    // 14 tool calls, all with status success; 5 prompts, 5 answers.
    let count = Count { sessions: 1, events: 24, calls: 14, failed: 0, soft: 0, masked: 0 };
    let file = "gemini_cli/session-2026-01-16T11-01-file-ops-37b7abef.json";
    if check(file, "gemini_cli", count, flagged).is_none() {
        return;
    }
    // One prompt (twice in the file), three calls with isError false.
    let count = Count { sessions: 1, events: 4, calls: 3, failed: 0, soft: 0, masked: 0 };
    check("kimi_cli/sample-wire.jsonl", "kimi_cli", count, flagged);
    // One prompt, a thought, `ls`, an answer, the result.
    let count = Count { sessions: 1, events: 5, calls: 1, failed: 0, soft: 0, masked: 0 };
    let file = "claude_agent_sdk/tool_use_conversation.json";
    let reading = check(file, "claude_agent_sdk", count, flagged).expect("the folder is there");
    assert_eq!(reading.traces[0].session_id, "ca03765b-a7e1-483b-9629-448c7aba5e7a");
    // Two sessions: two prompts and four results, of which a Read has success "false"; one prompt and one result.
    let count = Count { sessions: 2, events: 8, calls: 5, failed: 1, soft: 0, masked: 0 };
    check("otel_events/otel-events.sample.jsonl", "otel_events", count, flagged);
    // Four calls; three with isError: a missing folder, a missing argument, an unknown tool.
    let count = Count { sessions: 1, events: 4, calls: 4, failed: 3, soft: 0, masked: 0 };
    check("mcp_jsonrpc/session.jsonl", "mcp_jsonrpc", count, flagged);
}

#[test]
fn what_tools_leave_beside_their_traces_is_refused_with_what_was_seen() {
    let Some(dir) = traces() else { return };
    for (file, saw) in [("tau_bench/failures_gold.jsonl", "session"), ("tau_bench/system_prompt.json", "")] {
        let mut reader = Reader::new(None, ReadLimits::default());
        reader.push(&fs::read(dir.join(file)).expect("a readable sample"));
        match reader.finish() {
            Err(error) => assert!(error.saw.contains(saw), "{file}: {error}"),
            Ok(reading) => assert_eq!(calls(&reading).len(), 0, "{file} is no run"),
        }
    }
}
