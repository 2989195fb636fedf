//! What holds for every input: chunks do not matter, nothing panics, a prefix has the prefix of the keys.

use hardwon_core::env::Timestamp;
use hardwon_core::trace::identity::event_keys;
use hardwon_core::trace::{
    Body, Event, Format, Outcome, ReadLimits, Reader, ResultStatus, ToolCall, ToolResult, Trace, canonical,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::common::{read, read_as};
use super::samples::SAMPLES;

fn read_in_chunks(bytes: &[u8], sizes: &[usize]) -> impl PartialEq + core::fmt::Debug + use<> {
    let limits = ReadLimits { max_line: 4_000, max_document: 20_000, max_bad: 5 };
    let mut reader = Reader::new(None, limits);
    let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((*sizes.next().unwrap_or(&1)).clamp(1, rest.len()));
        reader.push(chunk);
        rest = after;
    }
    reader.finish()
}

/// Bytes near to traces: samples with pieces cut out, doubled, or replaced by noise.
fn mangled() -> impl Strategy<Value = Vec<u8>> {
    let noise = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b"{\n".to_vec()),
        Just(b"]}".to_vec()),
        Just(b"\\ud800".to_vec()),
        prop::collection::vec(any::<u8>(), 0..12),
    ];
    (0..SAMPLES.len(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), noise, 1..3_usize)
        .prop_map(|(sample, a, b, noise, times)| {
            let bytes = SAMPLES[sample].0;
            let (a, b) = (a.index(bytes.len()), b.index(bytes.len()));
            let (start, end) = (a.min(b), a.max(b));
            [&bytes[..start], &noise, &bytes[start..end].repeat(times), &bytes[end..]].concat()
        })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,6}", any::<String>(), Just("Error: é\n\"x\"".to_string())]
}

fn call() -> impl Strategy<Value = Body> {
    let args = prop_oneof![
        Just(json!({})),
        text().prop_map(|v| json!({"b": v, "a": [1, 2.5, null]})),
        text().prop_map(Value::String)
    ];
    let status = prop_oneof![Just(ResultStatus::Ok), Just(ResultStatus::Failed), Just(ResultStatus::Refused)];
    let result =
        (status, text(), any::<bool>(), prop::option::of(any::<i64>()), prop::option::of(0..1_i64 << 42))
            .prop_map(|(status, text, cut, exit, ts)| ToolResult {
                ts: ts.map(Timestamp),
                status,
                text,
                cut,
                exit,
            });
    ("c[0-3]", "[a-z]{1,4}", args, result)
        .prop_map(|(call_id, name, args, result)| Body::ToolCall(ToolCall { call_id, name, args, result }))
}

fn body() -> impl Strategy<Value = Body> {
    prop_oneof![
        text().prop_map(|task| Body::Start { task }),
        text().prop_map(|text| Body::Thought { text }),
        text().prop_map(|text| Body::User { text }),
        call(),
        call(),
        call(),
        text().prop_map(|text| Body::Final { text }),
        text().prop_map(|reason| Body::Incomplete { reason }),
        (text(), text()).prop_map(|(path, reason)| Body::Discrepancy { path, reason }),
        (prop::collection::vec(text(), 0..3), prop::collection::vec(text(), 0..2))
            .prop_map(|(items, withheld)| Body::Retrieval { moment: "start".into(), items, withheld }),
        Just(Body::Other),
    ]
}

fn trace() -> impl Strategy<Value = Trace> {
    let event = (prop::option::of("e[0-3]"), any::<bool>(), prop::option::of(0..1_i64 << 42), body());
    let outcome = prop_oneof![Just(Outcome::Success), Just(Outcome::Failed), Just(Outcome::Unknown)];
    (prop::collection::vec(event, 1..12), any::<bool>(), prop::option::of("/[a-z]{1,5}"), outcome).prop_map(
        |(events, anonymous, cwd, outcome)| Trace {
            session_id: "s".into(),
            root_run_id: "r".into(),
            outcome,
            anonymous,
            repo: cwd.as_ref().map(|path| format!("example.org{path}")),
            cwd,
            events: (0..)
                .zip(events)
                .map(|(position, (id, global, ts, body))| Event {
                    id_is_global: global && id.is_some(),
                    id,
                    ts: ts.map(Timestamp),
                    position,
                    body,
                })
                .collect(),
        },
    )
}

