//! The synchronous front: an account that is asked, and what it answered.

use std::sync::Arc;
use std::time::SystemTime;

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;
use formwork_evaluate::FactQuery;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::clients::Clients;
use crate::facts;
use crate::plan::Plan;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::trouble::Trouble;
use crate::{credentials, http_client, trust};

/// Answers to the questions of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fetched {
    /// What is known now. What it lacks is unknown.
    pub snapshot: Snapshot,
    /// What stays unknown, and why.
    pub troubles: Vec<Trouble>,
}

/// Asks the account that `settings` name. Calls are made side by side. A caller asks each question
/// once; for several rounds it opens a [`Connection`].
pub fn fetch(settings: &Settings, queries: &[FactQuery]) -> Fetched {
    match Connection::open(settings) {
        Ok(connection) => connection.fetch(queries),
        Err(trouble) => Fetched { troubles: vec![trouble], ..Fetched::default() },
    }
}

/// An account and Region with credentials at hand. Credentials are looked up once.
#[derive(Debug)]
pub struct Connection {
    runtime: Runtime,
    region: String,
    clients: Arc<Clients>,
}

impl Connection {
    /// Finds Region and credentials by the standard chain.
    ///
    /// # Errors
    /// When there is no Region or there are no credentials.
    pub fn open(settings: &Settings) -> Result<Connection, Trouble> {
        let runtime = runtime().map_err(|error| Trouble::no_runtime(&error))?;
        let (config, region) = runtime.block_on(configuration(settings))?;
        let clients = runtime.block_on(Clients::new(&config, &region))?;
        Ok(Connection { runtime, region, clients: Arc::new(clients) })
    }

    /// An account that is asked as a configuration says.
    #[cfg(test)]
    pub(crate) fn of(config: &SdkConfig, region: &str) -> Connection {
        let runtime = runtime().expect("a runtime");
        let clients = runtime.block_on(Clients::new(config, region)).expect("credentials");
        Connection { runtime, region: region.to_owned(), clients: Arc::new(clients) }
    }

    /// The Region that is asked.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Asks everything side by side, and waits for all answers.
    pub fn fetch(&self, queries: &[FactQuery]) -> Fetched {
        let (plan, mut troubles) = Plan::new(queries);
        let parts = self.runtime.block_on(self.ask(plan));
        let mut snapshot = Snapshot::default();
        snapshot.region = Some(self.region.clone());
        snapshot.captured_at = now();
        for (part, more) in parts {
            snapshot.merge(part);
            troubles.extend(more);
        }
        // Credentials that are not accepted make every call fail, for one reason.
        if let Some(fatal) = troubles.iter().find(|trouble| trouble.kind.is_fatal()) {
            return Fetched { snapshot: Snapshot::default(), troubles: vec![fatal.clone()] };
        }
        Fetched { snapshot, troubles }
    }

    /// The answers, in the order of the plan.
    async fn ask(&self, plan: Plan) -> Vec<(Snapshot, Vec<Trouble>)> {
        let mut calls = JoinSet::new();
        for (at, task) in plan.tasks.into_iter().enumerate() {
            let clients = Arc::clone(&self.clients);
            calls.spawn(async move { (at, facts::answer(task, &clients).await) });
        }
        let mut answers = calls.join_all().await;
        answers.sort_by_key(|(at, _)| *at);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}

/// The time, to the second.
fn now() -> Option<String> {
    DateTime::from_secs(DateTime::from(SystemTime::now()).secs()).fmt(Format::DateTime).ok()
}

/// A runtime on this thread: what is waited for is the network.
///
/// # Errors
/// When the system gives no means to wait.
pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Everything that calls need, found by the standard chain, and the Region. Credentials are looked up
/// once.
pub(crate) async fn configuration(settings: &Settings) -> Result<(SdkConfig, String), Trouble> {
    let (config, region, http_client) = load(settings).await?;
    let provider = credentials::provider(settings, &config, http_client);
    let credentials = credentials::find(settings, provider.as_ref()).await?;
    let config = config.into_builder().credentials_provider(SharedCredentialsProvider::new(credentials)).build();
    Ok((config, region))
}

/// The same for calls over a long time: credentials are looked up again before they expire.
///
/// # Errors
/// When there is no Region or there are no credentials.
pub async fn lasting_configuration(settings: &Settings) -> Result<(SdkConfig, String), Trouble> {
    let (config, region, http_client) = load(settings).await?;
    let provider = credentials::provider(settings, &config, http_client);
    credentials::find(settings, provider.as_ref()).await?;
    let mut builder = config.into_builder();
    builder.set_credentials_provider(provider);
    Ok((builder.build(), region))
}

/// The settings of environment and profile, with those of the caller in front.
async fn load(settings: &Settings) -> Result<(SdkConfig, String, SharedHttpClient), Trouble> {
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(settings.attempt_timeout)
        .operation_timeout(settings.call_timeout)
        .build();
    let http_client = http_client::client(&trust::find(settings).await?);
    let mut loader =
        aws_config::defaults(BehaviorVersion::latest()).http_client(http_client.clone()).timeout_config(timeouts);
    if let Some(region) = &settings.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(profile) = &settings.profile {
        loader = loader.profile_name(profile);
    }
    if let Some(url) = &settings.endpoint_url {
        loader = loader.endpoint_url(url);
    }
    let config = loader.load().await;
    // An empty variable of the environment names none.
    let region = config.region().map(ToString::to_string).filter(|region| !region.is_empty());
    let region = region.ok_or_else(Trouble::no_region)?;
    Ok((config, region, http_client))
}
