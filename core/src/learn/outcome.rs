//! Outcomes: what a run shows of the lessons that it was shown.
//!
//! Counts each event of a session once: what lies before the end of the part read earlier has been counted. Never
//! counts what the trace does not show.

use super::merge::MinedRun;
use crate::change::{Delta, Scalar};
use crate::env::RecordId;
use crate::error::Error;
use crate::op::Editor;
use crate::record::{Counter, Tier};

/// Counts what came of the lessons that a run was shown, from where it was read before.
pub(crate) fn count_outcomes(ed: &mut Editor<'_>, run: &MinedRun, session_id: &str) -> Result<(), Error> {
    let same = |first| run.keys.first() == Some(&first);
    let known = ed.run(session_id).filter(|mark| same(mark.first)).map_or(0, |mark| mark.events);
    for shown in &run.seen.shown {
        for (items, is_withheld) in [(&shown.items, false), (&shown.withheld, true)] {
            for id in items.iter().filter_map(|item| item.parse::<RecordId>().ok()) {
                let Some(record) = ed.get(id) else { continue };
                let came = run.seen.came_of(shown, record);
                let surfaced =
                    (shown.position, if is_withheld { Counter::Withheld } else { Counter::Surfaced });
                for (position, counter) in [Some(surfaced), came].into_iter().flatten() {
                    if position >= known {
                        count(ed, id, if is_withheld { withheld(counter) } else { counter })?;
                    }
                }
                demote(ed, id)?;
            }
        }
    }
    Ok(())
}

fn count(ed: &mut Editor<'_>, id: RecordId, counter: Counter) -> Result<(), Error> {
    ed.push(id, Delta::Count { counter, by: 1 })
}

const fn withheld(counter: Counter) -> Counter {
    match counter {
        Counter::Recurred => Counter::RecurredWithheld,
        Counter::Avoided => Counter::AvoidedWithheld,
        other => other,
    }
}

/// A lesson whose outcomes turn loses its place; `review` lists it.
pub(crate) fn demote(ed: &mut Editor<'_>, id: RecordId) -> Result<(), Error> {
    if ed.get(id).is_some_and(|record| record.tier == Tier::Strategic && record.outcomes_turned()) {
        ed.set(id, Scalar::Tier(Some(Tier::Tactical)))?;
    }
    Ok(())
}
