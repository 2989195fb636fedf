//! The reference interpreter: what each operation must do, said naively over maps.
//!
//! It knows lessons by name, keeps every effect of every operation, and takes effects back one by one for an undo. It
//! shares no code with the core but the names of statuses.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::record::{Status, Tier};

/// A lesson by name: mined kinds are `a` and `b`, the taught one is `t`.
pub type Name = char;

/// One operation of the alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// Learn one of the three runs.
    Learn(u8),
    /// Teach the lesson `t`.
    Teach,
    /// Take the newest operation back that has not been.
    UndoNewest,
    /// Take the oldest operation back that has not been, with all that built on it.
    UndoOldest,
    /// Forget `a`.
    Forget,
    /// Erase `a`.
    Erase,
    /// Restore `a`.
    Restore,
    /// Pin `a`.
    Pin,
    /// Hold the cap and write missing vectors.
    Maintain,
}

impl Op {
    /// The whole alphabet.
    pub const ALL: [Self; 11] = [
        Self::Learn(1),
        Self::Learn(2),
        Self::Learn(3),
        Self::Teach,
        Self::UndoNewest,
        Self::UndoOldest,
        Self::Forget,
        Self::Erase,
        Self::Restore,
        Self::Pin,
        Self::Maintain,
    ];
}

/// What each run shows.
pub fn shows(run: u8) -> &'static [Name] {
    match run {
        3 => &['a', 'b'],
        _ => &['a'],
    }
}

/// The hour at which a run showed a lesson: `b` an hour later, so that no two lessons are equally worth keeping.
pub fn hour_of(run: u8, name: Name) -> u64 {
    24 * u64::from(run) + u64::from(name == 'b')
}

/// The hour of the `n`-th operation.
pub fn hour_of_op(n: usize) -> u64 {
    24 * (10 + n as u64)
}

/// What can be seen of a lesson from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The runs that show it.
    pub runs: BTreeSet<u8>,
    /// Whether it holds.
    pub status: Status,
    /// Whether it came back after it was forgotten.
    pub relapse: bool,
    /// Whether it is pinned.
    pub pinned: bool,
    /// How often it came back.
    pub tier: Tier,
}

/// What the reference answers to an undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Something was done, or nothing had to be.
    Fine,
    /// These operations stand in the way.
    Entangled(BTreeSet<usize>),
    /// The operation is refused.
    Refused,
}

#[derive(Debug, Clone)]
struct Lesson {
    runs: BTreeSet<u8>,
    status: Status,
    relapse: bool,
    pinned: bool,
    confirmed: u64,
}

#[derive(Debug, Clone, PartialEq)]
enum Effect {
    Born(Name),
    Run(Name, u8),
    Relapse(Name),
    Status(Name, Status, Status),
    Pin(Name, bool, bool),
    Confirmed(Name, u64, u64),
}

#[derive(Debug, Clone)]
struct Done {
    number: usize,
    effects: Vec<Effect>,
    undone: bool,
    is_undo: bool,
}

/// The state of the reference.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    lessons: BTreeMap<Name, Lesson>,
    read: BTreeSet<u8>,
    buried: BTreeSet<Name>,
    done: Vec<Done>,
    next: usize,
    cap: usize,
}

impl Reference {
    /// An empty space that holds at most `cap` lessons.
    pub fn new(cap: usize) -> Self {
        Self { cap, ..Self::default() }
    }

    /// What is there.
    pub fn seen(&self) -> BTreeMap<Name, Seen> {
        let seen = |lesson: &Lesson| Seen {
            runs: lesson.runs.clone(),
            status: lesson.status,
            relapse: lesson.relapse,
            pinned: lesson.pinned,
            tier: tier(lesson),
        };
        self.lessons.iter().map(|(name, lesson)| (*name, seen(lesson))).collect()
    }

    /// The number of the operation that `UndoNewest` or `UndoOldest` takes back, if there is one.
    pub fn target(&self, op: Op) -> Option<usize> {
        let mut open = self.done.iter().filter(|done| !done.undone && !done.is_undo).map(|done| done.number);
        match op {
            Op::UndoNewest => open.next_back(),
            Op::UndoOldest => open.next(),
            _ => None,
        }
    }

