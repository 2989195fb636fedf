//! Actions: a remedy in a form that a program can apply to a failing call.
//!
//! Decides how a call changes, by filling slots from the call, its error and the run so far. Never guesses: where a
//! slot cannot be filled by exactly one value, nothing is proposed.

mod command;
mod source;

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::trace::{Event, ToolCall};

pub(crate) use command::differing_word;
pub(crate) use source::{is_alike, kind_of, listed};

/// What to do instead. Holds words of the tool's own vocabulary and slots, never a value of one run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Give a flag to the command.
    AddFlag {
        /// The flag, for example `--all`.
        flag: String,
    },
    /// Leave a flag out of the command.
    DropFlag {
        /// The flag.
        flag: String,
    },
    /// Call another program with the same words.
    ReplaceProgram {
        /// The word that failed.
        from: String,
        /// The word that works.
        to: String,
    },
    /// Run this command in place of the failing one.
    Use {
        /// The command; words such as `<name>` are filled from the error.
        command: String,
    },
    /// Run this command, then the failing one again.
    RunFirst {
        /// The command; words such as `<name>` are filled from the error.
        command: String,
    },
    /// Call this tool, then the failing one again.
    CallFirst {
        /// The tool.
        tool: String,
        /// Its arguments.
        arguments: Vec<(String, Slot)>,
    },
    /// Give an argument this value.
    SetArgument {
        /// The argument.
        key: String,
        /// Its value.
        value: Slot,
    },
    /// Leave an argument out.
    DropArgument {
        /// The argument.
        key: String,
    },
    /// Make the numbers `field` of the items of the list `key` add up to a total that the error names.
    SumTo {
        /// The argument that holds the list.
        key: String,
        /// The field of each item that is summed.
        field: String,
        /// The words before the total in the error.
        after: String,
    },
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Slot {
    /// A word of the tool's own vocabulary: `true`, or a value that its error lists.
    Word {
        /// The word; `true` and `false` stand for truth values.
        word: String,
    },
    /// The failing call's own argument.
    Argument {
        /// Its key.
        key: String,
    },
    /// A value in the latest output of a tool, of the form of the value that failed.
    Output {
        /// The tool.
        tool: String,
        /// The field that the value stands under; empty where the output has no fields.
        field: String,
    },
}

/// A call that an action proposes.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
    /// Whether the failing call is to be made again after it; else it takes the failing call's place.
    pub again: bool,
}

/// What `action` makes of a call that fails, or is about to, after the events of `run`. The error is the call's
/// result, empty where the call was not made yet. `None` where a slot has no value, or more than one.
pub fn apply(action: &Action, failing: &ToolCall, run: &[Event]) -> Option<Applied> {
    let instead = |args: Value| Applied { name: failing.name.clone(), args, again: false };
    let shell =
        |text: String, again: bool| Some(Applied { again, ..instead(command::with_text(failing, &text)?) });
    match action {
        Action::AddFlag { flag } => shell(command::with_flag(failing, flag)?, false),
        Action::DropFlag { flag } => shell(command::without_word(failing, flag)?, false),
        Action::ReplaceProgram { from, to } => shell(command::with_program(failing, from, to)?, false),
        Action::Use { command } => shell(command::filled(command, &failing.result.text)?, false),
        Action::RunFirst { command } => shell(command::filled(command, &failing.result.text)?, true),
        Action::CallFirst { tool, arguments } => {
            let mut args = Map::new();
            for (key, slot) in arguments {
                args.insert(key.clone(), source::value(slot, None, failing, run)?);
            }
            Some(Applied { name: tool.clone(), args: Value::Object(args), again: true })
        }
        Action::SetArgument { key, value } => source::set(key, value, failing, run).map(instead),
        Action::DropArgument { key } => {
            let mut args = failing.args.as_object()?.clone();
            args.remove(key)?;
            Some(instead(Value::Object(args)))
        }
        Action::SumTo { key, field, after } => source::sum_to(key, field, after, failing).map(instead),
    }
}

/// Whether a call that is about to be made, after the events of `run`, does already what `action` asks for.
pub(crate) fn is_done(action: &Action, call: &ToolCall, run: &[Event]) -> bool {
    match action {
        Action::SetArgument { key, value: Slot::Output { .. } } => {
            call.args.get(key).and_then(Value::as_str).is_some_and(|value| source::was_shown(value, run))
        }
        Action::DropArgument { key } => call.args.get(key).is_none(),
        Action::CallFirst { tool, .. } => run.iter().any(|event| source::worked(event, tool)),
        _ => apply(action, call, run).is_some_and(|applied| !applied.again && applied.args == call.args),
    }
}

impl Action {
    /// The same action with each of its texts passed through `change`, for example to take secrets out.
    #[must_use]
    pub fn map_texts(mut self, change: &mut impl FnMut(String) -> String) -> Self {
        let mut on = |text: &mut String| *text = change(core::mem::take(text));
        match &mut self {
            Self::AddFlag { flag } | Self::DropFlag { flag } => on(flag),
            Self::ReplaceProgram { from, to } => [from, to].into_iter().for_each(on),
            Self::Use { command } | Self::RunFirst { command } => on(command),
            Self::CallFirst { tool, arguments } => {
                on(tool);
                for (key, slot) in arguments {
                    on(key);
                    slot.texts().into_iter().for_each(&mut on);
                }
            }
            Self::SetArgument { key, value } => {
                on(key);
                value.texts().into_iter().for_each(on);
            }
            Self::DropArgument { key } => on(key),
            Self::SumTo { key, field, after } => [key, field, after].into_iter().for_each(on),
        }
        self
    }

    /// Whether it changes one argument of the failing call and nothing else.
    pub fn is_one_argument(&self) -> bool {
        matches!(self, Self::SetArgument { .. } | Self::DropArgument { .. })
    }
}

impl Slot {
    fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::Word { word } => alloc::vec![word],
            Self::Argument { key } => alloc::vec![key],
            Self::Output { tool, field } => alloc::vec![tool, field],
        }
    }
}

#[cfg(test)]
mod tests;
