//! The side of the memory: it hears what others are about to do and have done, and never keeps silent.
//!
//! Decides what the memory is asked, in which order, and what is posted of its answer. Never judges a message itself,
//! and announces nothing of its own.

use alloc::format;
use alloc::string::String;

use super::argument::{OUTCOME, tagged};
use super::machine::{HEARTBEAT, Machine, STATUS};
use super::message::{EVERYBODY, Message, MessageKind};
use super::say::{About, Action, Came, Objection, Opinion, Question, Verdict};
use super::state::{Argument, Mind, Phase, Stage, Work};
use crate::env::{RecordId, Timestamp};

/// What an `ack` says where the memory had nothing to say.
const NOTHING: &str = "No relevant memories. Proceed.";

impl Mind {
    /// Nothing of an earlier session counts.
    pub(super) fn forget(&mut self) {
        self.queue.clear();
        self.arguments.clear();
        self.said.clear();
        self.asked.clear();
        self.intents.clear();
        self.counted.clear();
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.asking.is_none()
    }

    /// When open arguments have lasted too long.
    pub(super) fn deadlines(&self, after: i64) -> impl Iterator<Item = i64> {
        let open = self.arguments.values().filter(|one| one.stage == Stage::Open);
        open.map(move |one| one.last.0.saturating_add(after))
    }

    /// The argument of a thread: there is one at most.
    pub(super) fn argument_on(&self, thread: &str) -> Option<u64> {
        self.arguments.iter().find(|(_, one)| one.intent.thread == thread).map(|(id, _)| *id)
    }

    /// Notes an objection that stands in the channel. Where no more arguments may be open, its own waits.
    pub(super) fn dispute(&mut self, id: u64, argument: Argument, most: u32) {
        let open = self.arguments.values().filter(|one| one.stage == Stage::Open).count();
        let stage = if open < most as usize { Stage::Open } else { Stage::Queued };
        self.next = self.next.max(id.saturating_add(1));
        self.arguments.insert(id, Argument { stage, ..argument });
    }

    fn has_answered(&mut self, thread: &str) {
        self.queue.retain(|work| {
            !matches!(work, Work::Heard(one) if one.kind == MessageKind::Intent && one.thread == thread)
        });
    }
}

impl Machine {
    /// A message of its own. What it heard now, it knows; what stands there from before, it learns again.
    pub(super) fn reacted(&mut self, message: &Message) {
        let id = self.s.mind.argument_on(&message.thread);
        if self.is_live {
            if let Some(argument) = id.and_then(|id| self.s.mind.arguments.get_mut(&id)) {
                argument.is_posted |= message.kind == MessageKind::Wait;
            }
            return;
        }
        let mind = &mut self.s.mind;
        // What was heard before it last said something has been thought about.
        mind.queue.retain(|work| !matches!(work, Work::Heard(one) if one.kind != MessageKind::Intent));
        match message.kind {
            MessageKind::Ready => mind.forget(),
            MessageKind::Done => mind.forget(),
            MessageKind::Ack => {
                mind.has_answered(&message.thread);
                if let Some(id) = id {
                    mind.arguments.remove(&id);
                }
            }
            MessageKind::Wait => self.objected_before(message),
            MessageKind::Escalate => {
                if let Some(argument) = id.and_then(|id| mind.arguments.get_mut(&id)) {
                    (argument.stage, argument.judge) = (Stage::Escalated, message.to.clone());
                }
            }
            MessageKind::Info => self.informed_before(message, id),
            _ => {}
        }
    }

    fn objected_before(&mut self, message: &Message) {
        let (number, memories, text) = super::argument::untagged(&message.text);
        let mind = &mut self.s.mind;
        let is_it = |work: &&Work| matches!(work, Work::Heard(one) if one.kind == MessageKind::Intent && one.thread == message.thread);
        let intent = match mind.queue.iter().find(is_it) {
            Some(Work::Heard(intent)) => intent.clone(),
            _ => Message { from: message.to.clone(), thread: message.thread.clone(), ..Message::default() },
        };
        mind.has_answered(&message.thread);
        if mind.argument_on(&message.thread).is_none() {
            let objection = Objection { memories, text };
            let argument = Argument { is_posted: true, ..Argument::on(intent, objection, message.ts) };
            mind.dispute(number.unwrap_or(mind.next), argument, self.s.timers.arguments);
        }
    }

    fn informed_before(&mut self, message: &Message, id: Option<u64>) {
        let Some(id) = id else { return };
        let mind = &mut self.s.mind;
        if message.text.starts_with(OUTCOME) {
            mind.arguments.remove(&id);
            mind.queue.retain(|work| work.argument() != Some(id));
        } else if let Some(argument) = mind.arguments.get_mut(&id)
            && argument.inputs == 2
            && message.recipients().contains(&argument.intent.from.as_str())
        {
            argument.inputs = 3;
            argument.last = message.ts;
            mind.queue.retain(|work| work.argument() != Some(id));
        }
    }

