//! The synchronous interface to the data of an account.

use std::sync::Arc;
use std::time::SystemTime;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
#[cfg(test)]
use aws_types::SdkConfig;
use formwork_evaluate::AccountQuery;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::aws_error::AwsError;
use crate::clients::Clients;
use crate::configuration::configuration;
use crate::facts;
use crate::plan::Plan;
use crate::runtime::runtime;
use crate::settings::Settings;
use crate::snapshot::Snapshot;

/// Answers to the queries of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fetched {
    /// The known data. Everything else is unknown.
    pub snapshot: Snapshot,
    /// The errors of unknown data.
    pub errors: Vec<AwsError>,
}

/// Fetches data of the account in `settings`. Calls are made concurrently. A caller sends each query once; for several
/// rounds it opens a [`Connection`].
pub fn fetch(settings: &Settings, queries: &[AccountQuery]) -> Fetched {
    match Connection::open(settings) {
        Ok(connection) => connection.fetch(queries),
        Err(aws_error) => Fetched { errors: vec![aws_error], ..Fetched::default() },
    }
}

/// An account and Region with its credentials, which are looked up once.
#[derive(Debug)]
pub struct Connection {
    runtime: Runtime,
    region: String,
    clients: Arc<Clients>,
}

impl Connection {
    /// Resolves Region and credentials by the standard chain.
    ///
    /// # Errors
    /// When the Region or the credentials are missing.
    pub fn open(settings: &Settings) -> Result<Connection, AwsError> {
        let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
        let (config, region) = runtime.block_on(configuration(settings))?;
        let clients = runtime.block_on(Clients::new(&config, &region))?;
        Ok(Connection { runtime, region, clients: Arc::new(clients) })
    }

    #[cfg(test)]
    pub(crate) fn of(config: &SdkConfig, region: &str) -> Connection {
        let runtime = runtime().expect("a runtime");
        let clients = runtime.block_on(Clients::new(config, region)).expect("credentials");
        Connection { runtime, region: region.to_owned(), clients: Arc::new(clients) }
    }

    /// Returns the Region.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Fetches the data of all queries concurrently.
    pub fn fetch(&self, queries: &[AccountQuery]) -> Fetched {
        let (plan, mut errors) = Plan::new(queries);
        let parts = self.runtime.block_on(self.ask(plan));
        let mut snapshot = Snapshot::default();
        snapshot.region = Some(self.region.clone());
        snapshot.captured_at = now();
        for (part, more) in parts {
            snapshot.merge(part);
            errors.extend(more);
        }
        // Credentials that are not accepted make every call fail, for one reason.
        if let Some(fatal) = errors.iter().find(|aws_error| aws_error.kind.is_fatal()) {
            return Fetched { snapshot: Snapshot::default(), errors: vec![fatal.clone()] };
        }
        Fetched { snapshot, errors }
    }

    async fn ask(&self, plan: Plan) -> Vec<(Snapshot, Vec<AwsError>)> {
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

fn now() -> Option<String> {
    DateTime::from_secs(DateTime::from(SystemTime::now()).secs()).fmt(Format::DateTime).ok()
}
