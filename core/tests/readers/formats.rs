//! Each further format on its sample: every rule of its reader once.

use hardwon_core::trace::{Body, Format, Outcome, ResultStatus, Trace};
use serde_json::{Value, json};

use super::common::{calls, read, read_as, tally, words};
use super::samples::SAMPLES;

use ResultStatus::{Cancelled, Failed, Missing, Ok, Refused};

fn traces(format: Format) -> Vec<Trace> {
    let (sample, _) = SAMPLES.iter().find(|(_, of)| *of == format).expect("a sample");
    let reading = read(sample);
    assert_eq!((reading.report.format, reading.report.bad_total), (Some(format), 0));
    reading.traces
}

/// Tool and status of every call.
fn ends(trace: &Trace) -> Vec<(&str, ResultStatus)> {
    calls(trace).into_iter().map(|call| (call.name.as_str(), call.result.status)).collect()
}

fn texts(trace: &Trace) -> Vec<&str> {
    calls(trace).into_iter().map(|call| call.result.text.as_str()).collect()
}

fn last(trace: &Trace) -> &Body {
    &trace.events.last().expect("an event").body
}

fn in_lines(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn claude_agent_sdk_unwraps_the_lines_and_takes_the_agents_name() {
    let traces = traces(Format::ClaudeAgentSdk);
    let [run] = traces.as_slice() else { panic!("one session: {traces:?}") };
    assert_eq!((run.session_id.as_str(), run.cwd.as_deref()), ("sdk-1", Some("/srv/fruit")));
    assert_eq!(words(run), ["Count the pears"], "the client's words come before the name and belong to it");
    assert_eq!(ends(run), [("Bash", Failed)]);
    assert_eq!(last(run), &Body::Final { text: "There are none.".into() });
}

#[test]
fn codex_judges_by_text_and_gives_a_late_end_to_the_command() {
    let traces = traces(Format::CodexRollout);
    let run = &traces[0];
    assert_eq!(words(run), ["Make the tests pass"], "once, and without the host's texts");
    assert_eq!(
        ends(run),
        [
            ("exec_command", Failed), // went on in the background and ended with 101
            ("write_stdin", Ok),      // looked after it, which worked
            ("apply_patch", Failed),
            ("shell", Refused),
            ("shell", Ok),
            ("exec_command", Cancelled),
        ]
    );
    assert_eq!(texts(run)[0], "test ripe ... FAILED\n", "without the host's head");
    assert_eq!((calls(run)[0].result.exit, texts(run)[4]), (Some(101), "src\n"));
    assert_eq!((run.cwd.as_deref(), run.repo.as_deref()), (Some("/srv/app"), Some("example.org/team/app")));
    assert_eq!(run.repository().as_deref(), Some("example.org/team/app"));
}

#[test]
fn codex_sub_agents_count_for_the_thread_that_spawned_them() {
    let head = json!({"type": "session_meta", "timestamp": "2026-03-01T10:00:00Z", "payload": {"id": "kid",
        "cwd": "/srv/app/.claude/worktrees/x",
        "source": {"subagent": {"thread_spawn": {"parent_thread_id": "mum"}}}}});
    let said = json!({"type": "event_msg", "payload": {"type": "user_message", "message": "Go"}});
    let traces = read(format!("{head}\n{said}\n").as_bytes()).traces;
    assert_eq!((traces[0].session_id.as_str(), traces[0].root_run_id.as_str()), ("kid", "mum"));
    assert_eq!(traces[0].repository().as_deref(), Some("/srv/app"), "a worktree is its repository");
}

#[test]
fn codex_older_rollouts_have_bare_items() {
    let lines = [
        json!({"id": "old-1", "timestamp": "2025-06-01T10:00:00Z", "instructions": null, "git": {}}),
        json!({"record_type": "state"}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}),
        json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c",
            "output": "{\"output\":\"no\",\"metadata\":{\"exit_code\":1}}"}),
    ];
    let text = in_lines(&lines);
    let reading = read(text.as_bytes());
    assert_eq!((reading.report.format, reading.report.bad_total), (Some(Format::CodexRollout), 0));
    assert_eq!((reading.traces[0].session_id.as_str(), tally(&reading.traces)), ("old-1", [0, 1, 0, 0, 0]));
}

