//! The step protocol as strings: what every host exposes and every conformance runner uses.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::input::Input;
use super::machine::{Operation, Step, start};
use super::output::Output;
use super::space::{EmbedderPort, Ports, Space};
use crate::codec::{canonical, parse};
use crate::env::Env;
use crate::error::Error;
use crate::image::Image;
use crate::policy::Policy;
use crate::step::{Loaded, Reply, Request};
use crate::text::{ByteCounter, TokenCounter};
use crate::vector::{Embedder, EmbedderInfo, HashingEmbedder};

/// One space behind strings.
///
/// [`Self::start`] and [`Self::resume`] drive one operation; a host that drives several at once numbers them. Each
/// resumes with what the view is by then, so a `load` is answered with what was committed since [`Self::revision`] and
/// resumed before the next one is asked of the store.
#[derive(Debug)]
pub struct Stepper {
    space: Space,
    under_way: BTreeMap<u32, Box<Operation>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Setup {
    policy: Policy,
    embedder: EmbedderChoice,
    reranker: bool,
    counter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum EmbedderChoice {
    Named(String),
    Host(EmbedderInfo),
}

impl Default for EmbedderChoice {
    fn default() -> Self {
        Self::Named("none".into())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    env: Env,
    input: Input,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer<'a> {
    Need(&'a Request),
    Done(&'a Output),
    Error { code: String, message: String },
}

impl Stepper {
    /// A space set up by JSON, with byte counts as the only counter; see [`Stepper::with_counters`].
    pub fn new(setup: &str) -> Result<Self, String> {
        Self::with_counters(setup, Vec::new(), Vec::new())
    }

    /// A space set up by `{"policy": …, "embedder": "none" | "hash" | NAME | {"id", "dims", "merge", "candidate"},
    /// "reranker": false | true, "counter": "bytes" | NAME}`, where NAME is the id or name of a linked embedder or
    /// counter. An embedder given by its properties, and a reranker, are the host's and asked by request. The error is
    /// the JSON that `start` would answer.
    pub fn with_counters(
        setup: &str,
        counters: Vec<Arc<dyn TokenCounter>>,
        embedders: Vec<Arc<dyn Embedder>>,
    ) -> Result<Self, String> {
        let space = parse::<Setup>("the setup", setup).and_then(|setup| {
            let counter = counter(setup.counter.as_deref(), counters)?;
            let embedder = embedder(setup.embedder, embedders)?;
            Space::new(setup.policy, Ports { counter, embedder, has_reranker: setup.reranker })
        });
        match space {
            Ok(space) => Ok(Self { space, under_way: BTreeMap::new() }),
            Err(error) => Err(error_json(&error)),
        }
    }

    /// Begins `{"env": {"now", "seed"}, "input": {"verb", …}}`. An operation under way is dropped; it changed nothing
    /// that was not committed.
    pub fn start(&mut self, json: &str) -> String {
        self.start_as(0, json)
    }

    /// Goes on with the reply to the last request.
    pub fn resume(&mut self, json: &str) -> String {
        self.resume_as(0, json)
    }

    /// As [`Self::start`], with this number.
    pub fn start_as(&mut self, number: u32, json: &str) -> String {
        self.abandon(number);
        let step = parse::<Begin>("the operation", json)
            .and_then(|begin| start(&self.space, begin.env, begin.input));
        self.answer(number, step)
    }

    /// As [`Self::resume`], of the operation with this number.
    pub fn resume_as(&mut self, number: u32, json: &str) -> String {
        self.go_on(number, parse("the reply", json))
    }

    /// As [`Self::resume_as`], with a reset that is what has changed since an [`Image`]: `gone` are the records that
    /// have ended, `all` is how many there are now. `None` where the image is none, or not of this log: the operation
    /// waits for a reset that holds everything.
    pub fn resume_on_image(&mut self, number: u32, json: &str, image: Vec<u8>, all: u64) -> Option<String> {
        let image = Image::read(image)?;
        match parse::<Reply>("the reply", json) {
            Ok(Reply::Loaded(Loaded::Reset(since))) => {
                let snapshot = since.on(image, all)?;
                Some(self.go_on(number, Ok(Reply::Loaded(Loaded::Reset(snapshot)))))
            }
            other => Some(self.go_on(number, other)),
        }
    }

    /// The bytes of an image of the view, once it is worth saving at [`Self::revision`].
    pub fn due_image(&mut self) -> Option<Vec<u8>> {
        self.space.due_image()
    }

    /// The ids, as JSON, of the records that [`Request::Records`] is to be answered with, as they stand at
    /// [`Self::revision`]: those of every operation under way.
    pub fn wanted(&self) -> String {
        canonical(&self.space.view().wanted())
    }

    /// Drops the operation with this number; it changed nothing that was not committed.
    pub fn abandon(&mut self, number: u32) {
        self.under_way.remove(&number);
    }

    /// The revision of the view.
    pub fn revision(&self) -> u64 {
        self.space.view().revision().0
    }

    /// The id of the embedder whose vectors an image holds; empty for none.
    pub fn embedder(&self) -> String {
        self.space.ports.embedder.info().map(|info| info.id).unwrap_or_default()
    }

    /// The hash of the view: equal for equal contents.
    pub fn view_hash(&self) -> String {
        self.space.view().hash()
    }

    fn go_on(&mut self, number: u32, reply: Result<Reply, Error>) -> String {
        let Some(operation) = self.under_way.remove(&number) else {
            return error_json(&Error::protocol("nothing is under way; call start first"));
        };
        let step = reply.and_then(|reply| operation.resume(&mut self.space, reply));
        self.answer(number, step)
    }

    fn answer(&mut self, number: u32, step: Result<Step, Error>) -> String {
        match step {
            Ok(Step::Need(operation, request)) => {
                self.under_way.insert(number, operation);
                canonical(&Answer::Need(&request))
            }
            Ok(Step::Done(output)) => canonical(&Answer::Done(&output)),
            Err(error) => error_json(&error),
        }
    }
}

/// An error as every answer of the step protocol says it.
pub fn error_json(error: &Error) -> String {
    canonical(&Answer::Error { code: error.code(), message: error.to_string() })
}

fn counter(name: Option<&str>, linked: Vec<Arc<dyn TokenCounter>>) -> Result<Arc<dyn TokenCounter>, Error> {
    match name {
        None | Some("bytes") => Ok(Arc::new(ByteCounter)),
        Some(name) => linked.into_iter().find(|counter| counter.name() == name).ok_or_else(|| {
            Error::invalid("setup", alloc::format!("no token counter {name:?} is linked into this build"))
        }),
    }
}

fn embedder(choice: EmbedderChoice, linked: Vec<Arc<dyn Embedder>>) -> Result<EmbedderPort, Error> {
    match choice {
        EmbedderChoice::Host(info) if info.dims == 0 => Err(Error::invalid(
            "setup",
            "the embedder has 0 dimensions; give the length of its vectors as `dims`",
        )),
        EmbedderChoice::Host(info) => Ok(EmbedderPort::Host(info)),
        EmbedderChoice::Named(name) if name == "none" => Ok(EmbedderPort::None),
        EmbedderChoice::Named(name) if name == "hash" => {
            Ok(EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::default())))
        }
        EmbedderChoice::Named(name) => linked
            .into_iter()
            .find(|embedder| embedder.info().id == name)
            .map(EmbedderPort::BuiltIn)
            .ok_or_else(|| {
                Error::invalid("setup", alloc::format!("no embedder {name:?} is linked into this build"))
            }),
    }
}
