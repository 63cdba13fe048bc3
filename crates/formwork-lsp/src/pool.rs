//! Threads that answer.

use crossbeam_channel::{Sender, unbounded};

type Task = Box<dyn FnOnce() + Send>;

/// A few threads that work on tasks in their order.
pub(crate) struct Pool(Sender<Task>);

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        let (sender, receiver) = unbounded::<Task>();
        for number in 0..threads {
            let receiver = receiver.clone();
            let work = move || receiver.into_iter().for_each(|task| task());
            // Parsing and compiling are recursive within limits that fit into this.
            let thread = std::thread::Builder::new().name(format!("answers-{number}")).stack_size(8 << 20);
            let _ = thread.spawn(work);
        }
        Pool(sender)
    }

    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) {
        let _ = self.0.send(Box::new(task));
    }
}
