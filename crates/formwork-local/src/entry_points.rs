//! Entry points of a program: each runs until its work is done or a signal ends it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::net::TcpListener;

use crate::admission::Admission;
use crate::api::{self, Api, ApiOptions, ApiServer};
use crate::error::LocalError;
use crate::function::Function;
use crate::http;
use crate::invocation::{Answer, Invocation};
use crate::lambda_api::LambdaApi;
use crate::launcher::LaunchSettings;
use crate::log::Log;
use crate::pool::{Pool, PoolSettings};
use crate::project::Project;
use crate::signals::{Ending, Signals};
use crate::watching::{Changes, interest};

/// Runs a function for one event in a process of its own. `None` when SIGINT or SIGTERM ended it. The process and its
/// children have ended when this returns.
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
        Signals::listen()?.end(pool.invoke(function, invocation, false)).await.ok().transpose()
    })
}

/// The settings of a server.
pub struct Server {
    /// The address to listen on; port 0 is any free one.
    pub address: SocketAddr,
    /// The hosts by which it is reached and whose pages may call it, besides loopback and `localhost`.
    pub hosts: Vec<String>,
    /// The settings that functions run with.
    pub launch: LaunchSettings,
    /// The settings of the pool.
    pub settings: PoolSettings,
    /// The log of the functions.
    pub log: Log,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The template of a server.
pub trait Template {
    /// Returns the files that the template depends on.
    fn files(&self) -> Vec<PathBuf>;

