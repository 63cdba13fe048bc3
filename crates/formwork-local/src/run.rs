//! Entry points of a program: each runs until its work is done or a signal ends it.

use std::future::Future;
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use crate::error::LocalError;
use crate::function::Function;
use crate::invocation::{Answer, Invocation};
use crate::launcher::LaunchSettings;
use crate::log::Log;
use crate::pool::{Pool, PoolSettings};

/// Runs a function for one event in a process of its own. `None` when SIGINT or SIGTERM ended it. The process and
/// whatever it started are gone when this returns.
///
/// # Errors
/// When the function cannot be started.
pub fn invoke_once(
    launch: LaunchSettings,
    function: &Arc<Function>,
    invocation: Invocation,
    settings: PoolSettings,
    log: Log,
) -> Result<Option<Answer>, LocalError> {
    runtime()?.block_on(async {
        let pool = Pool::new(launch, PoolSettings { is_warm: false, ..settings }, log);
        until_signal(pool.invoke(function, invocation, false)).await?.transpose()
    })
}

/// What asynchronous work runs on.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, LocalError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().map_err(LocalError::system("the server cannot be started"))
}

/// Runs `work` until it is done, or until SIGINT or SIGTERM: then it is dropped, with everything that it started.
pub(crate) async fn until_signal<T>(work: impl Future<Output = T>) -> Result<Option<T>, LocalError> {
    let listen = |kind| signal(kind).map_err(LocalError::system("signals cannot be handled"));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(tokio::select! {
        result = work => Some(result),
        _ = interrupt.recv() => None,
        _ = terminate.recv() => None,
    })
}
