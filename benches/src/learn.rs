//! How fast traces are learned from: reading, mining, merging.

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::op::{Input, Learn};
use hardwon_core::policy::Policy;
use hardwon_core::record::Scope;

use crate::measure::{Report, cpu_ms};

pub(crate) fn run(report: &mut Report) {
    let data = sessions(400);
    let bytes = data.len();
    let ms = cpu_ms(5, 1, |_| {
        let mut memory =
            Memory::with_store(MemoryStore::new(), "bench", Policy::default()).expect("a valid policy");
        let learn = Learn { data: Some(data.clone()), scope: Some(Scope::global()), ..Learn::default() };
        memory.run(Input::Learn(learn)).expect("a readable trace");
    });
    report.figure("learn canonical traces", bytes, "MB/s", bytes as f64 / 1e6 / (ms / 1e3));
}

/// Sessions of a hundred calls with two kilobytes of output each; one call in twenty fails.
fn sessions(count: usize) -> String {
    let output = "compiled module without a warning; wrote 12 artefacts to the build folder. ".repeat(28);
    let mut out = String::new();
    for session in 0..count {
        for call in 0..100 {
            let result = if call % 20 == 7 {
                let kind = (session + call) % 9;
                format!(
                    "{{\"ok\":false,\"error\":\"step {call} of stage number{kind} refused the given manifest\"}}"
                )
            } else {
                format!("{{\"ok\":true,\"result\":\"{output}\"}}")
            };
            out.push_str(&format!(
                "{{\"type\":\"tool_call\",\"step\":{call},\"call_index\":0,\"name\":\"bash\",\
                 \"args\":{{\"command\":\"make stage{call}\"}},\"result\":{result},\
                 \"session_id\":\"s{session}\",\"event_id\":\"s{session}-{call}\"}}\n"
            ));
        }
    }
    out
}
