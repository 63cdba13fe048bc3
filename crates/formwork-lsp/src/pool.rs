//! Worker threads for answers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Sender, unbounded};

type Task = Box<dyn FnOnce() + Send>;

pub(crate) struct Pool(Sender<Task>);

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        let (sender, receiver) = unbounded::<Task>();
        for number in 0..threads {
            let receiver = receiver.clone();
            // A task that panics has sent its answer already; the thread continues.
            let run = |task: Task| drop(catch_unwind(AssertUnwindSafe(task)));
            let work = move || receiver.into_iter().for_each(run);
            // Parsing and compiling are recursive within limits that fit into this stack.
            let thread = std::thread::Builder::new().name(format!("answers-{number}")).stack_size(8 << 20);
            let _ = thread.spawn(work);
        }
        Pool(sender)
    }

    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) {
        let _ = self.0.send(Box::new(task));
    }
}