    /// Carries out an operation.
    pub fn run(&mut self, op: Op) -> Answer {
        let number = self.next;
        self.next += 1;
        let now = hour_of_op(number);
        let mut effects = Vec::new();
        match op {
            Op::Learn(run) => self.learn(run, now, &mut effects),
            Op::Teach => self.teach(now, &mut effects),
            Op::Forget if self.lessons.contains_key(&'a') => {
                self.status('a', Status::Retracted, &mut effects)
            }
            Op::Restore if self.lessons.contains_key(&'a') => self.restore(now, &mut effects),
            Op::Maintain => self.hold_cap(now, &BTreeSet::new(), &mut effects),
            Op::Pin if self.lessons.get(&'a').is_some_and(|a| a.status == Status::Active) => {
                let before =
                    self.lessons.get_mut(&'a').is_some_and(|a| std::mem::replace(&mut a.pinned, true));
                if !before {
                    effects.push(Effect::Pin('a', false, true));
                }
            }
            Op::Erase if self.lessons.contains_key(&'a') => {
                self.erase();
                self.note(number, Vec::new(), false);
                return Answer::Fine;
            }
            Op::UndoNewest | Op::UndoOldest => return self.undo(op, number),
            _ => return Answer::Refused,
        }
        let read = matches!(op, Op::Learn(run) if self.read.insert(run));
        if !effects.is_empty() || read {
            self.note(number, effects, false);
        }
        Answer::Fine
    }

    fn note(&mut self, number: usize, effects: Vec<Effect>, is_undo: bool) {
        self.done.push(Done { number, effects, undone: false, is_undo });
    }

    fn learn(&mut self, run: u8, now: u64, effects: &mut Vec<Effect>) {
        if self.read.contains(&run) {
            return;
        }
        let mut new = BTreeSet::new();
        for &name in shows(run) {
            match self.lessons.get(&name).map(|lesson| lesson.status) {
                None => {
                    let lesson = Lesson {
                        runs: BTreeSet::new(),
                        status: Status::Active,
                        relapse: self.buried.contains(&name),
                        pinned: false,
                        confirmed: 0,
                    };
                    self.lessons.insert(name, lesson);
                    effects.push(Effect::Born(name));
                    new.insert(name);
                }
                Some(status @ (Status::Retracted | Status::Archived)) => {
                    if status == Status::Retracted && !self.lessons[&name].relapse {
                        self.lesson(name).relapse = true;
                        effects.push(Effect::Relapse(name));
                    }
                    self.status(name, Status::Active, effects);
                }
                Some(_) => {}
            }
            self.lesson(name).runs.insert(run);
            effects.push(Effect::Run(name, run));
        }
        self.hold_cap(now, &new, effects);
    }

    fn teach(&mut self, now: u64, effects: &mut Vec<Effect>) {
        let mut new = BTreeSet::new();
        if let Some(lesson) = self.lessons.get_mut(&'t') {
            let before = lesson.confirmed;
            lesson.confirmed = now;
            effects.push(Effect::Confirmed('t', before, now));
            self.status('t', Status::Active, effects);
        } else {
            let lesson = Lesson {
                runs: BTreeSet::new(),
                status: Status::Active,
                relapse: false,
                pinned: false,
                confirmed: now,
            };
            self.lessons.insert('t', lesson);
            effects.push(Effect::Born('t'));
            new.insert('t');
        }
        self.hold_cap(now, &new, effects);
    }

    fn restore(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if self.lessons[&'a'].status != Status::Active {
            self.status('a', Status::Active, effects);
            self.hold_cap(now, &BTreeSet::new(), effects);
        }
    }

    fn status(&mut self, name: Name, after: Status, effects: &mut Vec<Effect>) {
        let before = std::mem::replace(&mut self.lesson(name).status, after);
        if before != after {
            effects.push(Effect::Status(name, before, after));
        }
    }

    fn hold_cap(&mut self, now: u64, new: &BTreeSet<Name>, effects: &mut Vec<Effect>) {
        loop {
            let held =
                self.lessons.iter().filter(|(_, lesson)| lesson.status == Status::Active && !lesson.pinned);
            let mut order: Vec<_> = held
                .map(|(name, lesson)| {
                    let age = now.saturating_sub(confirmed(*name, lesson)) as f64 / 24.0;
                    let worth = hits(lesson) as f64 * 0.5f64.powf(age / 30.0);
                    (new.contains(name), tier(lesson) == Tier::Strategic, worth, *name)
                })
                .collect();
            if order.len() <= self.cap {
                return;
            }
            order.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
            self.status(order[0].3, Status::Archived, effects);
        }
    }

    fn erase(&mut self) {
        self.lessons.remove(&'a');
        self.buried.insert('a');
        for done in &mut self.done {
            done.effects.retain(|effect| name_of(effect) != 'a');
        }
    }

