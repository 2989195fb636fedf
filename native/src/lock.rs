//! Locks that other tools understand: a file beside the locked one, with the holder's process id in it.
//!
//! Decides when a lock is stale. Never holds two at once in one thread, and never breaks one whose holder may live.

use core::cell::Cell;
use core::time::Duration;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hardwon_core::error::Error;

use crate::clock::{self, Backoff};

/// The age in seconds from which on a lock that names no process is stale: one made as a directory, or left empty.
const STALE_SECONDS: i64 = 300;
/// The most bytes of a lock file that are read.
const PID_BYTES: u64 = 32;

thread_local! {
    static HOLDS: Cell<bool> = const { Cell::new(false) };
}

/// A lock that is held; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
}

impl Lock {
    /// Locks a file, waiting at most so long for others.
    pub(crate) fn acquire(target: &Path, patience: Duration) -> Result<Self, Error> {
        if HOLDS.get() {
            return Err(Error::protocol(format!(
                "{}: a second lock was asked for while one is held",
                target.display()
            )));
        }
        let path = lock_path(target);
        let own = own_file(&path).map_err(|cause| failed(&path, &cause))?;
        let taken = take(&path, &own, patience);
        // The name under which it was made is not needed any more; the lock is another name of the same file.
        let _ = fs::remove_file(&own);
        taken?;
        HOLDS.set(true);
        Ok(Self { path })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // One that cannot be removed becomes stale with this process.
        let _ = fs::remove_file(&self.path);
        HOLDS.set(false);
    }
}

/// The name of a file's lock: its own with `.lock` behind it.
pub(crate) fn lock_path(target: &Path) -> PathBuf {
    beside(target, ".lock")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(ending);
    path.with_file_name(name)
}

/// A file of our own that holds the process id, so that the lock has it from its first moment on.
fn own_file(path: &Path) -> io::Result<PathBuf> {
    let mut chance = [0; 8];
    getrandom::fill(&mut chance).map_err(|cause| io::Error::other(cause.to_string()))?;
    let own = beside(path, &format!(".{:016x}", u64::from_le_bytes(chance)));
    let mut file = File::create_new(&own)?;
    file.write_all(format!("{}\n", std::process::id()).as_bytes())?;
    Ok(own)
}

fn take(path: &Path, own: &Path, patience: Duration) -> Result<(), Error> {
    let mut backoff = Backoff::new(patience);
    loop {
        match fs::hard_link(own, path) {
            Ok(()) => return Ok(()),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                break_stale(path).map_err(|cause| failed(path, &cause))?;
                backoff.wait().map_err(|_| held(path))?;
            }
            Err(cause) => return Err(failed(path, &cause)),
        }
    }
}

/// Removes a lock that nobody holds any more. Whoever breaks locks does so alone, so that no fresh one is removed in
/// place of the stale one that was looked at.
fn break_stale(path: &Path) -> io::Result<()> {
    if !is_stale(path)? {
        return Ok(());
    }
    let alone = breaker(path)?;
    alone.lock()?;
    if is_stale(path)? {
        let removed = match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
            _ => fs::remove_file(path),
        };
        return removed.or_else(|cause| missing_is(cause, ()));
    }
    Ok(())
}

/// What those who break locks lock.
fn breaker(path: &Path) -> io::Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder) } else { File::create(beside(path, ".break")) }
}

fn is_stale(path: &Path) -> io::Result<bool> {
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(cause) => return missing_is(cause, false),
    };
    if !meta.is_file() {
        return Ok(is_old(&meta));
    }
    let text = match File::open(path) {
        Ok(file) => io::read_to_string(io::Read::take(file, PID_BYTES)).unwrap_or_default(),
        Err(cause) => return missing_is(cause, false),
    };
    Ok(match text.trim().parse::<u32>() {
        Ok(pid) => !may_live(pid, &meta),
        Err(_) => is_old(&meta),
    })
}

fn missing_is<T>(cause: io::Error, value: T) -> io::Result<T> {
    if cause.kind() == io::ErrorKind::NotFound { Ok(value) } else { Err(cause) }
}

/// By the wall clock, which is that of the file's time too; a lock of the future is not old.
fn is_old(meta: &Metadata) -> bool {
    let made = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    made.is_some_and(|since| clock::now().0 / 1000 - since.as_secs() as i64 > STALE_SECONDS)
}

/// Whether a process of that id is there, or may be.
#[cfg(unix)]
fn may_live(pid: u32, _: &Metadata) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    test_kill_process(pid) != Err(Errno::SRCH)
}

/// Where processes cannot be asked for, by age.
#[cfg(not(unix))]
fn may_live(_: u32, meta: &Metadata) -> bool {
    !is_old(meta)
}

fn failed(path: &Path, cause: &io::Error) -> Error {
    Error::host(
        "lock",
        format!("{}: it cannot be made ({cause}); check the folder's owner and mode", path.display()),
    )
}

fn held(path: &Path) -> Error {
    let holder = fs::read_to_string(path).unwrap_or_default();
    let holder =
        if holder.trim().is_empty() { "another".into() } else { format!("process {:?}", holder.trim()) };
    Error::host(
        "lock",
        format!("{}: {holder} has held it for too long; end it, or remove the lock", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    const SHORT: Duration = Duration::from_millis(40);

    fn target() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("channel.toml");
        (folder, path)
    }

    #[test]
    fn one_holds_it_and_the_others_wait() {
        let (folder, path) = target();
        let (inside, most) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let lock = Lock::acquire(&path, Duration::from_secs(20)).expect("a lock");
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left behind");
    }

    #[test]
    fn two_locks_are_never_held() {
        let (folder, path) = target();
        let first = Lock::acquire(&path, SHORT).expect("a lock");
        let second = Lock::acquire(&folder.path().join("other.toml"), SHORT);
        assert!(matches!(second, Err(Error::Protocol { .. })), "{second:?}");
        drop(first);
        Lock::acquire(&path, SHORT).expect("free again");
    }

    #[test]
    fn a_lock_of_the_living_holds_and_one_of_the_dead_does_not() {
        let (_folder, path) = target();
        let lock = lock_path(&path);
        fs::write(&lock, format!("{}\n", std::process::id())).expect("written");
        let held = Lock::acquire(&path, SHORT).expect_err("it is held");
        assert_eq!(held.code(), "host.lock");
        assert!(lock.exists());
        #[cfg(unix)]
        {
            let mut child = std::process::Command::new("true").spawn().expect("a child");
            let dead = child.id();
            child.wait().expect("it ends");
            fs::write(&lock, format!("{dead}\n")).expect("written");
            Lock::acquire(&path, SHORT).expect("the holder is dead");
        }
    }

    #[test]
    fn a_lock_without_a_process_is_stale_by_age() {
        let (_folder, path) = target();
        let lock = lock_path(&path);
        for is_folder in [true, false] {
            let make = || if is_folder { fs::create_dir(&lock) } else { fs::write(&lock, "") };
            make().expect("made");
            assert!(Lock::acquire(&path, SHORT).is_err(), "it is young");
            let times = fs::FileTimes::new().set_modified(
                std::time::UNIX_EPOCH + Duration::from_millis(clock::now().0 as u64)
                    - Duration::from_secs(301),
            );
            File::open(&lock).and_then(|file| file.set_times(times)).expect("made older");
            Lock::acquire(&path, SHORT).expect("it is stale");
            assert!(!lock.exists());
        }
    }
}
