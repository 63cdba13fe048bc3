//! A change set that nobody will execute.

use std::time::Duration;

use formwork_aws::{Failure, Reason};

use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "DeleteChangeSet";

/// How long it may take: nobody waits for it who wants the program to end.
const LIMIT: Duration = Duration::from_secs(30);

/// A change set that was made and is not executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawn {
    /// Its ARN, or its name when the service did not tell that it was made.
    pub change_set: String,
    /// Why it could not be deleted; then it is still there, if it was made.
    pub left: Option<Failure>,
}

impl Calls {
    /// Deletes a change set; `None` when there is none.
    pub(crate) async fn withdraw(
        &mut self,
        stack: &str,
        change_set: &str,
        watcher: &mut dyn Watcher,
    ) -> Option<Withdrawn> {
        let call = self.client.delete_change_set().change_set_name(change_set);
        let call = call.set_stack_name((!change_set.starts_with("arn:")).then(|| stack.to_owned()));
        let mut patience = Patience::parting(&self.pace);
        let deleted = patience.insist(CALL, &mut self.waiting, watcher, || call.clone().send());
        let left = match tokio::time::timeout(LIMIT, deleted).await {
            Ok(Ok(_)) => None,
            Ok(Err(Stop::Failed { failure, .. })) if is_absent(&failure) => return None,
            Ok(Err(Stop::Failed { failure, .. })) => Some(failure),
            Ok(Err(Stop::Interrupted | Stop::TimedOut)) | Err(_) => {
                Some(Failure { reason: Reason::TimedOut, code: None, detail: None, status: None })
            }
        };
        Some(Withdrawn { change_set: change_set.to_owned(), left })
    }
}

/// Whether there is no such change set, or no such stack.
fn is_absent(failure: &Failure) -> bool {
    failure.reason == Reason::Refused
        && (matches!(failure.code.as_deref(), Some("ChangeSetNotFound" | "ChangeSetNotFoundException"))
            || failure.sentence().is_some_and(|sentence| sentence.contains("does not exist")))
}
