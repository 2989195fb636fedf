//! The side of an agent that acts: it announces, waits for all answers, argues, and says what it did.
//!
//! Decides whether an intent may go on. An answer counts where it follows the intent in the channel and comes from one
//! who was asked; a time-out is never permission where the agent is online.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::machine::{Machine, STATUS};
use super::message::{Draft, EVERYBODY, Message, MessageKind, Position};
use super::say::{Action, Role};
use super::state::{Answer, Intent, Phase, Standing, listed};

/// Objection, answer, counter.
pub(super) const INPUTS: u8 = 3;

impl Machine {
    pub(super) fn announce(&mut self, cursor: Position, thread: &str, to: &[String], text: String) {
        if self.s.role == Role::Memory {
            return self.refuse("reactive", "the memory reacts; it announces no intent of its own");
        }
        if self.s.phase != Phase::In {
            return self.refuse("not_joined", "join the channel, and load, before the first intent");
        }
        if thread.is_empty() || self.s.intents.contains_key(thread) || self.s.posted.contains_key(thread) {
            return self
                .refuse("thread", "an intent needs a thread of its own; this one has an intent already");
        }
        let memory = self.s.memory.clone();
        let names = to.iter().map(String::as_str).chain([memory.as_str()]);
        let to = listed(names.filter(|name| *name != self.s.name));
        self.s.posted.insert(thread.into(), cursor);
        self.post(&to, thread, MessageKind::Intent, text);
    }

    pub(super) fn argue(&mut self, thread: &str, text: String) {
        let Some(intent) = self.s.intents.get_mut(thread) else {
            return self.refuse("no_intent", "there is no intent of yours on this thread");
        };
        let mut to = Vec::new();
        let mut is_used_up = false;
        let mut position = String::new();
        for (name, answer) in &mut intent.answers {
            if let Answer::Waits { inputs, text } = answer {
                match *inputs {
                    1 => {
                        *inputs = 2;
                        to.push(name.clone());
                    }
                    2 => {}
                    _ => {
                        is_used_up = true;
                        position.clone_from(text);
                    }
                }
            }
        }
        if !to.is_empty() {
            return self.post(&to.join(","), thread, MessageKind::Info, text);
        }
        if !is_used_up {
            return self.refuse("turn", "nobody objects on this thread, or it is for the others to answer");
        }
        // Three inputs are all that an argument has.
        intent.is_escalated = true;
        let name = self.s.name.clone();
        let text =
            format!("objection: {position}\nanswer: {text}\nquestion: is the intent to go on as announced?");
        self.escalate(thread, &name, text);
    }

    pub(super) fn concede(&mut self, thread: &str, text: String) {
        let to = listed(self.s.objectors(thread));
        if to.is_empty() {
            return self.refuse("no_wait", "nobody objects on this thread");
        }
        self.post(&to, thread, MessageKind::Ack, text);
    }

    pub(super) fn decide(&mut self, thread: &str, text: String) {
        if !self.s.escalated.contains_key(thread) {
            return self.refuse("not_asked", "nothing on this thread was put to this agent to decide");
        }
        let to = match self.s.intents.get(thread) {
            Some(intent) => listed(intent.objectors().into_iter().chain(intent.silent())),
            None => EVERYBODY.into(),
        };
        self.post(&to, thread, MessageKind::Info, text);
    }

    pub(super) fn finish(&mut self, thread: &str, text: String) {
        let Some(intent) = self.s.intents.get(thread) else {
            return self.refuse("no_intent", "there is no intent of yours on this thread");
        };
        match intent.standing {
            Standing::Held => {
                let why =
                    format!("{} objects: argue, give in, or have it decided", intent.objectors().join(", "));
                self.refuse("open_wait", &why);
            }
            Standing::Open => {
                let why = format!("{} has not answered", intent.silent().join(", "));
                self.refuse("unanswered", &why);
            }
            Standing::Going => {
                let to = listed(intent.answers.keys().map(String::as_str));
                let draft = self.draft(&to, thread, MessageKind::Done, text);
                self.out.push(Action::PostAt { draft, end: self.s.read });
            }
        }
    }