    /// Reads the template again when one of its files changed, and returns the new project; `None` when no file
    /// changed, and when the template has errors, which have been printed.
    fn reload(&mut self) -> Option<Project>;
}

/// Answers calls of the Lambda API for the functions of a project until SIGINT or SIGTERM. `started` receives the
/// address.
///
/// # Errors
/// When the address is in use, or the files of the project cannot be watched.
pub fn start_lambda(
    server: Server,
    project: Project,
    template: &mut dyn Template,
    started: impl FnOnce(SocketAddr),
) -> Result<Ending, LocalError> {
    runtime()?.block_on(async {
        let signals = Signals::listen()?;
        let changes = Changes::of(interest(&project.functions, &template.files())).await?;
        let (listener, address) = listen(server.address).await?;
        let pool = Arc::new(Pool::new(server.launch, server.settings, server.log));
        let functions = project.functions.clone();
        let project = Arc::new(RwLock::new(Arc::new(project)));
        let admission = Admission::new(&server.hosts);
        let api = Arc::new(LambdaApi { project: Arc::clone(&project), pool: Arc::clone(&pool), admission });
        let serving = http::serve(listener, move |received| {
            let api = Arc::clone(&api);
            async move { api.answer(received.request).await }
        });
        let serving = tokio::spawn(serving);
        started(address);
        let changed = |now| *project.write().unwrap_or_else(PoisonError::into_inner) = now;
        let Err(ending) = signals.end(follow(template, functions, changes, &pool, changed)).await;
        serving.abort();
        Ok(ending)
    })
}

/// Answers requests to the APIs of a project until SIGINT or SIGTERM: the first on the port of the address, each of the
/// others on the next one. `started` receives the APIs with their addresses, also after each change.
///
/// # Errors
/// When a port is in use, or the files of the project cannot be watched.
pub fn start_api(
    server: Server,
    options: &ApiOptions,
    project: Project,
    template: &mut dyn Template,
    mut started: impl FnMut(&[(Api, SocketAddr)], &Project),
) -> Result<Ending, LocalError> {
    runtime()?.block_on(async {
        let signals = Signals::listen()?;
        let region = server.launch.region.clone();
        let pool = Arc::new(Pool::new(server.launch, server.settings, server.log));
        let project = Arc::new(project);
        let changes = Changes::of(interest(&project.functions, &template.files())).await?;
        let mut served: Vec<(Arc<ApiServer>, SocketAddr)> = Vec::new();
        let mut tasks = Vec::new();
        let apis = api::apis(&project);
        for document in project.missing_documents.iter().filter(|document| !document.is_local) {
            pool.warn(&document.to_string());
        }
        let mut listeners = Vec::new();
        for (at, api) in apis.into_iter().enumerate() {
            let mut address = server.address;
            if address.port() != 0 {
                address.set_port(address.port().checked_add(at as u16).unwrap_or(0));
            }
            listeners.push((api, listen(address).await?));
        }
        for (api, (listener, address)) in listeners {
            let state = RwLock::new((Arc::clone(&project), Arc::new(api)));
            let (pool, region) = (Arc::clone(&pool), region.clone());
            let decisions = std::sync::Mutex::default();
            let (admission, port) = (Admission::new(&server.hosts), address.port());
            let options = options.clone();
            let api = Arc::new(ApiServer { state, pool, region, port, decisions, admission, options });
            served.push((Arc::clone(&api), address));
            tasks.push(tokio::spawn(http::serve(listener, move |received| {
                let api = Arc::clone(&api);
                async move { api.answer(received).await }
            })));
        }
        let shown = |served: &[(Arc<ApiServer>, SocketAddr)]| -> Vec<(Api, SocketAddr)> {
            let api = |server: &ApiServer| Api::clone(&server.state.read().unwrap_or_else(PoisonError::into_inner).1);
            served.iter().map(|(server, address)| (api(server), *address)).collect()
        };
        started(&shown(&served), &project);
        let changed = |now: Arc<Project>| {
            let mut apis = api::apis(&now);
            for (server, _) in &served {
                let id = server.state.read().unwrap_or_else(PoisonError::into_inner).1.id.clone();
                let same = apis.iter().position(|api| api.id == id).map(|at| apis.remove(at));
                let without = || Api {
                    routes: Vec::new(),
                    ..Api::clone(&server.state.read().unwrap_or_else(PoisonError::into_inner).1)
                };
                let api = same.unwrap_or_else(without);
                server.replace(Arc::clone(&now), Arc::new(api));
            }
            for api in apis {
                pool.warn(&format!("the API {} is new: restart the command to serve it", api.id));
            }
            started(&shown(&served), &now);
        };
        let Err(ending) = signals.end(follow(template, project.functions.clone(), changes, &pool, changed)).await;
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        Ok(ending)
    })
}

/// Follows edited code and templates: `changed` receives the current project.
async fn follow(
    template: &mut dyn Template,
    mut functions: Vec<Arc<Function>>,
    mut changes: Changes,
    pool: &Pool,
    mut changed: impl FnMut(Arc<Project>),
) -> std::convert::Infallible {
    loop {
        changes.next().await;
        pool.refresh().await;
        let (before, now) = (template.files(), template.reload());
        let is_other = template.files() != before;
        if let Some(now) = now {
            functions.clone_from(&now.functions);
            pool.keep(&now.functions);
            changes.watch(interest(&now.functions, &template.files()));
            changed(Arc::new(now));
        } else if is_other {
            changes.watch(interest(&functions, &template.files()));
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), LocalError> {
    let failed = || format!("{address} cannot be listened on");
    let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => LocalError::TakenPort(address.port()),
        _ => LocalError::System { what: failed(), error },
    })?;
    let address = listener.local_addr().map_err(LocalError::system(failed()))?;
    Ok((listener, address))
}

/// Creates the runtime of asynchronous work: one thread, since waking another one for each step of a request takes
/// longer than the steps. Templates are read on the thread that waits for signals.
fn runtime() -> Result<tokio::runtime::Runtime, LocalError> {
    // The runtime panics when a thread does not start: one of its own, one that reads templates.
    let failed = LocalError::system("the server cannot be started: the system makes no thread");
    let probes: Vec<_> =
        (0..2).map(|_| std::thread::Builder::new().spawn(|| {})).collect::<Result<_, _>>().map_err(failed)?;
    drop(probes);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().map_err(LocalError::system("the server cannot be started"))
}
