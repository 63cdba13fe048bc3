//! The process of a function with its Runtime API.

use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use formwork_base::lock;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::TcpListener;
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::error::LocalError;
use crate::function::Function;
use crate::guard::Guard;
use crate::invocation::{Answer, Failure, Invocation, MOST_RESPONSE_BYTES};
use crate::launcher::Launcher;
use crate::log::Log;
use crate::memory::{self, MemoryWatch, Peak, Watched};
use crate::messages::{self, Measured};
use crate::output::{Output, Tee};
use crate::runtime_api::{Reply, RuntimeApi, State, Work};

/// A process of a function. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct Instance {
    launcher: Arc<Launcher>,
    log: Tee,
    memory: MemoryWatch,
    work: mpsc::Sender<Work>,
    state: watch::Receiver<State>,
    exit: watch::Receiver<Option<ExitStatus>>,
    group: Option<Pid>,
    guard: Arc<Guard>,
    tasks: Vec<JoinHandle<()>>,
    readers: Vec<JoinHandle<()>>,
    outputs: Vec<Arc<Output>>,
    started: Instant,
    /// Set until the first invocation.
    is_cold: Mutex<bool>,
    /// The last invocation, when END and REPORT are not written yet.
    unreported: Mutex<Option<Measured>>,
    /// The peak memory of the process at the end of the last invocation, in bytes.
    peak: Mutex<u64>,
}

const KILLED: Duration = Duration::from_secs(2);

/// The time limit of invocations without one.
const FOREVER: Duration = Duration::from_hours(24);

impl Instance {
    /// Starts a process.
    ///
    /// # Errors
    /// When no port is available, or the program cannot be started.
    pub(crate) async fn start(
        launcher: &Arc<Launcher>,
        log: &Log,
        memory: &MemoryWatch,
        guard: &Arc<Guard>,
    ) -> Result<Instance, LocalError> {
        let bound = TcpListener::bind("127.0.0.1:0").await;
        let listener = bound.map_err(LocalError::system("the Runtime API has no port"))?;
        let address = listener.local_addr().map_err(LocalError::system("the Runtime API has no port"))?;
        let today = jiff::Timestamp::now().strftime("%Y/%m/%d").to_string();
        let stream = format!("{today}/[$LATEST]{:032x}", fastrand::u128(..));
        let mut command = Command::new(&launcher.program);
        command
            .args(&launcher.arguments)
            .current_dir(&launcher.task_root)
            .env_clear()
            .envs(launcher.environment.iter().map(|(name, value)| (name, value)))
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_LOG_STREAM_NAME", stream)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let failed = || format!("{} cannot be started", launcher.program.display());
        let mut child = command.spawn().map_err(LocalError::system(failed()))?;
        let group = child.id().and_then(|id| Pid::from_raw(id as i32));
        guard.add(group);
        let log = Tee::new(log);
        let unread = || "the log of the function cannot be read";
        let mut outputs = Vec::new();
        let pipes =
            [child.stdout.take().map(ChildStdout::into_owned_fd), child.stderr.take().map(ChildStderr::into_owned_fd)];
        for pipe in pipes.into_iter().flatten() {
            let output = pipe.and_then(|pipe| Output::new(pipe, log.clone()));
            outputs.push(Arc::new(output.map_err(LocalError::system(unread()))?));
        }
        let forward = |output: &Arc<Output>| {
            let output = Arc::clone(output);
            tokio::spawn(async move { output.forward().await })
        };
        let readers = outputs.iter().map(forward).collect();
        let (work, received) = mpsc::channel(1);
        let (state_sender, state) = watch::channel(State::Starting);
        let (exit_sender, exit) = watch::channel(None);
        let api = RuntimeApi::new(launcher.arn.clone(), received, state_sender);
        let server = tokio::spawn(api.serve(listener));
        let gone = Arc::clone(guard);
        let waiter = tokio::spawn(async move {
            let status = child.wait().await.unwrap_or_default();
            // Kill processes that the function left running.
            kill(group);
            gone.remove(group);
            exit_sender.send_replace(Some(status));
        });
        Ok(Instance {
            launcher: Arc::clone(launcher),
            log,
            memory: memory.clone(),
            work,
            state,
            exit,
            group,
            guard: Arc::clone(guard),
            tasks: vec![server, waiter],
            readers,
            outputs,
            started: Instant::now(),
            is_cold: Mutex::new(true),
            unreported: Mutex::default(),
            peak: Mutex::default(),
        })
    }

    /// `true` if the process can take another event.
    pub(crate) fn is_alive(&self) -> bool {
        self.exit.borrow().is_none() && !matches!(*self.state.borrow(), State::InitFailed(_))
    }

    /// Passes an event to the process and waits for the answer. After a failure other than that of the function the
    /// process is killed.
    pub(crate) async fn invoke(&self, invocation: Invocation) -> Answer {
        self.report();
        self.log.clear_tail();
        let id = invocation.id.clone();
        let is_cold = std::mem::replace(&mut *lock(&self.is_cold), false);
        let memory = self.launcher.memory_limit.zip(self.group);
        let mut memory = memory.map(|(limit, group)| self.memory.watch(group, limit));
        let failure = self.until_ready(&mut memory).await;
        let init = is_cold.then(|| self.started.elapsed());
        self.log.write(messages::start(&id).as_bytes());
        let begin = Instant::now();
        let outcome = match failure {
            Some(outcome) => outcome,
            None => self.until_answered(invocation, &mut memory).await,
        };
        let duration = begin.elapsed();
        drop(memory);
        let size = self.launcher.function.memory;
        let peak = self.group.and_then(memory::peak);
        let outcome = if self.is_above_limit(peak) { Outcome::OutOfMemory } else { outcome };
        let is_out = matches!(outcome, Outcome::OutOfMemory);
        let memory_used = if is_out { Some(size) } else { peak.map(|peak| peak.all.div_ceil(1 << 20)) };
        let answer = self.answer(&id, outcome).await;
        *lock(&self.unreported) = Some(Measured {
            id,
            duration: self.launcher.limit.filter(|_| answer.failure == Some(Failure::Timeout)).unwrap_or(duration),
            init,
            memory_size: size,
            memory_used,
        });
        answer
    }