#[test]
fn gemini_cli_has_a_status_and_for_shells_an_exit_code() {
    let traces = traces(Format::GeminiCli);
    let run = &traces[0];
    assert_eq!(run.session_id, "gm-1");
    assert_eq!(
        ends(run),
        [
            ("run_shell_command", Failed), // "success", but Exit Code: 3
            ("read_file", Ok),             // the file speaks of an error, the call has none
            ("write_file", Failed),
            ("replace", Refused),
        ]
    );
    assert_eq!(calls(run)[0].result.exit, Some(3));
    let line = r#"{"id":"m","type":"gemini","content":"x","timestamp":"2026-03-01T10:00:00Z"}"#;
    let head = r#"{"sessionId":"gm-2","projectHash":"h","startTime":"2026-03-01T10:00:00Z"}"#;
    assert_eq!(read(format!("{head}\n{line}\n").as_bytes()).traces[0].session_id, "gm-2", "a message a line");
}

#[test]
fn inspect_samples_are_runs_with_scores() {
    let traces = traces(Format::InspectAi);
    let [one, two] = traces.as_slice() else { panic!("two samples: {traces:?}") };
    assert_eq!((one.session_id.as_str(), two.session_id.as_str()), ("run-9/s1-1", "uu-2"));
    assert_eq!((one.outcome, two.outcome), (Outcome::Success, Outcome::Failed));
    assert_eq!(ends(one), [("bash", Failed), ("bash", Ok)]);
    // The log left the call out; the answer names the tool.
    assert_eq!(ends(two), [("bash", Refused)]);
    assert_eq!(last(two), &Body::Incomplete { reason: "message limit".into() });
    assert_eq!(one.repo.as_deref(), Some("example.org/team/evals"));
}

#[test]
fn kimi_takes_each_thing_once_in_both_of_its_forms() {
    let traces = traces(Format::KimiCli);
    let run = &traces[0];
    assert_eq!(words(run), ["Rename the file", "Try c"]);
    assert_eq!(ends(run), [("Shell", Failed), ("Shell", Ok)]);
    assert_eq!(texts(run)[1], "Command executed successfully.");
    assert!(run.anonymous, "nothing names the session");
    assert!(run.events.iter().all(|event| event.ts.is_some()));
}

#[test]
fn mcp_pairs_by_request_and_begins_anew_with_a_handshake() {
    let traces = traces(Format::McpJsonrpc);
    let [one, two] = traces.as_slice() else { panic!("two handshakes: {traces:?}") };
    assert_eq!(ends(one), [("plant", Failed), ("water", Failed), ("plant", Cancelled)]);
    assert_eq!(texts(one), ["no such seed", "Missing argument: litres", "changed my mind"]);
    assert_eq!(ends(two), [("plant", Ok)]);
    assert_eq!(calls(one)[1].args, json!({}));
}

#[test]
fn openhands_observations_answer_their_cause() {
    let traces = traces(Format::OpenHands);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), run.outcome), ("oak__1", Outcome::Failed));
    assert_eq!(
        ends(run),
        [
            ("execute_bash", Failed),
            ("edit", Failed),            // begins with ERROR:
            ("read", Ok),                // the file speaks of an error
            ("unreadable_call", Failed), // an error to no action
            ("run", Missing),            // -1: it had not ended
        ]
    );
    assert_eq!(calls(run)[1].args, json!({"path": "f", "command": "str_replace"}));
    assert!(matches!(last(run), Body::Incomplete { .. }));
    let event = r#"{"id":1,"source":"user","action":"message","args":{"content":"Hi"}}"#;
    assert_eq!(
        words(&read(format!("{event}\n{event}\n").as_bytes()).traces[0]),
        ["Hi", "Hi"],
        "an event a line"
    );
}

#[test]
fn spans_are_put_in_order_and_what_runs_in_a_tool_is_a_sub_agent() {
    let traces = traces(Format::OpenInferenceSpans);
    let [run, helper] = traces.as_slice() else { panic!("two sessions: {traces:?}") };
    assert_eq!((run.session_id.as_str(), run.root_run_id.as_str()), ("th-9", "th-9"));
    assert_eq!((helper.session_id.as_str(), helper.root_run_id.as_str()), ("th-9/04", "th-9"));
    assert_eq!(words(run), ["Water the oak"]);
    assert_eq!(ends(run), [("water", Failed), ("ask_helper", Ok)]);
    assert_eq!((texts(run)[0], ends(helper)), ("ValueError('dry')", vec![("look", Ok)]));
    assert_eq!(last(run), &Body::Final { text: "I will".into() });
    assert!(run.events.windows(2).all(|pair| pair[0].ts <= pair[1].ts));
}

#[test]
fn genai_spans_come_as_otlp() {
    let traces = traces(Format::OtelGenAiSpans);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), words(run)), ("conv-4", vec!["Prune it"]));
    assert_eq!((ends(run), texts(run)), (vec![("prune", Failed)], vec!["no shears"]));
    assert_eq!((calls(run)[0].call_id.as_str(), &calls(run)[0].args), ("gc1", &json!({"branch": 2})));
}

