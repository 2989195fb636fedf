//! A model behind an OpenAI-compatible address (`POST …/chat/completions`).
//!
//! Decides how often and how long a call is tried. Never follows a redirect, never sends the key in clear over a
//! network, and never says the key or what a server said in an error.

use core::fmt;
use core::net::IpAddr;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::Mutex;
use std::thread;

use hardwon_core::error::Error;
use hardwon_core::step::{Completion, Prompts};
use serde_json::{Value, json};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use super::Model;
use crate::clock::Deadline;

/// How often one prompt is tried.
const TRIES: u32 = 3;
/// The first wait between two tries; the next is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// Calls under way at once.
const AT_ONCE: usize = 4;
/// The path behind the base address.
const PATH: &str = "/chat/completions";

/// Where a model is, and how long it may take.
#[derive(Clone)]
pub struct HttpOptions {
    /// The base address, for example `https://host/v1`: without `/chat/completions`, a user or a query.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// The key, sent as a bearer token; none is sent where it is empty.
    pub key: String,
    /// The longest that one call may take.
    pub call_timeout: Duration,
    /// The longest that a batch may take, tries and waits included.
    pub deadline: Duration,
    /// The most bytes of one reply.
    pub reply_bytes: u64,
}

impl HttpOptions {
    /// A call may take 30 seconds, a batch two minutes, a reply 256 KiB.
    pub fn new(url: impl Into<String>, model: impl Into<String>, key: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            model: model.into(),
            key: key.into(),
            call_timeout: Duration::from_secs(30),
            deadline: Duration::from_mins(2),
            reply_bytes: 256 << 10,
        }
    }
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = if self.key.is_empty() { "none" } else { "set" };
        f.debug_struct("HttpOptions").field("model", &self.model).field("key", &key).finish_non_exhaustive()
    }
}

/// A model behind an OpenAI-compatible address.
#[derive(Debug)]
pub struct HttpModel {
    agent: Agent,
    url: String,
    options: HttpOptions,
}

/// Why a call gave no text.
enum Failed {
    /// Another try may go better, after this long if the server says so.
    Again(String, Option<Duration>),
    /// This prompt gets no answer.
    Here(String),
    /// No prompt will get one.
    Everywhere(String),
}

