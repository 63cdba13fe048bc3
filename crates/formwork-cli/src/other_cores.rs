//! Keeps threads off the core of the thread that they work for.
//!
//! Linux starts and wakes a thread where another one runs when it takes idle cores for busy, as it does in virtual machines
//! (measured in Firecracker: for 1 to 5 ms, until cores are balanced). A run that lasts ten has no use for a second thread
//! until then.

#[cfg(target_os = "linux")]
pub(crate) use linux::OtherCores;
#[cfg(not(target_os = "linux"))]
pub(crate) use others::OtherCores;

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::{Mutex, PoisonError};

    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// Threads, and the cores that they may use.
    pub(crate) struct OtherCores {
        /// All that the thread may use which starts them; empty when that is not known.
        all: CpuSet,
        inside: Mutex<Inside>,
    }

    struct Inside {
        /// Where the thread runs that they work for.
        taken: usize,
        threads: Vec<Pid>,
    }

    impl OtherCores {
        /// No threads yet, which will work for the current one.
        pub(crate) fn new() -> OtherCores {
            let all = sched_getaffinity(None).unwrap_or_default();
            OtherCores { all, inside: Mutex::new(Inside { taken: sched_getcpu(), threads: Vec::new() }) }
        }

        /// Adds the current thread: it moves to another core.
        pub(crate) fn enter(&self) {
            let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
            inside.threads.push(gettid());
            self.keep_off(inside.taken, &inside.threads[inside.threads.len() - 1..]);
        }

        /// Moves the threads away from the core of the current thread, before it has work for them.
        pub(crate) fn make_place(&self) {
            let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
            let core = sched_getcpu();
            if inside.taken != core {
                inside.taken = core;
                self.keep_off(core, &inside.threads);
            }
        }

        /// Where the system refuses, they stay where they are.
        fn keep_off(&self, core: usize, threads: &[Pid]) {
            let mut cores = self.all;
            cores.unset(core);
            if cores.count() > 0 {
                for &thread in threads {
                    let _ = sched_setaffinity(Some(thread), &cores);
                }
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::sync::mpsc::channel;
        use std::thread;

        use super::*;

        #[test]
        fn a_thread_leaves_the_core_of_the_one_that_it_works_for() {
            let all = sched_getaffinity(None).expect("cores");
            let others = OtherCores::new();
            let (go, wait) = channel::<()>();
            thread::scope(|scope| {
                let entered = scope.spawn(|| {
                    let wait = wait;
                    others.enter();
                    wait.recv().expect("a word");
                    (sched_getaffinity(None).expect("cores"), sched_getcpu())
                });
                // It may be moved from now on, wherever this thread is.
                others.make_place();
                go.send(()).expect("a thread");
                let (cores, at) = entered.join().expect("it ends");
                assert_eq!(cores.count(), (all.count() - 1).max(1));
                assert!(cores.is_set(at));
            });
            // The other one keeps its own.
            assert_eq!(sched_getaffinity(None).expect("cores"), all);
        }
    }
}

/// Other systems choose well.
#[cfg(not(target_os = "linux"))]
mod others {
    pub(crate) struct OtherCores;

    impl OtherCores {
        pub(crate) fn new() -> OtherCores {
            OtherCores
        }

        pub(crate) fn enter(&self) {}

        pub(crate) fn make_place(&self) {}
    }
}
