//! Forwards the output of a process to the log, line by line (reference/local.md#logs).

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};

use formwork_base::lock;
use rustix::buffer::spare_capacity;
use tokio::net::unix::pipe::Receiver;

use crate::log::Log;

/// Maximum size in bytes of the tail of a log.
const TAIL: usize = 4096;

/// Maximum length in bytes of a line that is not split.
const LINE: usize = 64 << 10;

/// Maximum size in bytes of one read: a pipe contains no more unless the system has other limits.
const MOST_READ: usize = 1 << 20;

/// The log of all functions, and the tail of the log of one process.
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

    pub(crate) fn tail(&self) -> Vec<u8> {
        lock(&self.tail).clone()
    }

    pub(crate) fn clear_tail(&self) {
        lock(&self.tail).clear();
    }
}

/// The reading end of standard output or standard error.
#[derive(Debug)]
pub(crate) struct Output {
    pipe: Receiver,
    /// The beginning of an incomplete line.
    line: Mutex<Vec<u8>>,
    log: Tee,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    Empty,
    /// All writers closed the pipe.
    Ended,
    /// Other tasks have a turn.
    Enough,
}

impl Output {
    /// Reads a pipe whose lines are written to `log`.
    pub(crate) fn new(pipe: OwnedFd, log: Tee) -> io::Result<Output> {
        Ok(Output { pipe: Receiver::from_owned_fd(pipe)?, line: Mutex::default(), log })
    }

    /// Forwards lines until all writers have closed the pipe. Lines of several processes do not mix.
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

    /// Forwards the output up to now, so that it is in the log before the answer that the process sent afterwards.
    pub(crate) fn catch_up(&self) {
        // Asks the system: the runtime does not know yet of output that came since its last poll.
        self.read(|line| Ok(rustix::io::read(&self.pipe, spare_capacity(line))?));
        self.end_line();
    }

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
