//! Each format on a sample of our own, every rule of its reader once.

use hardwon_core::trace::{Body, Format, Outcome, ResultStatus, canonical, detect};
use serde_json::{Value, json};

use super::common::{calls, read, read_as, tally, words};

const CANONICAL: &[u8] = include_bytes!("../samples/canonical.jsonl");
const CLAUDE_CODE: &[u8] = include_bytes!("../samples/claude_code.jsonl");
const OPENAI: &[u8] = include_bytes!("../samples/openai.json");
const LANGCHAIN_LC: &[u8] = include_bytes!("../samples/langchain_lc.json");
const LANGCHAIN_FLAT: &[u8] = include_bytes!("../samples/langchain_flat.jsonl");

pub(crate) const SAMPLES: [(&[u8], Format); 23] = [
    (CANONICAL, Format::Canonical),
    (CLAUDE_CODE, Format::ClaudeCode),
    (OPENAI, Format::OpenAi),
    (LANGCHAIN_LC, Format::LangChain),
    (LANGCHAIN_FLAT, Format::LangChain),
    (include_bytes!("../samples/claude_agent_sdk.json"), Format::ClaudeAgentSdk),
    (include_bytes!("../samples/codex_rollout.jsonl"), Format::CodexRollout),
    (include_bytes!("../samples/gemini_cli.json"), Format::GeminiCli),
    (include_bytes!("../samples/inspect_ai.json"), Format::InspectAi),
    (include_bytes!("../samples/kimi_cli.jsonl"), Format::KimiCli),
    (include_bytes!("../samples/mcp_jsonrpc.jsonl"), Format::McpJsonrpc),
    (include_bytes!("../samples/openhands.jsonl"), Format::OpenHands),
    (include_bytes!("../samples/openinference_spans.jsonl"), Format::OpenInferenceSpans),
    (include_bytes!("../samples/otel_genai_spans.json"), Format::OtelGenAiSpans),
    (include_bytes!("../samples/otel_events.jsonl"), Format::OtelEvents),
    (include_bytes!("../samples/langchain_runs.json"), Format::LangChainRuns),
    (include_bytes!("../samples/swe_agent_traj.json"), Format::SweAgentTraj),
    (include_bytes!("../samples/mini_swe_agent.json"), Format::MiniSweAgent),
    (include_bytes!("../samples/toolbench.json"), Format::ToolBench),
    (include_bytes!("../samples/who_and_when.json"), Format::WhoAndWhen),
    (include_bytes!("../samples/vercel_ai_sdk.json"), Format::VercelAiSdk),
    (include_bytes!("../samples/openai_responses.json"), Format::OpenAiResponses),
    (include_bytes!("../samples/anthropic.json"), Format::Anthropic),
];

#[test]
fn names_and_formats_agree() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(serde_json::to_value(format).expect("a name"), json!(format.name()));
    }
    assert_eq!(Format::from_name("fortran"), None);
}

#[test]
fn a_format_is_detected_from_a_head_that_ends_anywhere() {
    for (sample, format) in SAMPLES {
        assert_eq!(detect(sample), Some(format));
        assert_eq!(read(sample).report.format, Some(format));
        for end in (600.min(sample.len())..sample.len()).step_by(7) {
            assert_eq!(detect(&sample[..end]), Some(format), "{format} cut at {end}");
        }
    }
}

#[test]
fn a_format_that_was_named_wrongly_says_what_it_saw() {
    for (sample, format) in SAMPLES {
        for other in Format::ALL {
            let reading = read_as(Some(other), sample);
            assert_eq!(reading.is_ok(), other == format, "{format} read as {other}");
            if let Err(error) = reading {
                assert!(error.saw.contains(format.name()), "{error}");
            }
        }
    }
}

#[test]
fn canonical_sessions_interleave_and_share_their_root() {
    let reading = read(CANONICAL);
    let [run, child] = reading.traces.as_slice() else { panic!("two sessions: {:?}", reading.traces) };
    assert_eq!((run.session_id.as_str(), run.root_run_id.as_str()), ("run-1", "run-1"));
    assert_eq!((child.session_id.as_str(), child.root_run_id.as_str()), ("child-1", "run-1"));
    assert_eq!((run.events.len(), child.events.len()), (9, 3));
    assert_eq!((run.outcome, child.outcome), (Outcome::Success, Outcome::Failed));
    assert_eq!(run.cwd.as_deref(), Some("/srv/game"));
    assert_eq!(child.events[0].ts.map(|ts| ts.to_string()).as_deref(), Some("2026-03-01T10:00:01.500Z"));
    assert!(run.events.iter().enumerate().all(|(n, event)| event.position as usize == n));
}

