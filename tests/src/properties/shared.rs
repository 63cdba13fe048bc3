//! Threads that edit and compile through one session see what a fresh session sees of the same files.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use formwork::{Change, Compilation, Goal, MemoryHost, Options, Session, VirtualPath};

use super::text_of;
use crate::generate::Random;

/// A file of a project: its path, and the contents that it may have.
pub type Versions = (String, Vec<String>);

/// The law for a project whose first file is the template: `steps` edits and compilations of `threads` threads.
/// Returns how many compilations were compared.
///
/// # Panics
/// When one of them differs.
pub fn shared(files: &[Versions], threads: usize, steps: usize, seed: u64) -> usize {
    let host = files.iter().fold(MemoryHost::new(), |host, (path, texts)| host.with(path, texts[0].as_str()));
    let session = Session::new(host, Options::default());
    let compared = AtomicUsize::new(0);
    thread::scope(|scope| {
        for thread in 0..threads {
            let (session, compared) = (&session, &compared);
            scope.spawn(move || {
                let mut random = Random::new(seed * 1000 + thread as u64);
                for _ in 0..steps / threads {
                    if random.below(4) == 0 {
                        edit(session, files, &mut random);
                    } else if is_as_fresh(session, files, &mut random) {
                        compared.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    compared.into_inner()
}

fn edit(session: &Session<'_>, files: &[Versions], random: &mut Random) {
    let count = 1 + random.below(2);
    let changes: Vec<Change> = (0..count)
        .map(|_| {
            let (path, texts) = &files[random.below(files.len())];
            let path = VirtualPath::new(path);
            if random.below(8) == 0 {
                return Change::Reload(path);
            }
            Change::Set(path, texts[random.below(texts.len())].as_str().into())
        })
        .collect();
    session.apply(changes);
}

/// Compiles a snapshot and compares. False when the run was cancelled by an edit.
fn is_as_fresh(session: &Session<'_>, files: &[Versions], random: &mut Random) -> bool {
    let snapshot = session.snapshot();
    let root = VirtualPath::new(&files[0].0);
    let goal = random.of(&[Goal::Check, Goal::Expand, Goal::Resolve]);
    let compiled = if random.below(3) == 0 {
        let Ok(compiled) = snapshot.compile_unless_outdated(&root, goal) else {
            assert!(snapshot.is_outdated());
            return false;
        };
        compiled
    } else {
        snapshot.compile(&root, goal)
    };
    let host = files.iter().fold(MemoryHost::new(), |host, (path, _)| match snapshot.read(&VirtualPath::new(path)) {
        Ok(bytes) => host.with(path, bytes.to_vec()),
        Err(_) => host,
    });
    let fresh = Session::new(host, Options::default()).compile(&files[0].0, goal);
    let (own, fresh) = (answer(&compiled), answer(&fresh));
    assert!(own == fresh, "{}\n--- shared\n{own:#?}\n--- fresh\n{fresh:#?}", goal.name());
    true
}

/// Text, and findings with their places.
fn answer(compiled: &Compilation) -> (Option<String>, Vec<String>) {
    let findings = compiled.diagnostics().iter().map(|found| found.resolve(compiled.sources()).to_string());
    (text_of(compiled, None).ok(), findings.collect())
}
