//! What a process writes to a stream, as lines of the log (reference/local.md#logs).

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};

use formwork_base::lock;
use rustix::buffer::spare_capacity;
use tokio::net::unix::pipe::Receiver;

use crate::log::Log;

/// The maximum size of the tail of a log in bytes.
const TAIL: usize = 4096;

/// The maximum length of a line that is not split.
const LINE: usize = 64 << 10;

/// How much one read takes: a pipe holds no more unless the system has other limits.
const MOST_READ: usize = 1 << 20;

/// The log of all functions and the end of that of one process.
#[derive(Clone, Debug)]
pub(crate) struct Tee {
    log: Log,
    tail: Arc<Mutex<Vec<u8>>>,
}

impl Tee {
    pub(crate) fn new(log: &Log) -> Tee {
        Tee { log: log.clone(), tail: Arc::default() }
    }

    pub(crate) fn write(&self, lines: &[u8]) {
        self.log.write(lines);
        let mut tail = lock(&self.tail);
        tail.extend_from_slice(lines);
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }

    /// The last lines.
    pub(crate) fn tail(&self) -> Vec<u8> {
        lock(&self.tail).clone()
    }

    /// Forgets the last lines.
    pub(crate) fn clear_tail(&self) {
        lock(&self.tail).clear();
    }
}

/// The reading end of standard output or standard error.
#[derive(Debug)]
pub(crate) struct Output {
    pipe: Receiver,
    /// The beginning of a line that is not complete.
    line: Mutex<Vec<u8>>,
    log: Tee,
}

/// Why nothing more is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// The pipe is empty.
    Empty,
    /// Nobody can write any more.
    Ended,
    /// Others have a turn.
    Enough,
}

impl Output {
    /// Reads a pipe whose lines go to `log`.
    pub(crate) fn new(pipe: OwnedFd, log: Tee) -> io::Result<Output> {
        Ok(Output { pipe: Receiver::from_owned_fd(pipe)?, line: Mutex::default(), log })
    }

    /// Forwards lines until nobody can write any more. Lines of several processes do not mix.
    pub(crate) async fn forward(&self) {
        while self.pipe.readable().await.is_ok() {
            match self.read(|line| self.pipe.try_read_buf(line)) {
                Stop::Empty => {}
                Stop::Enough => tokio::task::yield_now().await,
                Stop::Ended => break,
            }
        }
        self.end_line();
    }

    /// Forwards what was written until now: an answer that the process sent afterwards is not before it in the log.
    pub(crate) fn catch_up(&self) {
        // The system is asked: the runtime does not know yet of what came since it looked.
        self.read(|line| Ok(rustix::io::read(&self.pipe, spare_capacity(line))?));
        self.end_line();
    }

    /// Forwards the whole lines of what `more` reads.
    fn read(&self, more: impl Fn(&mut Vec<u8>) -> io::Result<usize>) -> Stop {
        let mut line = lock(&self.line);
        let mut length = 0;
        while length < MOST_READ {
            line.reserve(LINE);
            match more(&mut line) {
                Ok(0) => return Stop::Ended,
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Stop::Empty,
                Err(_) => return Stop::Ended,
            }
            let end = line.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            let end = end.or_else(|| (line.len() >= LINE).then_some(line.len()));
            if let Some(end) = end {
                self.log.write(&line[..end]);
                line.drain(..end);
            }
        }
        Stop::Enough
    }

    /// Writes the beginning of a line, and ends it.
    fn end_line(&self) {
        let mut line = lock(&self.line);
        if !line.is_empty() {
            line.push(b'\n');
            self.log.write(&line);
            line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn what_is_in_the_pipe_is_read_without_waiting() {
        let sink = Sink::default();
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let output = Output::new(reader.into(), Tee::new(&Log::new(vec![Box::new(sink.clone())]))).expect("a reader");
        writer.write_all(b"one\ntwo\nthr").expect("a pipe");
        output.catch_up();
        assert_eq!(String::from_utf8_lossy(&lock(&sink.0)), "one\ntwo\nthr\n");
        writer.write_all(b"ee\n").expect("a pipe");
        drop(writer);
        output.forward().await;
        assert_eq!(String::from_utf8_lossy(&lock(&sink.0)), "one\ntwo\nthr\nee\n");
        assert_eq!(output.log.tail(), lock(&sink.0).clone());
    }
}