#[test]
fn a_canonical_result_without_ok_is_a_failure() {
    let reading = read(CANONICAL);
    let child = calls(&reading.traces[1])[0];
    assert_eq!((child.result.status, child.result.text.as_str()), (ResultStatus::Failed, "no sprite yew"));
    let run = calls(&reading.traces[0]);
    assert_eq!((run[0].result.status, run[0].result.text.as_str()), (ResultStatus::Ok, r#"["oak","elm"]"#));
    assert_eq!((run[1].result.status, run[1].result.text.as_str()), (ResultStatus::Failed, r#"{"code":2}"#));
    assert_eq!(run[1].call_id, "2.0");
}

#[test]
fn unknown_canonical_types_are_kept() {
    let reading = read(CANONICAL);
    let others = reading.traces[0].events.iter().filter(|event| event.body == Body::Other).count();
    assert_eq!(others, 2, "plan_started and usage");
    let shown = reading.traces[0].events.iter().find_map(|event| match &event.body {
        Body::Retrieval { items, .. } => Some(items.join(" ")),
        _ => None,
    });
    assert_eq!(shown.as_deref(), Some("r1 r2"));
}

#[test]
fn every_sample_survives_a_trip_through_canonical() {
    for (sample, format) in SAMPLES {
        let before = read(sample).traces;
        let text: String = before.iter().map(canonical::to_jsonl).collect();
        let after = read(text.as_bytes());
        assert_eq!(after.report.format, Some(Format::Canonical), "{format}");
        assert_eq!(after.traces, before, "{format}");
    }
}

#[test]
fn claude_code_tells_failures_from_refusals_and_cascades() {
    let reading = read(CLAUDE_CODE);
    let main = &reading.traces[0];
    let found: Vec<_> = calls(main).iter().map(|call| (call.call_id.as_str(), call.result.status)).collect();
    assert_eq!(
        found,
        [
            ("toolu_1", ResultStatus::Failed),
            ("toolu_2", ResultStatus::Ok),
            ("toolu_3", ResultStatus::Failed),
            ("toolu_4", ResultStatus::Cancelled),
            ("toolu_6", ResultStatus::Refused),
            ("toolu_7", ResultStatus::Failed), // no flag, but its shell's text begins with an exit code
            ("toolu_8", ResultStatus::Cancelled), // without an answer when the user interrupted
        ]
    );
    let results: Vec<_> = calls(main).iter().map(|call| &call.result).collect();
    assert_eq!(results[0].exit, Some(2));
    assert_eq!(results[1].text, "all:\n\tcc main.c");
    assert_eq!(results[2].text, "String to replace not found in file.");
}

#[test]
fn claude_code_takes_only_real_words_for_the_users() {
    let reading = read(CLAUDE_CODE);
    assert_eq!(words(&reading.traces[0]), ["Make the build green", "Use clang instead, \u{fffd} please"]);
    assert_eq!(reading.report.bad_total, 0);
}

#[test]
fn claude_code_sub_agents_are_sessions_of_the_same_root() {
    let reading = read(CLAUDE_CODE);
    let agent = &reading.traces[1];
    assert_eq!((agent.session_id.as_str(), agent.root_run_id.as_str()), ("s1/ab12", "s1"));
    assert!(calls(agent)[0].result.cut);
    assert_eq!(reading.traces[0].cwd.as_deref(), Some("/srv/app"));
    assert!(reading.traces.iter().flat_map(|trace| &trace.events).all(|event| event.id_is_global));
}

#[test]
fn the_same_lines_twice_in_a_file_are_read_once() {
    assert_eq!(read(&CLAUDE_CODE.repeat(2)).traces, read(CLAUDE_CODE).traces);
}

#[test]
fn a_stream_ends_with_its_result() {
    let stream = concat!(
        r#"{"type":"system","subtype":"init","session_id":"s9","cwd":"/srv","uuid":"x"}"#,
        "\n",
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Task","input":{}}]},"session_id":"s9","uuid":"y"}"#,
        "\n",
        r#"{"type":"user","parent_tool_use_id":"t1","message":{"content":"Look around"},"session_id":"s9","uuid":"z"}"#,
        "\n",
    );
    let with = |line: &str| read(format!("{stream}{line}\n").as_bytes()).traces;
    let done =
        with(r#"{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s9"}"#);
    assert_eq!(done[1].session_id, "s9/t1");
    assert_eq!(done[0].events.last().map(|event| &event.body), Some(&Body::Final { text: "Done.".into() }));
    assert_eq!(done[0].outcome, Outcome::Unknown, "the program ended well; the task need not have");
    let spent = with(r#"{"type":"result","subtype":"error_max_turns","is_error":false,"session_id":"s9"}"#);
    assert!(matches!(spent[0].events.last().map(|event| &event.body), Some(Body::Incomplete { .. })));
    let broken = with(r#"{"type":"result","subtype":"error_during_execution","session_id":"s9"}"#);
    assert_eq!(broken[0].outcome, Outcome::Failed);
}

#[test]
fn openai_pairs_by_the_nearest_unanswered_call() {
    let reading = read(OPENAI);
    let trace = &reading.traces[0];
    assert_eq!((trace.session_id.as_str(), trace.anonymous), ("chat-7", false));
    let found: Vec<_> = calls(trace).iter().map(|call| (call.name.as_str(), call.result.status)).collect();
    assert_eq!(
        found,
        [
            ("find_rooms", ResultStatus::Ok),
            ("get_user", ResultStatus::Failed),
            ("book", ResultStatus::Failed),
            ("book", ResultStatus::Ok),
        ]
    );
    let given: Vec<&Value> = calls(trace).iter().map(|call| &call.args).collect();
    assert_eq!(
        given,
        [&json!({"people": 2}), &json!("{broken"), &json!({"room": "r9"}), &json!({"room": "r4"})]
    );
    assert_eq!(words(trace), ["A room for two, please"], "a system message is no user's");
}

#[test]
fn openai_conversations_come_in_five_wrappings() {
    let messages = r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]"#;
    let lines = "{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\"assistant\",\"content\":\"Hello\"}\n";
    let expected = read(messages.as_bytes()).traces;
    assert_eq!((expected.len(), expected[0].anonymous, expected[0].events.len()), (1, true, 2));
    assert_eq!(read(lines.as_bytes()).traces, expected);
    assert_eq!(read(format!("{{\"messages\":{messages}}}").as_bytes()).traces, expected);
    assert_eq!(read(format!("[{messages}]").as_bytes()).traces, expected);
    let two = read(format!("{{\"messages\":{messages}}}\n{{\"messages\":{messages}}}\n").as_bytes()).traces;
    assert_eq!(two, [expected.clone(), expected].concat());
    let tau = read(format!(r#"{{"task_id":4,"trial":1,"reward":1.0,"traj":{messages}}}"#).as_bytes()).traces;
    assert_eq!((tau[0].session_id.as_str(), tau[0].root_run_id.as_str()), ("t4-r1", "t4-r1"));
    assert_eq!((tau[0].outcome, tau[0].anonymous), (Outcome::Success, false));
}

#[test]
fn langchain_reads_all_forms() {
    let lc = read(LANGCHAIN_LC).traces;
    assert_eq!(lc[0].session_id, "th-3");
    assert_eq!(tally(&lc), [1, 1, 0, 0, 0]);
    assert_eq!(calls(&lc[0])[1].args, json!({"city": "Graz, AT"}));
    let flat = read(LANGCHAIN_FLAT).traces;
    // The default status says nothing; the text does. The call that was no JSON never ran.
    assert_eq!(tally(&flat), [0, 1, 0, 0, 1]);
    let dict = r#"[{"type":"human","data":{"content":"Sum","id":"h"}},{"type":"ai","data":{"content":"3"}}]"#;
    assert_eq!(read(dict.as_bytes()).traces[0].events.len(), 2);
}
