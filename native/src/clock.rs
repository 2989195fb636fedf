//! The host's clock, its random source and its patience: the only native code that reads or waits for time.
//!
//! Decides how long to wait before the next try. Never decides what is tried, or what the time is used for.

use core::time::Duration;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use hardwon_core::env::{Seed, Timestamp};
use hardwon_core::error::Error;

/// How long a host keeps trying before it says [`Error::Contended`].
pub const PATIENCE: Duration = Duration::from_secs(10);

const FIRST_WAIT: Duration = Duration::from_micros(200);
/// Short, so that who has waited long does not look less often than who has just come.
const LONGEST_WAIT: Duration = Duration::from_millis(4);

/// The present time of the system's clock.
#[allow(clippy::disallowed_methods, reason = "the one place where a native host reads the clock")]
pub fn now() -> Timestamp {
    let millis = match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_millis() as i64,
        Err(before) => -(before.duration().as_millis() as i64),
    };
    Timestamp(millis)
}

/// 16 bytes from the operating system's random source.
pub fn seed() -> Result<Seed, Error> {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(Seed(bytes)),
        Err(cause) => Err(Error::host("random", format!("{cause}; nothing was changed"))),
    }
}

/// Waits between tries: longer each time, with chance in it so that rivals do not meet again, until a deadline.
#[derive(Debug, Clone)]
pub struct Backoff {
    started: Instant,
    patience: Duration,
    next: Duration,
}

impl Backoff {
    /// Starts now and ends after `patience`.
    #[allow(clippy::disallowed_methods, reason = "a deadline is measured on the monotonic clock")]
    pub fn new(patience: Duration) -> Self {
        Self { started: Instant::now(), patience, next: FIRST_WAIT }
    }

    /// Waits before the next try, or says [`Error::Contended`] where the deadline has passed.
    #[allow(clippy::disallowed_methods, reason = "the one place where a native host sleeps")]
    pub fn wait(&mut self) -> Result<(), Error> {
        thread::sleep(self.pause()?);
        Ok(())
    }

    /// How long to wait before the next try, for a host that waits in its own way.
    #[allow(clippy::disallowed_methods, reason = "a deadline is measured on the monotonic clock")]
    pub fn pause(&mut self) -> Result<Duration, Error> {
        let waited = self.started.elapsed();
        if waited >= self.patience {
            return Err(Error::Contended { waited_ms: waited.as_millis() as u64 });
        }
        let pause = jittered(self.next).min(self.patience.saturating_sub(waited));
        self.next = (self.next * 2).min(LONGEST_WAIT);
        Ok(pause)
    }
}

/// A moment until which something may go on, on the monotonic clock.
#[cfg(feature = "model-http")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    started: Instant,
    after: Duration,
}

#[cfg(feature = "model-http")]
impl Deadline {
    /// So long from now.
    #[allow(clippy::disallowed_methods, reason = "a deadline is measured on the monotonic clock")]
    pub(crate) fn after(after: Duration) -> Self {
        Self { started: Instant::now(), after }
    }

    /// What is left of it; nothing once it has passed.
    pub(crate) fn left(&self) -> Duration {
        self.after.saturating_sub(self.started.elapsed())
    }

    /// Waits so long; where that would pass the deadline, it does not, and says so.
    #[allow(clippy::disallowed_methods, reason = "a server asks to be left alone for a while")]
    pub(crate) fn wait(&self, span: Duration) -> bool {
        let fits = span < self.left();
        if fits {
            thread::sleep(span);
        }
        fits
    }
}

/// Waits a millisecond, for up to a second over many tries: for waits that must stay inside SQLite.
#[allow(clippy::disallowed_methods, reason = "a wait that the back-off cannot do from outside")]
pub(crate) fn wait_briefly(tries: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    tries < 1000
}

/// Between half of `span` and all of it; all of it where the random source fails.
fn jittered(span: Duration) -> Duration {
    let mut byte = [255];
    match getrandom::fill(&mut byte) {
        Ok(()) => span / 2 + span * u32::from(byte[0]) / 510,
        Err(_) => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_and_the_clock_is_past_2024() {
        assert_ne!(seed(), seed());
        assert!(now() > Timestamp::parse("2024-01-01").unwrap_or_default());
    }

    #[test]
    fn patience_ends_in_contended_and_not_before() {
        let mut backoff = Backoff::new(Duration::from_millis(30));
        let mut tries = 0;
        let end = loop {
            match backoff.wait() {
                Ok(()) => tries += 1,
                Err(end) => break end,
            }
        };
        assert!(tries >= 3, "{tries} tries");
        assert!(matches!(end, Error::Contended { waited_ms: 30.. }), "{end}");
    }
}
