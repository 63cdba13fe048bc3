//! Watches the memory of process groups (reference/local.md#memory).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use formwork_base::lock;
use rustix::process::Pid;
use tokio::sync::watch;

/// Interval between two reads of memory.
const INTERVAL: Duration = Duration::from_millis(50);

/// Reads the memory of all watched process groups, in one pass over the processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryWatch {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    groups: BTreeMap<i32, Group>,
    is_running: bool,
}

#[derive(Debug)]
struct Group {
    /// In bytes.
    limit: u64,
    exceeded: watch::Sender<bool>,
}

/// A group that is watched until this is dropped.
#[derive(Debug)]
pub(crate) struct Watched {
    group: i32,
    shared: Arc<Mutex<Shared>>,
    exceeded: watch::Receiver<bool>,
}

impl MemoryWatch {
    /// Watches a group whose processes may use `limit` megabytes together.
    pub(crate) fn watch(&self, group: Pid, limit: u64) -> Watched {
        let (sender, exceeded) = watch::channel(false);
        let group = group.as_raw_nonzero().get();
        let mut shared = lock(&self.shared);
        shared.groups.insert(group, Group { limit: limit.saturating_mul(1 << 20), exceeded: sender });
        if !std::mem::replace(&mut shared.is_running, true) {
            tokio::spawn(look(Arc::clone(&self.shared)));
        }
        Watched { group, shared: Arc::clone(&self.shared), exceeded }
    }
}

impl Watched {
    pub(crate) async fn exceeded(&mut self) {
        if self.exceeded.wait_for(|exceeded| *exceeded).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        lock(&self.shared).groups.remove(&self.group);
    }
}

/// Reads the memory of the groups until none is watched.
async fn look(shared: Arc<Mutex<Shared>>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let groups: BTreeSet<i32> = {
            let mut shared = lock(&shared);
            shared.is_running = !shared.groups.is_empty();
            if !shared.is_running {
                return;
            }
            shared.groups.keys().copied().collect()
        };
        let Ok(used) = tokio::task::spawn_blocking(move || used(&groups)).await else { continue };
        for (id, group) in &lock(&shared).groups {
            if used.get(id).is_some_and(|used| *used > group.limit) {
                group.exceeded.send_replace(true);
            }
        }
    }
}

/// Returns the memory of process groups in bytes: the anonymous pages of their processes. Pages of files, such as those
/// of an interpreter's program, do not count. Empty on systems without `/proc`.
fn used(groups: &BTreeSet<i32>) -> BTreeMap<i32, u64> {
    let page = rustix::param::page_size() as u64;
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let read = |file: &str| std::fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        let Some(group) = group(&read("stat")).filter(|group| groups.contains(group)) else { continue };
        if let Some(pages) = anonymous(&read("statm")) {
            *all.entry(group).or_default() += pages * page;
        }
    }
    all
}

/// The peak memory of a process in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peak {
    /// With the pages of files.
    pub(crate) all: u64,
    /// Without the pages of files that the process has now.
    pub(crate) own: u64,
}

/// Returns the peak memory of a running process; `None` on systems without `/proc`.
pub(crate) fn peak(process: Pid) -> Option<Peak> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?;
    peak_in(&status)
}

fn peak_in(status: &str) -> Option<Peak> {
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let all = bytes("VmHWM:")?;
    let files = bytes("RssFile:").unwrap_or_default() + bytes("RssShmem:").unwrap_or_default();
    Some(Peak { all, own: all.saturating_sub(files) })
}

/// Returns the process group in `/proc/ID/stat`. The name of the program, in parentheses, may contain anything.
fn group(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()
}

/// Returns the resident pages in `/proc/ID/statm` that belong to no file.
fn anonymous(statm: &str) -> Option<u64> {
    let mut numbers = statm.split_whitespace().skip(1).map(str::parse::<u64>);
    let (resident, shared) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(resident.saturating_sub(shared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_process() {
        assert_eq!(group("12 (a) b) c) S 1 77 77 0 -1"), Some(77));
        assert_eq!(group(""), None);
        assert_eq!(anonymous("900 300 120 1 0 5 0\n"), Some(180));
        assert_eq!(anonymous("900"), None);
        let status = "Name:\tx\nVmHWM:\t    9 kB\nVmRSS:\t 8 kB\nRssAnon:\t 5 kB\nRssFile:\t 2 kB\nRssShmem:\t 1 kB\n";
        assert_eq!(peak_in(status), Some(Peak { all: 9 << 10, own: 6 << 10 }));
        assert_eq!(peak_in(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_this_process_group_is_known() {
        let own = rustix::process::getpgrp().as_raw_nonzero().get();
        assert!(used(&[own].into()).get(&own).is_some_and(|bytes| *bytes > 1 << 20));
        assert!(used(&BTreeSet::new()).is_empty());
    }

    #[tokio::test]
    async fn looking_ends_with_the_last_group() {
        let watch = MemoryWatch::default();
        let own = rustix::process::getpgrp();
        drop(watch.watch(own, u64::MAX));
        tokio::time::sleep(INTERVAL * 2).await;
        assert!(!lock(&watch.shared).is_running);
        let mut watched = watch.watch(own, 0);
        watched.exceeded().await;
    }
}