    fn undo(&mut self, op: Op, number: usize) -> Answer {
        let Some(first) = self.target(op) else { return Answer::Refused };
        let cascade = op == Op::UndoOldest;
        let mut chosen = BTreeSet::from([first]);
        if self.done.iter().any(|done| done.number == first && done.effects.is_empty()) {
            return Answer::Refused;
        }
        loop {
            let mut after = self.lessons.clone();
            let entangled = self.take_back(&chosen, &mut after);
            if entangled.is_empty() {
                self.lessons = after;
                for done in &mut self.done {
                    done.undone |= chosen.contains(&done.number);
                }
                self.note(number, Vec::new(), true);
                return Answer::Fine;
            }
            if !cascade {
                return Answer::Entangled(entangled);
            }
            chosen.extend(entangled);
        }
    }

    /// Takes the chosen operations back in `lessons`, newest first; answers those that stand in the way.
    fn take_back(&self, chosen: &BTreeSet<usize>, lessons: &mut BTreeMap<Name, Lesson>) -> BTreeSet<usize> {
        let mut entangled = BTreeSet::new();
        for done in self.done.iter().rev().filter(|done| chosen.contains(&done.number)) {
            for effect in done.effects.iter().rev() {
                let name = name_of(effect);
                let Some(lesson) = lessons.get_mut(&name) else { continue };
                let blocked = match effect {
                    Effect::Born(_) if !lesson.runs.is_empty() => BTreeSet::new(),
                    Effect::Born(_) => {
                        let later = self.later(done.number, |other| name_of(other) == name);
                        let later: BTreeSet<usize> = later.difference(chosen).copied().collect();
                        if later.is_empty() {
                            lessons.remove(&name);
                        }
                        later
                    }
                    Effect::Run(_, run) => {
                        lesson.runs.remove(run);
                        BTreeSet::new()
                    }
                    Effect::Relapse(_) => {
                        lesson.relapse &= !lesson.runs.is_empty();
                        BTreeSet::new()
                    }
                    Effect::Status(_, before, after) if lesson.status == *after => {
                        lesson.status = *before;
                        BTreeSet::new()
                    }
                    Effect::Pin(_, before, after) if lesson.pinned == *after => {
                        lesson.pinned = *before;
                        BTreeSet::new()
                    }
                    Effect::Confirmed(_, before, after) if lesson.confirmed == *after => {
                        lesson.confirmed = *before;
                        BTreeSet::new()
                    }
                    _ => self.later(done.number, |other| {
                        name_of(other) == name
                            && std::mem::discriminant(other) == std::mem::discriminant(effect)
                    }),
                };
                entangled.extend(blocked.difference(chosen).copied());
            }
        }
        entangled.extend(self.end_unsupported(chosen, lessons));
        entangled
    }

    /// Ends lessons whose last run went, where the operation that bore them was taken back before.
    fn end_unsupported(
        &self,
        chosen: &BTreeSet<usize>,
        lessons: &mut BTreeMap<Name, Lesson>,
    ) -> BTreeSet<usize> {
        let mut entangled = BTreeSet::new();
        for (name, before) in &self.lessons {
            let lost_all =
                !before.runs.is_empty() && lessons.get(name).is_some_and(|lesson| lesson.runs.is_empty());
            let bore = |done: &&Done| done.effects.contains(&Effect::Born(*name));
            let Some(birth) = self.done.iter().rev().find(bore) else { continue };
            if !lost_all || !birth.undone || chosen.contains(&birth.number) {
                continue;
            }
            let later = self.later(birth.number, |other| name_of(other) == *name);
            let blocked: BTreeSet<usize> = later.difference(chosen).copied().collect();
            if blocked.is_empty() {
                lessons.remove(name);
            }
            entangled.extend(blocked);
        }
        entangled
    }

    fn later(&self, number: usize, concerns: impl Fn(&Effect) -> bool) -> BTreeSet<usize> {
        let open = self.done.iter().filter(|done| done.number > number && !done.undone && !done.is_undo);
        open.filter(|done| done.effects.iter().any(&concerns)).map(|done| done.number).collect()
    }

    fn lesson(&mut self, name: Name) -> &mut Lesson {
        self.lessons.get_mut(&name).expect("the caller has looked")
    }
}

fn hits(lesson: &Lesson) -> usize {
    lesson.runs.len().max(1)
}

fn tier(lesson: &Lesson) -> Tier {
    if hits(lesson) >= 3 { Tier::Strategic } else { Tier::Tactical }
}

fn confirmed(name: Name, lesson: &Lesson) -> u64 {
    lesson.runs.iter().map(|&run| hour_of(run, name)).max().unwrap_or(lesson.confirmed)
}

fn name_of(effect: &Effect) -> Name {
    match effect {
        Effect::Born(name)
        | Effect::Run(name, _)
        | Effect::Relapse(name)
        | Effect::Status(name, ..)
        | Effect::Pin(name, ..)
        | Effect::Confirmed(name, ..) => *name,
    }
}