#[test]
fn spans_without_tools_are_told_by_the_longest_conversation() {
    let span = |id: u32, messages: Value| {
        json!({"name": "chat", "context": {"trace_id": "cc", "span_id": id.to_string()}, "parent_id": null,
            "start_time": format!("2026-03-01T10:00:0{id}Z"), "status": {}, "attributes": {
            "gen_ai.operation.name": "chat", "gen_ai.input.messages": messages.to_string(),
            "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Done\"}]}]"}})
    };
    let user = json!({"role": "user", "parts": [{"type": "text", "content": "Dig"}]});
    let call = json!({"role": "assistant", "parts": [{"type": "tool_call", "id": "d", "name": "dig", "arguments": {}}]});
    let answer = json!({"role": "tool", "parts": [{"type": "tool_call_response", "id": "d", "response": "Error: rock"}]});
    let lines = format!("{}\n{}\n", span(2, json!([user, call, answer])), span(1, json!([user])));
    let traces = read(lines.as_bytes()).traces;
    assert_eq!((words(&traces[0]), ends(&traces[0])), (vec!["Dig"], vec![("dig", Failed)]));
}

#[test]
fn otel_events_carry_flags_and_refusals() {
    let traces = traces(Format::OtelEvents);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), run.cwd.as_deref()), ("ev-1", Some("/srv/garden")));
    assert_eq!(ends(run), [("Bash", Failed), ("Write", Refused), ("Edit", Ok)]);
    assert_eq!(calls(run)[0].args, json!({"full_command": "mow"}));
}

#[test]
fn langchain_runs_are_trees_lines_or_events() {
    let traces = traces(Format::LangChainRuns);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), words(run)), ("th-5", vec!["Rake the leaves"]));
    assert_eq!(ends(run), [("rake", Failed), ("rake", Ok)]);
    assert_eq!(texts(run), ["ValueError('no rake')", "raked"]);
    assert_eq!(last(run), &Body::Final { text: "Half of them.".into() });
    let events = [
        json!({"event": "on_chain_start", "run_id": "g", "name": "LangGraph", "parent_ids": [],
            "data": {"input": {"messages": [{"role": "user", "content": "Rake"}]}}}),
        json!({"event": "on_tool_start", "run_id": "t", "name": "rake", "parent_ids": ["g"], "data": {"input": {"n": 1}}}),
        json!({"event": "on_tool_error", "run_id": "t", "name": "rake", "parent_ids": ["g"], "data": {"error": "broke"}}),
        json!({"event": "on_chain_end", "run_id": "g", "name": "LangGraph", "parent_ids": [], "data": {}}),
    ];
    let text = in_lines(&events);
    let traces = read(text.as_bytes()).traces;
    assert_eq!((traces[0].session_id.as_str(), words(&traces[0])), ("g", vec!["Rake"]));
    assert_eq!(ends(&traces[0]), [("rake", Failed)]);
}

#[test]
fn swe_agent_observations_tell_failures_by_their_text() {
    let traces = traces(Format::SweAgentTraj);
    let run = &traces[0];
    assert_eq!(words(run), ["Fix the bug"], "a demonstration is no task");
    assert_eq!(
        ends(run),
        [("create", Ok), ("edit", Failed), ("bash", Failed), ("bash", Failed), ("bash", Ok), ("submit", Ok)]
    );
    assert_eq!(
        calls(run)[1].args,
        json!({"path": "/w/fix.py", "operands": "1:1", "text": "import os\n  bad\n"})
    );
    assert_eq!((last(run), run.outcome), (&Body::Final { text: "diff".into() }, Outcome::Unknown));
}

#[test]
fn mini_swe_agent_pairs_commands_with_observations() {
    let traces = traces(Format::MiniSweAgent);
    let run = &traces[0];
    assert_eq!(words(run), ["Solve: the gate squeaks"], "a reminder of the rules is no person's");
    assert_eq!(ends(run), [("bash", Failed), ("bash", Ok), ("bash", Failed), ("bash", Ok)]);
    assert_eq!((calls(run)[0].result.exit, texts(run)[1]), (Some(127), "gate"));
    assert_eq!(calls(run)[0].args, json!({"command": "oil gate"}));
}

#[test]
fn toolbench_reads_the_tree_with_its_dead_branches() {
    let traces = traces(Format::ToolBench);
    let run = &traces[0];
    assert_eq!((words(run), run.outcome), (vec!["Will it snow?"], Outcome::Failed));
    assert_eq!(
        ends(run),
        [
            ("weather_for_sky", Ok),
            ("rain_for_sky", Failed), // code 0, but the service says that it did not do it
            ("snow_for_sky", Failed), // code 5
        ]
    );
    assert_eq!(calls(run)[1].args, json!("{\"city\": "), "arguments that are no JSON are kept");
    assert_eq!(last(run), &Body::Incomplete { reason: "gave up".into() });
}