    async fn until_ready(&self, memory: &mut Option<Watched>) -> Option<Outcome> {
        let (mut state, mut exit) = (self.state.clone(), self.exit.clone());
        tokio::select! {
            biased;
            state = state.wait_for(|state| !matches!(state, State::Starting)) => match state.as_deref() {
                Ok(State::InitFailed(error)) => Some(Outcome::InitFailed(error.clone())),
                _ => None,
            },
            status = exit.wait_for(Option::is_some) => Some(Outcome::Ended(status.ok().and_then(|status| *status))),
            () = exceeded(memory) => Some(Outcome::OutOfMemory),
            () = tokio::time::sleep(self.launcher.init_limit.unwrap_or(FOREVER)) => Some(Outcome::TimedOut),
        }
    }

    async fn until_answered(&self, invocation: Invocation, memory: &mut Option<Watched>) -> Outcome {
        let limit = self.launcher.limit.unwrap_or(FOREVER);
        let (reply, answered) = oneshot::channel();
        let mut exit = self.exit.clone();
        let work = async {
            let _ = self.work.send(Work { invocation, limit, reply }).await;
            answered.await
        };
        tokio::select! {
            biased;
            reply = work => match reply {
                Ok(reply) => Outcome::Replied(reply),
                Err(_) => Outcome::Ended(None),
            },
            status = exit.wait_for(Option::is_some) => Outcome::Ended(status.ok().and_then(|status| *status)),
            () = exceeded(memory) => Outcome::OutOfMemory,
            () = tokio::time::sleep(limit) => Outcome::TimedOut,
        }
    }

    async fn answer(&self, id: &str, outcome: Outcome) -> Answer {
        let failed = |failure, payload| Answer { id: id.to_owned(), payload, failure: Some(failure), tail: Vec::new() };
        match outcome {
            Outcome::Replied(Reply::Response(payload)) => {
                Answer { id: id.to_owned(), payload, failure: None, tail: Vec::new() }
            }
            Outcome::Replied(Reply::Error(payload)) => failed(Failure::Function, payload),
            Outcome::Replied(Reply::TooLarge) => {
                Answer::failed(id, Failure::TooLarge, &messages::too_large(MOST_RESPONSE_BYTES))
            }
            Outcome::InitFailed(payload) => {
                self.end().await;
                failed(Failure::Init, payload)
            }
            Outcome::Ended(status) => {
                self.end().await;
                Answer::failed(id, Failure::Ended, &messages::ended(id, status))
            }
            Outcome::OutOfMemory => {
                self.end().await;
                let Function { id: function, memory, .. } = &*self.launcher.function;
                let what = "its processes had more memory and were killed (--no-memory-limit lets them run)";
                self.log.write(format!("{function} has a MemorySize of {memory} MB: {what}\n").as_bytes());
                Answer::failed(id, Failure::Ended, &messages::killed(id))
            }
            Outcome::TimedOut => {
                self.end().await;
                let limit = self.launcher.limit.unwrap_or_default();
                let error = messages::timed_out(jiff::Timestamp::now(), id, limit);
                let text = error["errorMessage"].as_str().unwrap_or_default();
                self.log.write(format!("{text}\n").as_bytes());
                Answer::failed(id, Failure::Timeout, &error)
            }
        }
    }

    /// Kills the process group, and waits until it has ended and its log is read.
    pub(crate) async fn end(&self) {
        kill(self.group);
        let mut exit = self.exit.clone();
        let _ = tokio::time::timeout(KILLED, exit.wait_for(Option::is_some)).await;
        self.drain().await;
    }

    /// Waits until the log of an ended process is read. A process outside of the group may hold it open.
    async fn drain(&self) {
        let begin = Instant::now();
        while !self.readers.iter().all(JoinHandle::is_finished) && begin.elapsed() < Duration::from_millis(300) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Reads the log up to the answer, then writes END and REPORT.
    pub(crate) fn report(&self) {
        if let Some(measured) = lock(&self.unreported).take() {
            self.outputs.iter().for_each(|output| output.catch_up());
            self.log.write((messages::end(&measured.id) + &messages::report(&measured)).as_bytes());
        }
    }

    pub(crate) fn tail(&self) -> Vec<u8> {
        self.log.tail()
    }

    /// `true` if the process exceeded its memory during this invocation: the peak of an earlier one was checked before.
    fn is_above_limit(&self, peak: Option<Peak>) -> bool {
        let Some((limit, peak)) = self.launcher.memory_limit.zip(peak) else { return false };
        let before = std::mem::replace(&mut *lock(&self.peak), peak.all);
        peak.all > before && peak.own > limit.saturating_mul(1 << 20)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.exit.borrow().is_none() {
            kill(self.group);
            self.guard.remove(self.group);
        }
        self.report();
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

enum Outcome {
    Replied(Reply),
    InitFailed(bytes::Bytes),
    Ended(Option<ExitStatus>),
    OutOfMemory,
    TimedOut,
}

async fn exceeded(memory: &mut Option<Watched>) {
    match memory {
        Some(memory) => memory.exceeded().await,
        None => std::future::pending().await,
    }
}

fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