proptest! {
    #[test]
    fn chunks_do_not_matter(bytes in mangled(), sizes in prop::collection::vec(1..400_usize, 1..6)) {
        prop_assert_eq!(read_in_chunks(&bytes, &sizes), read_in_chunks(&bytes, &[usize::MAX]));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_as(None, &bytes);
    }

    #[test]
    fn no_reader_fails_on_bytes_of_another_format_or_none(
        bytes in mangled(),
        format in (0..Format::ALL.len()).prop_map(|at| Format::ALL[at]),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = read_as(Some(format), &bytes);
        let mut reader = Reader::new(Some(format), ReadLimits::default());
        let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
        reader.push(head);
        reader.push(tail);
        prop_assert_eq!(reader.finish(), whole);
    }

    #[test]
    fn every_trace_survives_a_trip_through_canonical(trace in trace()) {
        prop_assert_eq!(read(canonical::to_jsonl(&trace).as_bytes()).traces, [trace]);
    }

    #[test]
    fn a_prefix_has_the_prefix_of_the_keys(trace in trace(), end in 1..12_usize) {
        let keys = event_keys(&trace);
        let mut prefix = trace.clone();
        prefix.events.truncate(end);
        let known = prefix.events.len();
        prop_assert_eq!(&event_keys(&prefix)[..], &keys[..known]);
        // Cut between the last call and its answer: what came before stays, and so does a key made from an id.
        if let Some(last) = prefix.events.last_mut() && let Body::ToolCall(call) = &mut last.body {
            call.result = ToolResult::default();
            let by_id = last.id_is_global || (last.id.is_some() && !trace.anonymous);
            let same = if by_id { known } else { known - 1 };
            prop_assert_eq!(&event_keys(&prefix)[..same], &keys[..same]);
        }
    }

    #[test]
    fn names_of_a_session_do_not_enter_the_keys_of_an_unnamed_one(trace in trace()) {
        let mut other = trace.clone();
        other.session_id = "elsewhere".into();
        other.root_run_id = "elsewhere".into();
        let local = |trace: &Trace| trace.events.iter().any(|event| !event.id_is_global);
        prop_assert_eq!(event_keys(&trace) == event_keys(&other), trace.anonymous || !local(&trace));
    }
}

#[test]
fn times_do_not_enter_the_keys_and_repeated_ids_are_told_apart() {
    let line = |ts: u32| {
        format!("{{\"type\":\"user\",\"text\":\"x\",\"event_id\":\"e\",\"session_id\":\"s\",\"ts\":{ts}}}\n")
    };
    let keys = |text: String| event_keys(&read(text.as_bytes()).traces[0]);
    let once = keys(line(1));
    let twice = keys(line(1) + &line(2));
    assert_eq!(keys(line(7)), once);
    assert_eq!(twice[0], once[0]);
    assert_ne!(twice[0], twice[1]);
}

/// Formats whose files do not grow at their end: spans come in the order in which they ended, and these documents tell
/// the task behind the steps, or the end before them.
const WHOLE: [Format; 6] = [
    Format::OpenAiResponses,
    Format::OpenInferenceSpans,
    Format::OtelGenAiSpans,
    Format::LangChainRuns,
    Format::SweAgentTraj,
    Format::ToolBench,
];

#[test]
fn reading_a_prefix_of_lines_gives_a_prefix_of_keys() {
    let grow = |(bytes, format): &&(&[u8], Format)| {
        bytes.windows(2).any(|pair| pair == b"}\n") && !WHOLE.contains(format)
    };
    for (sample, format) in SAMPLES.iter().filter(grow) {
        let whole = read(sample).traces;
        let ends = sample.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for end in ends {
            let Ok(part) = read_as(Some(*format), &sample[..end]) else { continue };
            for (before, after) in part.traces.iter().zip(&whole) {
                let complete = before.events.iter().take_while(|event| match &event.body {
                    Body::ToolCall(call) => call.result.status != ResultStatus::Missing,
                    _ => true,
                });
                let known = complete.count();
                assert_eq!(event_keys(before)[..known], event_keys(after)[..known], "{format} cut at {end}");
            }
        }
    }
}
