//! The verbs of a memory as methods, one each, with typed answers.

use hardwon_core::env::{OpId, RecordId};
use hardwon_core::error::Error;
use hardwon_core::op::{
    Audit, Audited, Effect, Explain, Explained, ExportFacts, ExportRecords, Extract, Extracted, Facts,
    Figures, Forget, ForgetSource, Forgotten, Gathered, Get, Guard, Guarded, History, HistoryEntry,
    ImportFacts, ImportRecords, Input, Learn, Learned, List, Maintain, Maintained, Observe, Output, Recall,
    Recalled, Remember, Remembered, Report, Resolve, Review, Settle, Stats, Teach, Undo, Undone, Waiting,
    Written,
};
use hardwon_core::record::Record;

use crate::memory::Memory;
use crate::store::Store;

macro_rules! verbs {
    ($($(#[$doc:meta])* $name:ident($input:ident: $variant:ident) -> $answer:ty = $pattern:pat => $value:expr;)+) => {
        impl<S: Store> Memory<S> {
            $(
                $(#[$doc])*
                pub fn $name(&mut self, input: $input) -> Result<$answer, Error> {
                    match self.run(Input::$variant(input))? {
                        $pattern => Ok($value),
                        #[allow(unreachable_patterns, reason = "an export answers with the whole output")]
                        _ => Err(Error::protocol(concat!(stringify!($name), " answered in another verb's form"))),
                    }
                }
            )+
        }
    };
}

verbs! {
    /// Appends events to a session's live trace; answers how many.
    observe(Observe: Observe) -> u32 = Output::Observed { events } => events;
    /// Mines lessons from a trace, or from the live traces that wait.
    learn(Learn: Learn) -> Learned = Output::Learned(answer) => answer;
    /// Writes a lesson by hand.
    teach(Teach: Teach) -> Written = Output::Written(answer) => answer;
    /// Writes a fact, or takes one back.
    remember(Remember: Remember) -> Remembered = Output::Remembered(answer) => answer;
    /// What holds, and what held; the page and how many there are in all.
    facts(Facts: Facts) -> (Vec<Record>, u32) = Output::Listed { records, total } => (records, total);
    /// What is wrong with the facts that are stored.
    audit(Audit: Audit) -> Audited = Output::Audited(answer) => answer;
    /// Finds the claims in a conversation, and writes them.
    extract(Extract: Extract) -> Extracted = Output::Extracted(answer) => answer;
    /// Takes in facts of other memories, or edits of an export.
    import_facts(ImportFacts: ImportFacts) -> Gathered = Output::Gathered(answer) => answer;
    /// The facts as Markdown, for people, and how many they are.
    export_facts(ExportFacts: ExportFacts) -> (String, u32) = Output::FactsWritten { text, total } => (text, total);
    /// Takes back all that one source has taught.
    forget_source(ForgetSource: ForgetSource) -> Forgotten = Output::Forgotten(answer) => answer;
    /// What is known for this moment.
    recall(Recall: Recall) -> Recalled = Output::Recalled(answer) => answer;
    /// Why a record does or does not come back for a query.
    explain(Explain: Explain) -> Explained = Output::Explained(answer) => answer;
    /// Records, filtered; the page and how many there are in all.
    list(List: List) -> (Vec<Record>, u32) = Output::Listed { records, total } => (records, total);
    /// Takes a record back, or erases it.
    forget(Forget: Forget) -> Written = Output::Written(answer) => answer;
    /// Takes an operation back.
    undo(Undo: Undo) -> Undone = Output::Undone(answer) => answer;
    /// What happened to a record, or in the space.
    history(History: History) -> Vec<HistoryEntry> = Output::History { entries } => entries;
    /// Holds the cap and writes missing vectors.
    maintain(Maintain: Maintain) -> Maintained = Output::Maintained(answer) => answer;
    /// All records with their vectors, for a file or another host.
    export_records(ExportRecords: ExportRecords) -> Output = answer => answer;
    /// Takes in the records of an export, with their original dates.
    import_records(ImportRecords: ImportRecords) -> Output = answer => answer;
    /// Whether something is to be said before a call.
    guard(Guard: Guard) -> Guarded = Output::Guarded(answer) => answer;
    /// Notes what came of showing a record.
    settle(Settle: Settle) -> Written = Output::Written(answer) => answer;
    /// What waits for a person, most urgent first, and how much waits in all.
    review(Review: Review) -> (Vec<Waiting>, u32) = Output::Reviewed { items, total } => (items, total);
    /// A person's answer to what waits.
    resolve(Resolve: Resolve) -> Written = Output::Written(answer) => answer;
    /// What was learned, shown and changed in the last days.
    report(Report: Report) -> Effect = Output::Reported(answer) => answer;
    /// Figures of the space.
    stats(Stats: Stats) -> Figures = Output::Stats(answer) => answer;
}

impl<S: Store> Memory<S> {
    /// One record.
    pub fn get(&mut self, id: RecordId) -> Result<Record, Error> {
        match self.run(Input::Get(named(id)))? {
            Output::Got { record } => Ok(record),
            _ => Err(Error::protocol("get answered in another verb's form")),
        }
    }

    /// Brings an archived or forgotten record back.
    pub fn restore(&mut self, id: RecordId) -> Result<Written, Error> {
        self.write(Input::Restore(named(id)))
    }

    /// Holds a record in place.
    pub fn pin(&mut self, id: RecordId) -> Result<Written, Error> {
        self.write(Input::Pin(named(id)))
    }

    /// Lets a record go again.
    pub fn unpin(&mut self, id: RecordId) -> Result<Written, Error> {
        self.write(Input::Unpin(named(id)))
    }

    /// Keeps a record from speaking at calls.
    pub fn mute(&mut self, id: RecordId) -> Result<Written, Error> {
        self.write(Input::Mute(named(id)))
    }

    /// Lets a record speak at calls again.
    pub fn unmute(&mut self, id: RecordId) -> Result<Written, Error> {
        self.write(Input::Unmute(named(id)))
    }

    /// Takes one operation back, and nothing that was built on it.
    pub fn undo_op(&mut self, op: OpId) -> Result<Undone, Error> {
        self.undo(Undo { op, ..Undo::default() })
    }

    fn write(&mut self, input: Input) -> Result<Written, Error> {
        match self.run(input)? {
            Output::Written(answer) => Ok(answer),
            _ => Err(Error::protocol("a write answered in another verb's form")),
        }
    }
}

fn named(id: RecordId) -> Get {
    Get { id, ..Get::default() }
}