    /// Anything else that an active agent says.
    pub(super) fn say(&mut self, draft: Draft) {
        let Draft { to, thread, kind, text, .. } = draft;
        if self.s.role == Role::Memory {
            return self.refuse("reactive", "the memory says what it knows, and nothing for its host");
        }
        if !matches!(self.s.phase, Phase::In | Phase::Leaving) {
            return self.refuse("not_joined", "join the channel first");
        }
        let inputs = self.s.objected.get(&thread).copied();
        match kind {
            MessageKind::Intent => {
                return self.refuse("cursor", "announce an intent with the cursor taken before");
            }
            MessageKind::Done if self.s.intents.contains_key(&thread) => return self.finish(&thread, text),
            MessageKind::Done => {
                return self.refuse("no_intent", "there is no intent of yours on this thread");
            }
            MessageKind::Shutdown if !self.s.lead.is_empty() && self.s.lead != self.s.name => {
                return self.refuse("lead_only", "only the lead ends the session");
            }
            MessageKind::Wait if inputs.is_some() => {
                return self.refuse("argument", "there is an argument on this thread already");
            }
            MessageKind::Info if inputs.is_some_and(|inputs| inputs >= INPUTS) => {
                return self
                    .refuse("argument", "three inputs are all that an argument has: give in, or escalate");
            }
            MessageKind::Info if !self.s.objectors(&thread).is_empty() => return self.argue(&thread, text),
            _ => {}
        }
        self.post(&to, &thread, kind, text);
    }

    /// What follows from a message of its own.
    pub(super) fn acted(&mut self, position: Position, message: &Message) {
        let thread = &message.thread;
        match message.kind {
            MessageKind::Intent => self.open(position, message),
            MessageKind::Done => {
                self.s.intents.remove(thread);
                self.s.escalated.remove(thread);
            }
            MessageKind::Ack => {
                self.s.objected.remove(thread);
                self.lift(message, &Answer::Acked);
            }
            MessageKind::Wait => {
                self.s.objected.insert(thread.clone(), 1);
            }
            MessageKind::Escalate => {
                // What did not go to the lead is this agent's own to decide.
                let is_own = !message.recipients().contains(&self.s.lead.as_str());
                if let Some(intent) = self.s.intents.get_mut(thread) {
                    intent.is_escalated = true;
                    if is_own {
                        self.s.escalated.entry(thread.clone()).or_insert_with(|| message.text.clone());
                    }
                }
            }
            MessageKind::Info => self.informed(message),
            _ => {}
        }
    }

    /// An own `info`: the decision that it was asked for, or an input of an argument.
    fn informed(&mut self, message: &Message) {
        let thread = &message.thread;
        if self.s.escalated.remove(thread).is_some() {
            return self.lift(message, &Answer::Overruled);
        }
        if let Some(intent) = self.s.intents.get_mut(thread) {
            for name in message.recipients() {
                if let Some(Answer::Waits { inputs, .. }) = intent.answers.get_mut(name) {
                    *inputs = (*inputs).max(2);
                }
            }
        }
        if let Some(inputs) = self.s.objected.get_mut(thread) {
            *inputs = inputs.saturating_add(1);
        }
    }

    /// An own intent stands in the channel: from here on it is answered.
    fn open(&mut self, position: Position, message: &Message) {
        // Where the cursor was taken after posting, what came between is not lost: the intent's own place counts.
        self.s.posted.remove(&message.thread);
        let mut names: Vec<String> = Vec::new();
        for name in message.recipients() {
            let all = if name == EVERYBODY { self.s.online(self.now) } else { [name].to_vec() };
            for name in all.into_iter().chain([self.s.memory.as_str()]) {
                if !name.is_empty() && name != self.s.name && !names.iter().any(|one| one == name) {
                    names.push(name.into());
                }
            }
        }
        self.s.intents.insert(message.thread.clone(), Intent::of(message, position, names));
    }

    /// The objections of those whom the message goes to are lifted; a decision answers for the silent ones too.
    fn lift(&mut self, message: &Message, by: &Answer) {
        let Some(intent) = self.s.intents.get_mut(&message.thread) else { return };
        let names = message.recipients();
        for (name, answer) in &mut intent.answers {
            let is_reached = names.iter().any(|one| one == name || *one == EVERYBODY);
            let is_open = matches!(answer, Answer::Waits { .. })
                || (*answer == Answer::Silent && *by == Answer::Overruled);
            if is_reached && is_open {
                *answer = by.clone();
            }
        }
        intent.decision.clone_from(&message.text);
        self.judge(&message.thread);
    }

