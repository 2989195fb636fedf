//! Arguments: what follows an objection until something comes of it.
//!
//! Decides whose turn it is and when others must decide. An argument has three inputs, one thread and one number; it
//! ends with an `info` that says what came of it, or with the lead.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::active::INPUTS;
use super::machine::Machine;
use super::message::{Message, MessageKind};
use super::say::{Action, Came, Objection, Verdict};
use super::state::{Argument, Stage, Work};
use crate::env::{RecordId, Timestamp};

/// How the last `info` of an argument begins.
pub(super) const OUTCOME: &str = "Outcome: ";
/// How the tag of an objection begins, by which it is known again.
const TAG: &str = "\n[argument ";

impl Work {
    /// The argument that it is about.
    pub(super) const fn argument(&self) -> Option<u64> {
        match self {
            Self::Heard(_) => None,
            Self::Argued { argument, .. } | Self::Decided { argument, .. } => Some(*argument),
        }
    }
}

impl Argument {
    /// An argument about an objection that is about to be posted.
    pub(super) fn on(intent: Message, objection: Objection, now: Timestamp) -> Self {
        Self {
            intent,
            objection,
            inputs: 1,
            is_posted: false,
            answer: None,
            stage: Stage::Open,
            last: now,
            judge: String::new(),
        }
    }

    /// Both positions and one question.
    fn positions(&self, why: &str) -> String {
        let answer = self.answer.as_ref().map_or("none", |answer| answer.text.as_str());
        format!(
            "{why}\nintent: {}\nobjection: {}\nanswer: {answer}\nquestion: is the intent to go on as announced?",
            self.intent.text, self.objection.text
        )
    }
}

/// An objection as it is posted: with the number of its argument and its memories, for whoever reads the channel.
pub(super) fn tagged(id: u64, objection: &Objection) -> String {
    let memories: Vec<String> = objection.memories.iter().map(ToString::to_string).collect();
    format!("{}{TAG}{id}: {}]", objection.text, memories.join(" "))
}

/// The number, the memories and the words of a posted objection.
pub(super) fn untagged(text: &str) -> (Option<u64>, Vec<RecordId>, String) {
    let Some((words, tag)) = text.rsplit_once(TAG) else { return (None, Vec::new(), text.into()) };
    let (number, memories) = tag.trim_end_matches(']').split_once(": ").unwrap_or((tag, ""));
    let memories = memories.split(' ').filter_map(|id| id.parse().ok()).collect();
    (number.parse().ok(), memories, words.into())
}

impl Machine {
    /// Takes what is said in an argument; answers whether it was nothing else.
    pub(super) fn listened_to_argument(&mut self, message: &Message) -> bool {
        let Some(id) = self.s.mind.argument_on(&message.thread) else { return false };
        let Some(argument) = self.s.mind.arguments.get_mut(&id) else { return false };
        if !argument.is_posted {
            return false;
        }
        let is_initiator = message.from == argument.intent.from;
        let is_lead = message.from == self.s.lead;
        let is_judge = is_lead || (argument.stage == Stage::Escalated && message.from == argument.judge);
        let decides = match message.kind {
            MessageKind::Ack | MessageKind::Done => is_initiator,
            MessageKind::Info => is_judge && (!is_initiator || argument.stage == Stage::Escalated),
            _ => false,
        };
        if decides {
            self.s.mind.queue.push_back(Work::Decided { argument: id, message: message.clone() });
            // What the initiator has done teaches facts too.
            return message.kind != MessageKind::Done;
        }
        match message.kind {
            MessageKind::Info if is_initiator => {
                self.answered_back(id, message);
                true
            }
            MessageKind::Escalate if is_initiator => {
                let has_lead = message.recipients().contains(&self.s.lead.as_str());
                argument.judge = if has_lead { self.s.lead.clone() } else { message.from.clone() };
                argument.stage = Stage::Escalated;
                self.open_next();
                true
            }
            _ => false,
        }
    }

    /// The initiator answers: once it is heard, what comes after the counter goes to the lead.
    fn answered_back(&mut self, id: u64, message: &Message) {
        let now = self.now;
        let Some(argument) = self.s.mind.arguments.get_mut(&id) else { return };
        argument.last = now;
        match (argument.stage, argument.inputs) {
            (Stage::Escalated, _) => {}
            (stage, 0 | 1) => {
                argument.inputs = 2;
                argument.answer = Some(message.clone());
                if stage == Stage::Open {
                    let work = Work::Argued { argument: id, message: message.clone() };
                    self.s.mind.queue.push_back(work);
                }
            }
            (_, INPUTS..) => {
                argument.answer = Some(message.clone());
                self.hand_on(id, "three inputs have not settled it");
            }
            // It is the memory's turn.
            _ => {}
        }
    }

