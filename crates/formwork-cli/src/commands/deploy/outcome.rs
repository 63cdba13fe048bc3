//! What a deployment came to, on standard output.

use formwork_deploy::ChangeSet;
use formwork_report::printable;
use serde_json::{Map, Value, json};

use super::changes;
use super::places::Sources;
use super::voice::Voice;
use crate::Status;
use crate::args::ReportFormatArg;
use crate::terminal::{self, Form};

/// What a deployment came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) stack_name: String,
    pub(super) stack_id: Option<String>,
    pub(super) region: String,
    /// `deployed`, `failed`, `cancelled`, `no-changes`, `not-executed`; of a run that the service ended
    /// `refused`, `unanswered`, `interrupted`, `timed-out`; of one that ended before, what
    /// [`Outcome::of_end`] says.
    pub(super) result: &'static str,
    pub(super) status: Option<String>,
    pub(super) change_set: Option<ChangeSet>,
    pub(super) outputs: Vec<(String, String, Option<String>)>,
}

impl Outcome {
    /// What a run came to that ended before a deployment did.
    pub(super) fn of_end(status: Status, stack_name: &str, region: Option<&str>) -> Outcome {
        let result = match status {
            Status::Trouble => "invalid",
            Status::NotPackaged => "not-packaged",
            Status::TimedOut => "timed-out",
            Status::Interrupted => "interrupted",
            _ => "refused",
        };
        let (stack_name, region) = (stack_name.to_owned(), region.unwrap_or_default().to_owned());
        Outcome { stack_name, region, result, ..Outcome::default() }
    }

    /// Prints the outputs, a line each, or everything as one JSON object.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(super) fn print(
        &self,
        format: Option<ReportFormatArg>,
        voice: &Voice<'_>,
        sources: Option<&mut Sources>,
    ) -> Result<(), String> {
        if format == Some(ReportFormatArg::Json) {
            terminal::print(&format!("{:#}\n", self.object(voice, sources)), Form::Json)
        } else {
            terminal::print(&self.lines(voice), Form::Plain)
        }
    }

    /// Prints it for programs alone: people were told why it stopped.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(super) fn print_object(
        &self,
        format: Option<ReportFormatArg>,
        voice: &Voice<'_>,
        sources: Option<&mut Sources>,
    ) -> Result<(), String> {
        if format == Some(ReportFormatArg::Json) { self.print(format, voice, sources) } else { Ok(()) }
    }

    fn lines(&self, voice: &Voice<'_>) -> String {
        let width = self.outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        let line = |(name, value, _): &(String, String, Option<String>)| {
            format!("{:width$}  {}\n", printable(name), voice.clean(value))
        };
        self.outputs.iter().map(line).collect()
    }

    fn object(&self, voice: &Voice<'_>, mut sources: Option<&mut Sources>) -> Value {
        let outputs: Map<String, Value> =
            self.outputs.iter().map(|(name, value, _)| (name.clone(), voice.mask(value).into())).collect();
        let changes = self.change_set.iter().flat_map(|set| &set.changes);
        let changes = changes.map(|change| {
            let origin = sources.as_mut().and_then(|sources| sources.of(&change.within, &change.logical_id));
            changes::object(change, origin.as_ref())
        });
        let changes: Vec<Value> = changes.collect();
        json!({
            "StackName": self.stack_name,
            "StackId": self.stack_id,
            "Region": self.region,
            "Result": self.result,
            "Status": self.status,
            "ChangeSetId": self.change_set.as_ref().map(|set| &set.id),
            "Changes": changes,
            "Failures": voice.failures(),
            "Reason": voice.last_error(),
            "Outputs": outputs,
        })
    }
}