impl HttpModel {
    /// A model; nothing is sent yet. Errors are `invalid.model`.
    pub fn new(options: HttpOptions) -> Result<Self, Error> {
        if options.model.is_empty() {
            return Err(Error::invalid("model", "the model has no name; name it as its server does"));
        }
        if !options.key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid("model", "the key holds blanks or other characters that no key has"));
        }
        let url = address(&options)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("hardwon/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(options.call_timeout.min(Duration::from_secs(10))))
            .max_idle_connections_per_host(AT_ONCE)
            .build();
        Ok(Self { agent: config.new_agent(), url, options })
    }

    /// One prompt, tried until it has an answer, may not be tried again, or the time is over.
    fn one(&self, body: &str, deadline: &Deadline) -> Result<String, Failed> {
        let mut wait = FIRST_WAIT;
        for _ in 1..TRIES {
            let (message, after) = match self.call(body, deadline) {
                Err(Failed::Again(message, after)) => (message, after.unwrap_or(wait)),
                done => return done,
            };
            if !deadline.wait(after) {
                return Err(Failed::Here(format!("{message}, and the time for this batch is over")));
            }
            wait *= 2;
        }
        self.call(body, deadline)
    }

    fn call(&self, body: &str, deadline: &Deadline) -> Result<String, Failed> {
        let left = deadline.left().min(self.options.call_timeout);
        if left.is_zero() {
            return Err(Failed::Everywhere("the time for this batch is over".into()));
        }
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if !self.options.key.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.options.key));
        }
        let request = request.config().timeout_global(Some(left)).build();
        let mut response = request.send(body).map_err(|error| unreached(&error))?;
        refused(&response)?;
        let limit = self.options.reply_bytes;
        let bytes =
            response.body_mut().with_config().limit(limit).read_to_vec().map_err(|error| match error {
                ureq::Error::BodyExceedsLimit(_) => {
                    Failed::Here(format!("the reply has more than {limit} bytes"))
                }
                other => unreached(&other),
            })?;
        text_of(&bytes)
    }

    fn body(&self, prompts: &Prompts, prompt: &str) -> String {
        let messages = json!([
            { "role": "system", "content": prompts.instructions },
            { "role": "user", "content": prompt },
        ]);
        json!({
            "model": self.options.model, "messages": messages, "max_tokens": prompts.max_tokens, "temperature": 0,
            "stream": false,
        })
        .to_string()
    }
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.options.model
    }

    fn complete(&mut self, prompts: &Prompts) -> Vec<Completion> {
        let deadline = Deadline::after(self.options.deadline);
        let (next, hopeless) = (AtomicUsize::new(0), Mutex::new(None::<String>));
        let answers: Vec<Mutex<Option<Completion>>> =
            prompts.prompts.iter().map(|_| Mutex::new(None)).collect();
        let model = &*self;
        let work = || {
            while let Some((at, prompt)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                prompts.prompts.get(at).map(|prompt| (at, prompt))
            } {
                let given_up = lock(&hopeless).clone();
                let answer = match given_up {
                    Some(message) => Completion::Failed(message),
                    None => match model.one(&model.body(prompts, prompt), &deadline) {
                        Ok(text) => Completion::Text(text),
                        Err(Failed::Everywhere(message)) => {
                            lock(&hopeless).get_or_insert_with(|| message.clone());
                            Completion::Failed(message)
                        }
                        Err(Failed::Again(message, _) | Failed::Here(message)) => Completion::Failed(message),
                    },
                };
                if let Some(place) = answers.get(at) {
                    *lock(place) = Some(answer);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..AT_ONCE.min(prompts.prompts.len()) {
                scope.spawn(work);
            }
        });
        let missing = || Completion::Failed("the call was not made".into());
        answers.into_iter().map(|one| lock(&one).take().unwrap_or_else(missing)).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that ended in a panic has left whole values: each is written at once.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The address of the calls.
fn address(options: &HttpOptions) -> Result<String, Error> {
    let bad =
        |why: &str| Error::invalid("model", format!("the model's address {why}; it is like https://host/v1"));
    let uri: Uri = options.url.trim().parse().map_err(|_| bad("is no address"))?;
    let authority = uri.authority().ok_or_else(|| bad("names no host"))?;
    if authority.as_str().contains('@') {
        return Err(bad("holds a user or a password, which belong into the key"));
    }
    if uri.query().is_some() {
        return Err(bad("has a query"));
    }
    match uri.scheme_str() {
        Some("https") => {}
        Some("http") if options.key.is_empty() || is_loopback(authority.host()) => {}
        Some("http") => return Err(bad("would send the key in clear over a network")),
        _ => return Err(bad("begins with neither https nor http")),
    }
    let base = options.url.trim().trim_end_matches('/');
    Ok(if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") })
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// What went wrong before a reply, without what the other side said.
fn unreached(error: &ureq::Error) -> Failed {
    match error {
        ureq::Error::Timeout(_) => Failed::Here("the server took too long".into()),
        ureq::Error::HostNotFound => Failed::Everywhere("the server's host is not known".into()),
        ureq::Error::ConnectionFailed => Failed::Everywhere("the server cannot be reached".into()),
        ureq::Error::Io(cause) => Failed::Everywhere(format!("the connection failed ({})", cause.kind())),
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
            Failed::Everywhere("the server's certificate was not accepted".into())
        }
        _ => Failed::Here("the server did not speak HTTP as it should".into()),
    }
}

/// Whether the server's status is none that brings an answer.
fn refused(response: &Response<Body>) -> Result<(), Failed> {
    let status = response.status().as_u16();
    let message = |why: &str| format!("the server answered {status}: {why}");
    Err(match status {
        200..=299 => return Ok(()),
        300..=399 => Failed::Everywhere(message(
            "it sends elsewhere, and the key goes nowhere else; give that address",
        )),
        401 | 403 => Failed::Everywhere(message("it does not accept the key")),
        404 | 405 => Failed::Everywhere(message("there is no such model, or no such address")),
        429 => Failed::Again(message("too many calls"), retry_after(response)),
        500..=599 => Failed::Again(message("it failed"), retry_after(response)),
        _ => Failed::Here(message("it did not accept the call")),
    })
}

/// How long a server wants us to wait, in seconds; a date is not read.
fn retry_after(response: &Response<Body>) -> Option<Duration> {
    let seconds = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The text in a reply.
fn text_of(bytes: &[u8]) -> Result<String, Failed> {
    let no_answer = || Failed::Here("the reply holds no answer".into());
    let reply: Value =
        serde_json::from_slice(bytes).map_err(|_| Failed::Here("the reply is no JSON".into()))?;
    let choice = reply.pointer("/choices/0").ok_or_else(no_answer)?;
    if choice.get("finish_reason").and_then(Value::as_str) == Some("length") {
        return Err(Failed::Here("the answer was cut at its most tokens".into()));
    }
    let text = choice.pointer("/message/content").and_then(Value::as_str).ok_or_else(no_answer)?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_before_anything_is_sent() {
        let made =
            |url: &str, key: &str| HttpModel::new(HttpOptions::new(url, "m", key)).map(|model| model.url);
        let whole = "https://host.example/v1/chat/completions";
        for good in ["https://host.example/v1", "https://host.example/v1/", whole] {
            assert_eq!(made(good, "k").as_deref(), Ok(whole));
        }
        for fine in ["http://127.0.0.1:1/v1", "http://[::1]:1/v1", "http://localhost/v1"] {
            assert!(made(fine, "k").is_ok(), "{fine}");
        }
        assert!(made("http://host.example/v1", "").is_ok());
        for bad in [
            "",
            "host.example",
            "ftp://host.example/v1",
            "http://host.example/v1",
            "https://user:secret@host.example/v1",
            "https://host.example/v1?key=secret",
        ] {
            let error = made(bad, "sesame-key").expect_err(bad);
            assert_eq!(error.code(), "invalid.model");
            assert!(
                !error.to_string().contains("secret") && !error.to_string().contains("sesame"),
                "{error}"
            );
        }
        assert!(HttpModel::new(HttpOptions::new("https://h", "", "")).is_err());
        assert!(made("https://h", "two words\r\nx: y").is_err());
    }

    #[test]
    fn the_key_is_never_shown() {
        let model = HttpModel::new(HttpOptions::new("https://h/v1", "m", "sesame-key")).expect("valid");
        assert!(!format!("{model:?}").contains("sesame"));
    }
}
