//! Remote modules of a template, as far as the arguments allow them.

use std::sync::{Arc, OnceLock};

use formwork_net::{AllowList, ObjectStore, Policy, ProjectLock, Remote, RemoteError, user_cache_folder};
use formwork_project::{Failure, notes};

use crate::args::InputArgs;

/// Maximum number of bytes of a remote source: that of an archive (reference/modules/sources.md#archives).
const MOST_BYTES: u64 = 50 << 20;

/// The remote sources of a template. Their reader is created for the first one: most templates have none.
pub(crate) struct RemoteSources {
    lock: Arc<ProjectLock>,
    policy: Policy,
    allow: AllowList,
    settings: formwork_aws::Settings,
    remote: OnceLock<Remote>,
}

impl RemoteSources {
    /// With `is_update` all sources are fetched again.
    ///
    /// # Errors
    /// When the arguments contradict each other.
    pub(crate) fn new(lock: &Arc<ProjectLock>, inputs: &InputArgs, is_update: bool) -> Result<RemoteSources, Failure> {
        if inputs.live.offline && !inputs.allow_remote.is_empty() {
            return Err("--offline fetches nothing: remove --allow-remote".into());
        }
        let allow = AllowList::new(inputs.allow_remote.iter().map(String::as_str));
        let policy = match (allow.is_empty(), is_update) {
            (true, _) => Policy::Offline,
            (false, true) => Policy::Update,
            (false, false) => Policy::Locked,
        };
        // Without permission nothing is fetched, and no profile or variable of AWS has a part in the run.
        let settings = match policy {
            Policy::Offline => formwork_aws::Settings::default(),
            Policy::Locked | Policy::Update => inputs.live.aws.settings(inputs.region.clone(), None)?,
        };
        Ok(RemoteSources { lock: Arc::clone(lock), policy, allow, settings, remote: OnceLock::new() })
    }

    pub(crate) fn remote(&self) -> &Remote {
        self.remote.get_or_init(|| {
            notes::note_variables(&["FORMWORK_CACHE_DIR", "XDG_CACHE_HOME"]);
            let s3 = Box::new(Store { settings: self.settings.clone() });
            let (lock, allow) = (Arc::clone(&self.lock), self.allow.clone());
            Remote::new(lock, user_cache_folder(), self.policy, allow, s3, MOST_BYTES)
        })
    }

    pub(crate) fn is_pinned(&self, address: &str) -> bool {
        self.lock.is_pinned(address)
    }

    pub(crate) fn write_lock(&self) -> Result<(), Failure> {
        let written = self.remote.get().map_or(Ok(false), Remote::write_lock);
        written.map(drop).map_err(|error| error.to_string().into())
    }
}

/// Reads S3 objects with the standard credential chain of the SDK.
struct Store {
    settings: formwork_aws::Settings,
}

impl ObjectStore for Store {
    fn read(&self, bucket: &str, key: &str, version: Option<&str>, limit: u64) -> Result<Vec<u8>, RemoteError> {
        use formwork_aws::ObjectError;
        formwork_aws::read_object(&self.settings, bucket, key, version, limit).map_err(|error| match error {
            ObjectError::TooLarge => RemoteError::TooLarge(limit),
            ObjectError::Failed { why, help } => RemoteError::Unreachable { why, help },
        })
    }
}