    /// What follows from a message of another agent.
    pub(super) fn answered(&mut self, position: Position, message: Message) {
        if message.kind == MessageKind::Intent && message.is_to(&self.s.name) {
            if self.is_live {
                self.out.push(Action::Asked(message));
            }
            return;
        }
        if let Some(inputs) = self.s.objected.get_mut(&message.thread)
            && message.kind == MessageKind::Info
        {
            *inputs = (*inputs).max(2);
        }
        if message.kind == MessageKind::Ack || message.kind == MessageKind::Done {
            self.s.objected.remove(&message.thread);
        }
        let is_lead = !self.s.lead.is_empty() && message.from == self.s.lead;
        let Some(intent) = self.s.intents.get_mut(&message.thread).filter(|intent| position > intent.at)
        else {
            return;
        };
        let was_going = intent.standing == Standing::Going;
        match (&message.kind, intent.answers.get_mut(&message.from)) {
            (MessageKind::Ack, Some(answer)) => *answer = Answer::Acked,
            (MessageKind::Wait, _) => {
                let answer = Answer::Waits { text: message.text.clone(), inputs: 1 };
                intent.answers.insert(message.from.clone(), answer);
                intent.standing = Standing::Held;
                self.hold(&message, was_going);
            }
            (MessageKind::Info, _) if is_lead && intent.is_escalated => {
                self.lift(&Message { to: EVERYBODY.into(), ..message.clone() }, &Answer::Overruled);
            }
            (MessageKind::Info, Some(Answer::Waits { inputs, .. })) if *inputs == 2 => *inputs = INPUTS,
            (MessageKind::Escalate, Some(_)) => intent.is_escalated = true,
            _ => {}
        }
        self.judge(&message.thread);
    }

    /// An objection holds the intent at once, also after it began.
    fn hold(&mut self, message: &Message, was_going: bool) {
        let why = format!("{}: {}", message.from, message.text);
        self.out.push(Action::Hold { thread: message.thread.clone(), why });
        if was_going {
            let text = format!("pauses on {}: {} objects", message.thread, message.from);
            self.post(EVERYBODY, STATUS, MessageKind::Info, text);
        }
    }

    /// A matter was put to this agent: as the lead, or as the initiator where there is none.
    pub(super) fn asked_to_decide(&mut self, message: &Message) {
        self.s.escalated.insert(message.thread.clone(), message.text.clone());
        let (thread, text) = (message.thread.clone(), message.text.clone());
        self.out.push(Action::AskUser { thread, text });
    }

    /// Whether an intent may go on.
    fn judge(&mut self, thread: &str) {
        let Some(intent) = self.s.intents.get(thread) else { return };
        let is_old = self.now.0 >= intent.ts.0.saturating_add(self.s.timers.remind_ms);
        let is_met = |name: &str, answer: &Answer| match answer {
            Answer::Acked | Answer::Overruled => true,
            Answer::Waits { .. } => false,
            Answer::Silent => is_old && !self.s.is_online(name, self.now),
        };
        let standing = if intent.objectors().is_empty() {
            let is_going = intent.standing == Standing::Going
                || intent.answers.iter().all(|(name, answer)| is_met(name, answer));
            if is_going { Standing::Going } else { Standing::Open }
        } else {
            Standing::Held
        };
        let starts = standing == Standing::Going && intent.standing != Standing::Going;
        let decision = intent.decision.clone();
        if let Some(intent) = self.s.intents.get_mut(thread) {
            intent.standing = standing;
        }
        if starts {
            self.out.push(Action::Proceed { thread: thread.to_string(), decision });
        }
    }

    /// Reminds those who are silent, then asks the lead.
    pub(super) fn remind(&mut self) {
        let threads: Vec<String> = self.s.intents.keys().cloned().collect();
        for thread in threads {
            self.remind_of(&thread);
            self.judge(&thread);
        }
    }

    fn remind_of(&mut self, thread: &str) {
        let (now, timers) = (self.now, self.s.timers.clone());
        let Some(intent) = self.s.intents.get(thread).filter(|one| one.standing != Standing::Going) else {
            return;
        };
        let age = now.0.saturating_sub(intent.ts.0);
        let silent = intent.silent().into_iter().filter(|name| self.s.is_online(name, now));
        let silent = listed(silent);
        let is_due = !silent.is_empty() && age >= timers.remind_ms;
        let (reminds, escalates) =
            (is_due && !intent.is_reminded, is_due && !intent.is_escalated && age >= timers.escalate_ms);
        let said = intent.text.clone();
        if let Some(intent) = self.s.intents.get_mut(thread) {
            intent.is_reminded |= reminds;
            intent.is_escalated |= escalates;
        }
        if reminds {
            let text = format!("the intent {thread} waits for an answer of {silent}");
            self.post(&silent, STATUS, MessageKind::Info, text);
        }
        if escalates {
            let name = self.s.name.clone();
            let text = format!(
                "intent: {said}\n{silent} is online and has not answered\nquestion: is the intent to go on?"
            );
            self.escalate(thread, &name, text);
        }
    }
}