    /// A message of another agent: what there is to think about is queued, in order.
    pub(super) fn listened(&mut self, message: Message) {
        let is_taking =
            if self.is_live { matches!(self.s.phase, Phase::In | Phase::Loading) } else { self.s.is_in };
        if !is_taking {
            return;
        }
        if self.listened_to_argument(&message) {
            return;
        }
        if message.kind == MessageKind::Done && !self.is_live {
            self.s.mind.has_answered(&message.thread);
        }
        let is_own_matter = message.thread == HEARTBEAT || message.thread == STATUS;
        match message.kind {
            MessageKind::Intent if message.is_to(&self.s.name) => {
                self.s.mind.counts.intents += u32::from(self.is_live);
                self.s.mind.queue.push_back(Work::Heard(message));
            }
            MessageKind::Done | MessageKind::Learned => self.s.mind.queue.push_back(Work::Heard(message)),
            MessageKind::Info if !is_own_matter => self.s.mind.queue.push_back(Work::Heard(message)),
            _ => {}
        }
    }

    /// Comes back after a stop that was none of its own: what it has not answered is there, from the channel.
    pub(super) fn come_back(&mut self) {
        let (now, offline) = (self.now, self.s.timers.offline_ms);
        let was_offline = !self.s.is_online(&self.s.name, now);
        let mind = &mut self.s.mind;
        // Who announced something while the memory counted as offline has gone on long ago.
        mind.queue.retain(|work| match work {
            Work::Heard(one) if one.kind == MessageKind::Intent => {
                !was_offline || now.0.saturating_sub(one.ts.0) <= offline
            }
            _ => true,
        });
        let count = |work: &Work| matches!(work, Work::Heard(one) if one.kind == MessageKind::Intent);
        mind.counts.intents += mind.queue.iter().filter(|work| count(work)).count() as u32;
        let text = format!("{} is back; {} messages wait for it", self.s.name, mind.queue.len());
        self.post(EVERYBODY, STATUS, MessageKind::Info, text);
    }

    /// Asks the memory about what is next, ends what has lasted too long, and warns.
    pub(super) fn think(&mut self) {
        self.end_late();
        while self.s.mind.asking.is_none() {
            let Some(work) = self.s.mind.queue.pop_front() else { break };
            if let Some(question) = self.question(&work) {
                self.s.mind.asking = Some(work);
                self.out.push(Action::Consult(question));
            }
        }
        let (queue, most) = (self.s.queue(), self.s.timers.queue);
        let has_warned = core::mem::replace(&mut self.s.mind.has_warned_of_queue, queue > most);
        if queue > most && !has_warned {
            self.warn(format!("{queue} messages and arguments wait for the memory"));
        }
    }

    /// What the memory is asked about a piece of work; none where it needs no answer any more.
    fn question(&mut self, work: &Work) -> Option<Question> {
        match work {
            Work::Heard(message) => Some(self.heard(message)),
            Work::Argued { argument, message } | Work::Decided { argument, message } => {
                let held = self.s.mind.arguments.get(argument)?;
                let is_decided = matches!(work, Work::Decided { .. });
                let question = Question {
                    about: if is_decided { About::Decided } else { About::Argued },
                    message: message.clone(),
                    intent: Some(held.intent.clone()),
                    memories: held.objection.memories.clone(),
                    seed: message.seed("argued"),
                    ..Question::default()
                };
                // Who gives in says all there is to say.
                if is_decided && message.kind == MessageKind::Ack {
                    self.close(*argument, Came::Followed, message);
                    return None;
                }
                Some(question)
            }
        }
    }

    fn heard(&mut self, message: &Message) -> Question {
        let is_intent = message.kind == MessageKind::Intent;
        let mind = &mut self.s.mind;
        let from = &message.from;
        let is_user = message.kind == MessageKind::Info && message.thread == USER_INPUT;
        let asked = if is_user { mind.asked.remove(from) } else { None };
        let about = if asked.is_some() { About::Confirmed } else { About::Heard };
        // What its user corrects is the agent's own; what is said on another's thread corrects that one.
        let own = mind.said.get(from);
        let here = own.filter(|one| is_user || one.thread == message.thread);
        let others = || mind.said.values().find(|one| one.thread == message.thread && one.from != *from);
        let before = asked.or_else(|| here.or_else(others).or(own).cloned());
        if is_user {
            mind.said.remove(from);
        } else {
            mind.said.insert(from.clone(), message.clone());
        }
        if is_intent {
            mind.intents.insert(from.clone(), message.clone());
            mind.counted.remove(from);
        }
        let intent = mind.intents.get(from).cloned();
        Question {
            about,
            message: message.clone(),
            before,
            intent: mind.intents.values().find(|one| one.thread == message.thread).cloned().or(intent),
            memories: alloc::vec::Vec::new(),
            counted: mind.counted.get(from).cloned().unwrap_or_default(),
            seed: message.seed("heard"),
        }
    }

