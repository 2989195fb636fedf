//! The channel file: one append-only list of messages for all agents of a project.
//!
//! Decides how messages are written, found and waited for. Never decides what a message means or who may say it: that
//! is the core's, and no name in the file is trusted.

mod encode;
mod place;
mod scan;
mod session;
mod watch;

use core::time::Duration;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use hardwon_core::env::Timestamp;
use hardwon_core::error::Error;
use hardwon_core::react::{Draft, Message, Position};

use self::scan::{Behind, scan};
use crate::lock::Lock;

pub use self::place::usual_path;
pub use self::scan::MESSAGE_BYTES;
pub use self::session::{Event, Mind, NoMind, Session};
pub use self::watch::Watch;

/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much is read at a time; more than a message may have.
const WINDOW: usize = 4 * MESSAGE_BYTES;

/// A channel file, which need not be there yet.
#[derive(Debug, Clone)]
pub struct Channel {
    path: PathBuf,
}

/// A message where it stands in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The place behind its last line: the cursor of whoever has read it.
    pub end: Position,
    /// The message.
    pub message: Message,
}

/// What was read, and up to where.
#[derive(Debug, Default)]
pub struct Batch {
    /// The messages, in order.
    pub messages: Vec<Placed>,
    /// The place behind the last line read.
    pub cursor: Position,
    /// How many torn messages and parts that are none were passed over.
    pub skipped: u64,
}

impl Channel {
    /// The channel in this file.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder of the file, so that it can be watched and written.
    pub fn prepare(&self) -> Result<(), Error> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).map_err(|cause| self.failed("made", &cause))
    }

    /// The place behind what the file holds now.
    pub fn cursor(&self) -> Result<Position, Error> {
        match fs::metadata(&self.path) {
            Ok(meta) => Ok(Position(meta.len())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Position(0)),
            Err(cause) => Err(self.failed("read", &cause)),
        }
    }

    /// Appends a message in one write, under the lock, and answers the place behind it once it is on the disk.
    ///
    /// `stamp` is called under the lock: the time of a message is the moment of its posting.
    pub fn append(&self, draft: Draft, stamp: impl FnOnce() -> Timestamp) -> Result<Placed, Error> {
        self.prepare()?;
        let lock = Lock::acquire(&self.path, PATIENCE)?;
        self.post(draft, stamp, lock)
    }

    /// As [`Self::append`], unless a message stands behind `end`: then nothing is posted, and the answer is none.
    pub fn append_at(
        &self,
        draft: Draft,
        end: Position,
        stamp: impl FnOnce() -> Timestamp,
    ) -> Result<Option<Placed>, Error> {
        self.prepare()?;
        let lock = Lock::acquire(&self.path, PATIENCE)?;
        if !self.read_with(end, Some(&lock))?.messages.is_empty() {
            return Ok(None);
        }
        self.post(draft, stamp, lock).map(Some)
    }

    fn post(&self, draft: Draft, stamp: impl FnOnce() -> Timestamp, lock: Lock) -> Result<Placed, Error> {
        let message = draft.posted(stamp());
        let text = encode::encode(&message);
        if text.len() > MESSAGE_BYTES {
            let size = text.len();
            let text =
                format!("a message of {size} bytes; at most {MESSAGE_BYTES} go in one. Write it shorter");
            return Err(Error::limit("message_bytes", text));
        }
        let (file, end) = self.write(&text).map_err(|cause| self.failed("written", &cause))?;
        drop(lock);
        file.sync_data().map_err(|cause| self.failed("written", &cause))?;
        Ok(Placed { end: Position(end), message })
    }

    /// What was posted after `cursor`; a last message that is half written is left for the next reading.
    pub fn read(&self, cursor: Position) -> Result<Batch, Error> {
        self.read_with(cursor, None)
    }

    fn read_with(&self, cursor: Position, held: Option<&Lock>) -> Result<Batch, Error> {
        let mut batch = Batch { cursor, ..Batch::default() };
        let mut own = None;
        loop {
            let (bytes, is_last) = self.bytes(batch.cursor.0)?;
            let behind = match (is_last, held.or(own.as_ref())) {
                (false, _) => Behind::More,
                (true, None) => Behind::Nothing,
                (true, Some(_)) => Behind::Quiet,
            };
            let found = scan(&bytes, behind);
            let base = batch.cursor.0;
            let place =
                |(end, message): (usize, Message)| Placed { end: Position(base + end as u64), message };
            batch.messages.extend(found.messages.into_iter().map(place));
            batch.skipped += found.skipped;
            batch.cursor.0 += found.end as u64;
            if !is_last && found.end == 0 {
                // A line that is longer than any message.
                batch.skipped += 1;
                batch.cursor.0 += bytes.len() as u64;
            } else if found.is_doubtful {
                // Under the lock nobody writes, so what has no end now is torn.
                own = Some(Lock::acquire(&self.path, PATIENCE)?);
            } else if is_last {
                return Ok(batch);
            }
        }
    }

    /// The bytes from a place on, and whether they are all.
    fn bytes(&self, from: u64) -> Result<(Vec<u8>, bool), Error> {
        let mut bytes = Vec::new();
        let length = self.cursor()?.0;
        if length < from {
            let text = format!(
                "{}: {length} bytes, and {from} of them were read before; a channel is never cut. Join it again",
                self.path.display()
            );
            return Err(Error::host("channel", text));
        }
        if length > from {
            let read = File::open(&self.path).and_then(|mut file| {
                file.seek(SeekFrom::Start(from))?;
                file.take(WINDOW as u64).read_to_end(&mut bytes)
            });
            read.map_err(|cause| self.failed("read", &cause))?;
        }
        let is_last = bytes.len() < WINDOW;
        Ok((bytes, is_last))
    }

    fn write(&self, text: &str) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path)?;
        let is_torn = !ends_a_line(&mut file)?;
        // One write, so that no reader finds a message in parts of which others follow.
        if is_torn {
            file.write_all(format!("\n{text}").as_bytes())?;
        } else {
            file.write_all(text.as_bytes())?;
        }
        let end = file.metadata()?.len();
        Ok((file, end))
    }

    fn failed(&self, done: &str, cause: &io::Error) -> Error {
        Error::host(
            "channel",
            format!("{}: it cannot be {done} ({cause}); check owner, mode and disk", self.path.display()),
        )
    }
}

/// Whether the file is empty or its last line is whole.
fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests;