    /// What the memory says to an answer.
    pub(super) fn ruled(&mut self, id: u64, message: &Message, verdict: Option<Verdict>) {
        let now = self.now;
        let Some(argument) = self.s.mind.arguments.get_mut(&id) else { return };
        let (to, thread) = (argument.intent.from.clone(), argument.intent.thread.clone());
        match verdict {
            Some(Verdict::Settled(came)) if came != Came::Unresolved => {
                self.post(&to, &thread, MessageKind::Ack, "the answer meets the objection".into());
                self.close(id, came, message);
            }
            other => {
                let restated = argument.objection.text.clone();
                let text = if let Some(Verdict::Rebut(text)) = other { text } else { restated };
                (argument.inputs, argument.last) = (INPUTS, now);
                self.post(&to, &thread, MessageKind::Info, text);
            }
        }
    }

    /// Ends an argument: what came of it is counted, and said.
    pub(super) fn close(&mut self, id: u64, came: Came, because: &Message) {
        let Some(argument) = self.s.mind.arguments.remove(&id) else { return };
        self.s.mind.queue.retain(|work| work.argument() != Some(id));
        let counts = &mut self.s.mind.counts;
        let (counter, words) = match came {
            Came::Followed => (&mut counts.followed, "the memory was followed"),
            Came::NotFollowed => (&mut counts.not_followed, "the memory was not followed"),
            Came::Irrelevant => (&mut counts.irrelevant, "the memory had nothing to do with it"),
            Came::Unresolved => (&mut counts.unresolved, "nobody said what came of it"),
        };
        *counter += 1;
        if came != Came::Unresolved {
            let (memories, seed) = (argument.objection.memories, because.seed("settled"));
            self.out.push(Action::Settle { memories, came, seed });
        }
        let (to, thread) = (argument.intent.from, argument.intent.thread);
        self.post(&to, &thread, MessageKind::Info, format!("{OUTCOME}{words} (argument {id})"));
        self.open_next();
    }

    /// Arguments in which nothing was said for long go to the lead; no outcome is counted.
    pub(super) fn end_late(&mut self) {
        let (now, after) = (self.now, self.s.timers.argument_ms);
        let is_late = |one: &Argument| one.stage == Stage::Open && now.0.saturating_sub(one.last.0) >= after;
        let late: Vec<u64> =
            self.s.mind.arguments.iter().filter(|(_, one)| is_late(one)).map(|(id, _)| *id).collect();
        for id in late {
            self.hand_on(id, "nothing was said for five minutes");
        }
        self.open_next();
    }

    /// Whoever leaves leaves no objection that nobody can lift.
    pub(super) fn hand_over(&mut self) {
        let open: Vec<u64> = self.s.mind.arguments.keys().copied().collect();
        for id in open {
            if self.s.mind.arguments.get(&id).is_some_and(|one| one.stage != Stage::Escalated) {
                self.hand_on(id, "the memory leaves");
            }
        }
    }

    /// Puts an argument to the lead, or to its initiator where there is none.
    fn hand_on(&mut self, id: u64, why: &str) {
        let Some(argument) = self.s.mind.arguments.get(&id).filter(|_| self.is_live) else { return };
        let (thread, from) = (argument.intent.thread.clone(), argument.intent.from.clone());
        let judge = self.escalate(&thread, &from, argument.positions(why));
        if let Some(argument) = self.s.mind.arguments.get_mut(&id) {
            (argument.stage, argument.judge) = (Stage::Escalated, judge);
        }
        self.open_next();
    }

    /// Where an argument has ended, the one that waits longest begins.
    fn open_next(&mut self) {
        let now = self.now;
        let most = self.s.timers.arguments as usize;
        let open = self.s.mind.arguments.values().filter(|one| one.stage == Stage::Open).count();
        let waiting = self.s.mind.arguments.iter_mut().filter(|(_, one)| one.stage == Stage::Queued);
        for (id, argument) in waiting.take(most.saturating_sub(open)) {
            (argument.stage, argument.last) = (Stage::Open, now);
            if let Some(message) = argument.answer.clone().filter(|_| argument.inputs == 2) {
                self.s.mind.queue.push_back(Work::Argued { argument: *id, message });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objection_is_known_again_by_its_tag() {
        let objection = Objection {
            memories: [RecordId([7; 16]), RecordId([8; 16])].into(),
            text: "use the script\n[not a tag]".into(),
        };
        let (number, memories, text) = untagged(&tagged(41, &objection));
        assert_eq!((number, memories, text), (Some(41), objection.memories, objection.text));
        assert_eq!(untagged("plain").0, None);
    }
}