#[test]
fn who_and_when_takes_code_that_ran_and_requests_for_calls() {
    let traces = traces(Format::WhoAndWhen);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), run.outcome), ("q-7", Outcome::Failed));
    assert_eq!(ends(run), [("execute_code", Failed), ("Surfer", Ok), ("Surfer", Missing)]);
    assert_eq!(calls(run)[0].args, json!({"language": "python", "code": "print(len(gates))\n"}));
    let shown = format!("{run:?}");
    assert!(!shown.contains("mistake"), "labels are no part of a run");
}

#[test]
fn vercel_reads_steps_messages_and_chats() {
    let traces = traces(Format::VercelAiSdk);
    let run = &traces[0];
    assert_eq!((run.session_id.as_str(), words(run)), ("ai-3", vec!["Find a spade"]));
    assert_eq!(ends(run), [("find", Failed), ("buy", Missing), ("find", Ok), ("buy", Failed)]);
    assert_eq!((texts(run)[3], last(run)), ("no money", &Body::Final { text: "Found one.".into() }));

    let messages = json!([{"role": "user", "content": "Dig"},
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "dig", "input": {}},
            {"type": "tool-call", "toolCallId": "b", "toolName": "dig", "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "dig",
            "output": {"type": "error-text", "value": "rock"}}, {"type": "tool-result", "toolCallId": "b",
            "toolName": "dig", "output": {"type": "execution-denied", "reason": "no"}}]}]);
    let read_one = |value: Value| {
        let reading = read(value.to_string().as_bytes());
        assert_eq!(reading.report.format, Some(Format::VercelAiSdk));
        reading.traces
    };
    assert_eq!(ends(&read_one(messages)[0]), [("dig", Failed), ("dig", Refused)]);

    let chat = json!([{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Dig"}]},
        {"id": "2", "role": "assistant", "parts": [{"type": "step-start"},
            {"type": "tool-dig", "toolCallId": "a", "state": "output-error", "input": {}, "errorText": "rock"},
            {"type": "dynamic-tool", "toolName": "fill", "toolCallId": "b", "state": "output-available", "input": {},
                "output": "full"},
            {"type": "tool-invocation", "toolInvocation": {"state": "call", "toolCallId": "c", "toolName": "rest"}}]}]);
    let traces = read_one(chat);
    assert_eq!(ends(&traces[0]), [("dig", Failed), ("fill", Ok), ("rest", Missing)]);
}

#[test]
fn openai_responses_are_lists_lines_or_responses() {
    let traces = traces(Format::OpenAiResponses);
    let run = &traces[0];
    assert_eq!(words(run), ["Paint the fence"]);
    assert_eq!(ends(run), [("paint", Failed), ("web_search", Ok), ("order", Failed)]);
    assert_eq!((calls(run)[0].call_id.as_str(), texts(run)[2]), ("call_a", "not signed in"));
    assert_eq!(last(run), &Body::Incomplete { reason: "max_output_tokens".into() });
    let items = json!([{"type": "function_call", "call_id": "a", "name": "x", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "fine"}]);
    let list = read(items.to_string().as_bytes()).traces;
    let lines = in_lines(items.as_array().expect("items"));
    assert_eq!((ends(&list[0]), &read(lines.as_bytes()).traces), (vec![("x", Ok)], &list));
}

#[test]
fn anthropic_blocks_are_calls_and_answers() {
    let traces = traces(Format::Anthropic);
    let run = &traces[0];
    assert_eq!(words(run), ["Feed the cat", "Try water"]);
    assert_eq!(ends(run), [("feed", Failed), ("feed", Failed), ("feed", Ok)]);
    // One a line: the first line says nothing of the format, and the blocks are read all the same.
    let (sample, _) = SAMPLES.iter().find(|(_, of)| *of == Format::Anthropic).expect("a sample");
    let unit: Value = serde_json::from_slice(sample).expect("JSON");
    let lines = in_lines(unit["messages"].as_array().expect("messages"));
    assert_eq!(tally(&read(lines.as_bytes()).traces), tally(&traces));
    let plain = br#"[{"role":"user","content":"Hi"}]"#;
    for format in [Format::Anthropic, Format::VercelAiSdk, Format::MiniSweAgent, Format::OpenAiResponses] {
        assert!(read_as(Some(format), plain).is_ok(), "{format} has plain messages too");
    }
}
