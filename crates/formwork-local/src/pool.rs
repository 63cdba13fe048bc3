//! A pool of processes for all functions, started when they are needed.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use formwork_base::lock;
use tokio::sync::Semaphore;

use crate::artifact;
use crate::error::LocalError;
use crate::function::{CodeSource, Function};
use crate::guard::Guard;
use crate::instance::Instance;
use crate::invocation::{Answer, Invocation};
use crate::launcher::{LaunchSettings, Launcher};
use crate::log::Log;
use crate::memory::MemoryWatch;

/// Settings of a pool.
#[derive(Clone)]
pub struct PoolSettings {
    /// Reuses a process for further events.
    pub is_warm: bool,
    /// Maximum number of processes of a function.
    pub concurrency: usize,
    /// Receives warnings, with which a function still runs.
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for PoolSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PoolSettings");
        shown.field("is_warm", &self.is_warm).field("concurrency", &self.concurrency).finish_non_exhaustive()
    }
}

/// Processes of functions. Dropping the pool kills all of them.
#[derive(Debug)]
pub struct Pool {
    launch: LaunchSettings,
    settings: PoolSettings,
    log: Log,
    memory: MemoryWatch,
    guard: Arc<Guard>,
    pools: Mutex<HashMap<String, Arc<FunctionPool>>>,
}

#[derive(Debug)]
struct FunctionPool {
    function: Arc<Function>,
    /// Changes with the code.
    generation: AtomicU64,
    launcher: tokio::sync::Mutex<Option<(u64, Arc<Launcher>)>>,
    idle: Mutex<Vec<(u64, Instance)>>,
    permits: Semaphore,
    fingerprint: AtomicU64,
}

impl Pool {
    /// Creates an empty pool.
    pub fn new(launch: LaunchSettings, settings: PoolSettings, log: Log) -> Pool {
        let (memory, guard) = (MemoryWatch::default(), Arc::new(Guard::new()));
        Pool { launch, settings, log, memory, guard, pools: Mutex::default() }
    }

    /// Runs a function for one event, in an idle process or a new one. With `wants_tail` the answer contains the end of
    /// the log.
    ///
    /// # Errors
    /// When the function cannot be started.
    pub async fn invoke(
        &self,
        function: &Arc<Function>,
        invocation: Invocation,
        wants_tail: bool,
    ) -> Result<Answer, LocalError> {
        let pool = self.pool(function);
        let _permit = pool.permits.acquire().await;
        let generation = pool.generation.load(Ordering::Acquire);
        let idle = pool.take_idle(generation);
        let (generation, instance) = if let Some(instance) = idle {
            (generation, instance)
        } else {
            let (generation, launcher) = self.launcher(&pool).await?;
            (generation, Instance::start(&launcher, &self.log, &self.memory, &self.guard).await?)
        };
        let mut answer = instance.invoke(invocation).await;
        let is_kept =
            self.settings.is_warm && instance.is_alive() && pool.generation.load(Ordering::Acquire) == generation;
        if !is_kept {
            instance.end().await;
        }
        instance.report();
        if wants_tail {
            answer.tail = instance.tail();
        }
        if is_kept {
            lock(&pool.idle).push((generation, instance));
        }
        Ok(answer)
    }

    fn pool(&self, function: &Arc<Function>) -> Arc<FunctionPool> {
        let mut pools = lock(&self.pools);
        if let Some(pool) = pools.get(&function.id).filter(|pool| pool.function == *function) {
            return Arc::clone(pool);
        }
        // A debugger has one port, and so one process.
        let is_debugged = self.launch.debugger_of(&function.id).is_some();
        let concurrency = if is_debugged { 1 } else { self.settings.concurrency.max(1) };
        let pool = Arc::new(FunctionPool {
            function: Arc::clone(function),
            generation: AtomicU64::new(0),
            launcher: tokio::sync::Mutex::new(None),
            idle: Mutex::default(),
            permits: Semaphore::new(concurrency),
            fingerprint: AtomicU64::new(fingerprint(function)),
        });
        pools.insert(function.id.clone(), Arc::clone(&pool));
        pool
    }

    async fn launcher(&self, pool: &FunctionPool) -> Result<(u64, Arc<Launcher>), LocalError> {
        let mut known = pool.launcher.lock().await;
        let generation = pool.generation.load(Ordering::Acquire);
        if let Some((of, launcher)) = known.as_ref().filter(|(of, _)| *of == generation) {
            return Ok((*of, Arc::clone(launcher)));
        }
        let (function, launch) = (Arc::clone(&pool.function), self.launch.clone());
        let prepared = tokio::task::spawn_blocking(move || Launcher::prepare(&function, &launch)).await;
        let launcher = prepared.map_err(|error| LocalError::System {
            what: "the function cannot be prepared".to_owned(),
            error: std::io::Error::other(error),
        })??;
        self.guard.add_directory(launcher.scratch());
        let is_first = known.is_none();
        for warning in launcher.warnings.iter().filter(|_| is_first) {
            (self.settings.warn)(warning);
        }
        let launcher = Arc::new(launcher);
        *known = Some((generation, Arc::clone(&launcher)));
        Ok((generation, launcher))
    }

    /// Detects edited code, and ends processes that run older code.
    pub async fn refresh(&self) {
        let pools: Vec<Arc<FunctionPool>> = lock(&self.pools).values().cloned().collect();
        for pool in pools {
            let function = Arc::clone(&pool.function);
            let Ok(now) = tokio::task::spawn_blocking(move || fingerprint(&function)).await else { continue };
            if pool.fingerprint.swap(now, Ordering::AcqRel) != now {
                pool.generation.fetch_add(1, Ordering::AcqRel);
                lock(&pool.idle).clear();
            }
        }
    }

    /// Reports a warning, with which a function still runs.
    pub(crate) fn warn(&self, text: &str) {
        (self.settings.warn)(text);
    }

    /// Reports why a function cannot be started, with its position in the template.
    pub(crate) fn refuse(&self, function: &Function, error: &LocalError) {
        let place = function.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        self.warn(&format!("{}{place} cannot be run: {error}", function.id));
    }

    /// Ends the processes of functions that are no longer in the template.
    pub fn keep(&self, functions: &[Arc<Function>]) {
        lock(&self.pools).retain(|id, pool| functions.iter().any(|one| one.id == *id && *one == pool.function));
    }
}

impl FunctionPool {
    /// Returns a running process of this generation.
    fn take_idle(&self, generation: u64) -> Option<Instance> {
        let mut idle = lock(&self.idle);
        while let Some((of, instance)) = idle.pop() {
            if of == generation && instance.is_alive() {
                return Some(instance);
            }
        }
        None
    }
}

fn fingerprint(function: &Function) -> u64 {
    let layers = function.layers.iter().map(|layer| &layer.source);
    let sources = std::iter::once(&function.code).chain(layers);
    let paths = sources.filter_map(|source| match source {
        CodeSource::Path(path) => Some(path),
        _ => None,
    });
    let paths: Vec<&PathBuf> = paths.collect();
    paths.iter().fold(0, |sum: u64, path| sum.rotate_left(7) ^ artifact::fingerprint(path))
}