    /// What the memory says.
    pub(super) fn considered(&mut self, opinion: Opinion) {
        let Some(work) = self.s.mind.asking.take() else {
            return self.refuse("not_asked", "the memory was not asked");
        };
        self.count(&opinion);
        match work {
            Work::Heard(message) if message.kind == MessageKind::Intent => self.answer(message, opinion),
            Work::Heard(message) => self.comment(message, opinion),
            Work::Argued { argument, message } => self.ruled(argument, &message, opinion.verdict),
            Work::Decided { argument, message } => {
                let came = match opinion.verdict {
                    Some(Verdict::Settled(came)) => came,
                    _ => Came::Unresolved,
                };
                self.close(argument, came, &message);
            }
        }
    }

    /// The answer to an intent: an objection, or what is known and an `ack`. Never silence, and never an `ack` where
    /// an objection went out.
    fn answer(&mut self, message: Message, opinion: Opinion) {
        self.s.mind.counts.checked += 1;
        self.s.mind.counted.entry(message.from.clone()).or_default().extend(opinion.surfaced);
        let Opinion { infos, objection, ack, .. } = opinion;
        let earlier = self.s.mind.argument_on(&message.thread);
        let (to, thread) = (message.from.clone(), message.thread.clone());
        let objects = objection.is_some();
        match (objection, earlier) {
            (Some(objection), None) => self.object(message.clone(), objection),
            (Some(objection), Some(id)) => self.object_again(id, message.clone(), objection),
            (None, _) => {}
        }
        for info in infos {
            self.post(&to, &thread, MessageKind::Info, info);
        }
        if objects {
            return;
        }
        let ack = if ack.is_empty() { NOTHING.into() } else { ack };
        self.post(&to, &thread, MessageKind::Ack, ack);
        // An intent that was changed until nothing speaks against it has met the objection.
        if let Some(id) = earlier {
            self.close(id, Came::Followed, &message);
        }
    }

    fn object(&mut self, intent: Message, objection: Objection) {
        let id = self.s.mind.next;
        let text = tagged(id, &objection);
        let (to, thread) = (intent.from.clone(), intent.thread.clone());
        let argument = Argument::on(intent, objection, self.now);
        self.s.mind.dispute(id, argument, self.s.timers.arguments);
        self.s.mind.counts.waits += 1;
        self.post(&to, &thread, MessageKind::Wait, text);
    }

    /// A changed intent that is objected to again is still one argument.
    fn object_again(&mut self, id: u64, intent: Message, objection: Objection) {
        let text = tagged(id, &objection);
        let (to, thread) = (intent.from.clone(), intent.thread.clone());
        if let Some(argument) = self.s.mind.arguments.get_mut(&id) {
            argument.objection.text.clone_from(&objection.text);
            for memory in objection.memories {
                if !argument.objection.memories.contains(&memory) {
                    argument.objection.memories.push(memory);
                }
            }
            (argument.intent, argument.last) = (intent, self.now);
        }
        self.post(&to, &thread, MessageKind::Wait, text);
    }

    /// What it says about anything but an intent.
    fn comment(&mut self, message: Message, opinion: Opinion) {
        for info in opinion.infos {
            self.post(&message.from, &message.thread, MessageKind::Info, info);
        }
        if !opinion.question.is_empty() {
            self.post(&message.from, &message.thread, MessageKind::Info, opinion.question);
            self.s.mind.asked.insert(message.from.clone(), message.clone());
        }
        self.s.mind.counted.entry(message.from).or_default().extend(opinion.missed);
    }

    fn count(&mut self, opinion: &Opinion) {
        let (now, timers) = (self.now, self.s.timers.clone());
        let mind = &mut self.s.mind;
        mind.counts.surfaced += opinion.surfaced.len() as u32;
        mind.counts.missed += opinion.missed.len() as u32;
        mind.counts.made += opinion.made.len() as u32;
        mind.counts.memories += opinion.made.len() as u32;
        mind.made.extend(opinion.made.iter().map(|_: &RecordId| now));
        let is_past = |at: &Timestamp| now.0.saturating_sub(at.0) > timers.rate_ms;
        while mind.made.front().is_some_and(is_past) {
            mind.made.pop_front();
        }
        let made = mind.made.len();
        let is_many = made > timers.rate as usize;
        let has_warned = core::mem::replace(&mut mind.has_warned_of_rate, is_many);
        if is_many && !has_warned {
            self.warn(format!("{made} memories were made in {} minutes", timers.rate_ms / 60_000));
        }
    }

    pub(super) fn figures(&self) -> String {
        let Mind { counts, .. } = &self.s.mind;
        format!(
            "memories {} intents {} checked {} surfaced {} waits {} followed {} not followed {} irrelevant {} \
             unresolved {} missed {} queue {}",
            counts.memories,
            counts.intents,
            counts.checked,
            counts.surfaced,
            counts.waits,
            counts.followed,
            counts.not_followed,
            counts.irrelevant,
            counts.unresolved,
            counts.missed,
            self.s.queue()
        )
    }
}

/// The thread on which an agent repeats the words of its user.
pub const USER_INPUT: &str = "user-input";
