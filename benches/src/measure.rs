//! Measuring: CPU time, medians, and ratios with their bounds.

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value, json};

/// What has been measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    over: bool,
}

impl Report {
    /// Prints a figure in its unit.
    pub(crate) fn figure(&mut self, name: &str, n: usize, unit: &str, value: f64) {
        let mut row = Map::new();
        row.insert("figure".into(), json!(name));
        row.insert("n".into(), json!(n));
        row.insert(unit.into(), json!((value * 10_000.0).round() / 10_000.0));
        println!("{}", Value::Object(row));
    }

    /// Prints a ratio of two figures of this run, and notes whether it is over its bound.
    pub(crate) fn ratio(&mut self, name: &str, n: usize, value: f64, bound: f64) {
        let holds = value <= bound;
        self.over |= !holds;
        let value = (value * 1000.0).round() / 1000.0;
        println!("{}", json!({"ratio": name, "n": n, "value": value, "bound": bound, "holds": holds}));
    }

    /// Says what keeps a group from being measured, which fails the gate.
    pub(crate) fn missing(&mut self, what: &str) {
        self.over = true;
        println!("{}", json!({"missing": what}));
    }

    /// Whether any ratio was over its bound.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }
}

/// The median CPU time of one call, in milliseconds, over `rounds` rounds of `calls` calls after one warm-up.
pub(crate) fn cpu_ms(rounds: usize, calls: usize, mut call: impl FnMut(usize)) -> f64 {
    call(0);
    let mut times: Vec<f64> = (0..rounds)
        .map(|round| {
            let before = cpu();
            for index in 0..calls {
                call(round * calls + index);
            }
            (cpu() - before) * 1e3 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// CPU seconds of this process so far.
fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
