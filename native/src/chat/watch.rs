//! Waiting for a file to change.
//!
//! Decides which events of the operating system count. Never sleeps between looks: where events cannot be had, or are
//! lost, a look now and then is the net below.

use core::time::Duration;
use std::ffi::OsString;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use notify::event::EventKind;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// The longest wait without a look at the file, where events come and where they do not.
const NET: Duration = Duration::from_secs(5);
const WITHOUT_EVENTS: Duration = Duration::from_millis(250);

/// A watch over one file.
#[derive(Debug)]
pub struct Watch {
    changes: Receiver<()>,
    wake: Sender<()>,
    /// Ends the watch when it is dropped; none where events cannot be had.
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    /// Watches a file, which need not be there, in a folder that is.
    pub fn file(path: &Path) -> Self {
        let name = path.file_name().map(OsString::from);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let counts = move |event: &Event| {
            event.paths.iter().any(|path| path.file_name() == name.as_deref()) || event.need_rescan()
        };
        let (wake, changes) = channel();
        let sender = wake.clone();
        let heard = move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_change(event.kind) && counts(&event)) {
                // Nobody listens any more when the watch is about to end.
                let _ = sender.send(());
            }
        };
        let watcher = notify::recommended_watcher(heard).ok();
        let watcher = watcher.and_then(|mut watcher| {
            watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
            Some(watcher)
        });
        Self { changes, wake, watcher }
    }

    /// What ends a wait from elsewhere.
    pub fn waker(&self) -> Sender<()> {
        self.wake.clone()
    }

    /// Waits until the file may have changed, at most so long.
    pub fn wait(&self, longest: Duration) {
        let net = if self.watcher.is_some() { NET } else { WITHOUT_EVENTS };
        if self.changes.recv_timeout(longest.min(net)).is_ok() {
            // What has come together is read together.
            while self.changes.try_recv().is_ok() {}
        }
    }
}

/// Whether an event tells of new content: reading the file is an event too.
fn is_change(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Any
            | EventKind::Other
            | EventKind::Create(_)
            | EventKind::Modify(_)
            | EventKind::Remove(_)
    )
}
