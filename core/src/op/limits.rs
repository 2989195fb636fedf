//! How large what a caller gives may be: every field of every verb passes here, before anything is done with it.
//!
//! Decides from sizes alone. Never looks at what a text says, and never at what a verb does.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::input::{Cardinality, Choice, Current, Document, FactFormat, Input, Said, Settlement};
use crate::env::{OpId, RecordId, Timestamp};
use crate::error::Error;
use crate::policy::Limits;
use crate::react::{About, Message};
use crate::record::{Kind, Record, Scope, SourceClass, Status, Subtype, Tier};
use crate::step::StoredVector;
use crate::trace::Format;

/// The fields that hold traces, which are bounded together and are no texts.
const TRACES: [&str; 2] = ["data", "lines"];

/// The options of a verb, or the value of one of them.
pub(super) trait Given {
    /// Measures every text in it; the error names the field.
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error>;
}

/// What has been measured of an input so far.
#[derive(Debug)]
pub(super) struct Measured<'a> {
    limits: &'a Limits,
    members: usize,
    trace_bytes: u64,
}

/// The error that names what of an input is too large.
pub(super) fn check(input: &Input, limits: &Limits) -> Result<(), Error> {
    input.options().measure(input.verb(), &mut Measured { limits, members: 0, trace_bytes: 0 })
}

impl Measured<'_> {
    fn text(&mut self, field: &str, text: &str) -> Result<(), Error> {
        if !TRACES.contains(&field) {
            return self.limits.text(field, text);
        }
        self.trace_bytes += text.len() as u64;
        let limit = self.limits.trace_bytes;
        if self.trace_bytes <= limit {
            return Ok(());
        }
        let message = format!("`{field}` has more than {limit} bytes of a trace; split it by session");
        Err(Error::limit("trace_bytes", message))
    }

    fn member(&mut self, field: &str, text: &str) -> Result<(), Error> {
        self.text(field, text)?;
        self.members += 1;
        let limit = self.limits.members as usize;
        if self.members <= limit {
            return Ok(());
        }
        let message = format!("`{field}` has too many: no more than {limit} tools and tags at once");
        Err(Error::limit("members", message))
    }
}

impl Given for String {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        so_far.text(field, self)
    }
}

impl Given for Vec<String> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|text| so_far.text(field, text))
    }
}

impl Given for Vec<Current> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|one| one.measure(field, so_far))
    }
}

impl Given for Vec<Document> {
    fn measure(&self, _: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|one| so_far.text("data", &one.text))
    }
}

impl Given for Vec<Said> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|one| one.measure(field, so_far))
    }
}

impl Given for Message {
    fn measure(&self, _: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        let Self { from, to, thread, kind, text, .. } = self;
        [from.as_str(), to, thread, kind.as_str(), text]
            .into_iter()
            .try_for_each(|one| so_far.text("message", one))
    }
}

impl Given for BTreeSet<String> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|text| so_far.member(field, text))
    }
}

impl Given for BTreeMap<String, String> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().flat_map(|(key, value)| [key, value]).try_for_each(|text| so_far.text(field, text))
    }
}

impl Given for Scope {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.iter().try_for_each(|(key, value)| so_far.text(&format!("{field}.{}", key.as_str()), value))
    }
}

impl<T: Given> Given for Option<T> {
    fn measure(&self, field: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), |given| given.measure(field, so_far))
    }
}

/// Values of one size, closed lists, and records, which an import judges one by one.
macro_rules! no_text {
    ($($type:ty),+) => {
        $(impl Given for $type {
            fn measure(&self, _: &'static str, _: &mut Measured<'_>) -> Result<(), Error> {
                Ok(())
            }
        })+
    };
}

no_text!(
    bool,
    u32,
    RecordId,
    OpId,
    Kind,
    Tier,
    Format,
    Settlement,
    Choice,
    Subtype,
    SourceClass,
    Timestamp,
    Cardinality,
    FactFormat,
    About
);
no_text!(BTreeSet<Status>, Vec<Record>, Vec<StoredVector>, Vec<RecordId>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Get, Learn, Observe, Recall, Teach};
    use crate::record::ScopeKey;

    #[allow(clippy::needless_pass_by_value, reason = "each case is made where it is asked")]
    fn refused(input: Input) -> Option<String> {
        let limits = Limits { text_bytes: 64, members: 3, trace_bytes: 128, ..Limits::default() };
        check(&input, &limits).err().map(|error| format!("{}: {error}", error.code()))
    }

    #[test]
    fn each_field_has_its_limit_and_is_named() {
        let long = || "x".repeat(65);
        let scope = || Scope::global().with(ScopeKey::Repo, &long());
        let cases = [
            (Input::Get(Get { actor: long(), ..Get::default() }), "`actor`"),
            (Input::Pin(Get { reason: long(), ..Get::default() }), "`reason`"),
            (Input::Teach(Teach { situation: long(), ..Teach::default() }), "`situation`"),
            (Input::Teach(Teach { tags: [long()].into(), ..Teach::default() }), "`tags`"),
            (Input::Teach(Teach { scope: Some(scope()), ..Teach::default() }), "`scope.repo`"),
            (Input::Recall(Recall { scope: scope(), ..Recall::default() }), "`scope.repo`"),
            (Input::Recall(Recall { error: long(), ..Recall::default() }), "`error`"),
            (Input::Learn(Learn { session_id: Some(long()), ..Learn::default() }), "`session_id`"),
        ];
        for (input, field) in cases {
            let said = refused(input).expect(field);
            let all = ["limit.text_bytes: ", field, " has 65 bytes and the limit is 64"].concat();
            assert!(said.starts_with(&all), "{said}");
        }
        assert_eq!(refused(Input::Teach(Teach { text: "x".repeat(64), ..Teach::default() })), None);
    }

    #[test]
    fn tools_and_tags_are_counted_together() {
        let set = |from: char, to: char| (from..=to).map(String::from).collect::<BTreeSet<String>>();
        let teach = |tools, tags| Input::Teach(Teach { tools, tags, ..Teach::default() });
        assert_eq!(refused(teach(set('a', 'b'), set('c', 'c'))), None);
        let said = refused(teach(set('a', 'b'), set('c', 'd'))).expect("one too many");
        assert!(said.starts_with("limit.members: `tags`") && said.contains("than 3"), "{said}");
    }

    #[test]
    fn traces_are_bounded_together_and_are_no_texts() {
        let lines =
            |n| Input::Observe(Observe { lines: alloc::vec!["x".repeat(64); n], ..Observe::default() });
        assert_eq!(refused(lines(2)), None);
        assert!(refused(lines(3)).expect("too long").starts_with("limit.trace_bytes: `lines`"));
        let data = |n| Input::Learn(Learn { data: Some("x".repeat(n)), ..Learn::default() });
        assert_eq!(refused(data(128)), None);
        assert!(refused(data(129)).expect("too long").starts_with("limit.trace_bytes: `data`"));
    }
}
