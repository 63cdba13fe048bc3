//! What a deployment came to, on standard output.

use formwork_deploy::ChangeSet;
use formwork_report::printable;
use serde_json::{Map, Value, json};

use super::changes;
use super::voice::Voice;
use crate::args::ReportFormatArg;
use crate::output;

/// What a deployment came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) stack_name: String,
    pub(super) stack_id: Option<String>,
    pub(super) region: String,
    /// `deployed`, `failed`, `cancelled`, `no-changes`, `not-executed`; or why it was not found out:
    /// `refused`, `unanswered`, `interrupted`, `timed-out`.
    pub(super) result: &'static str,
    /// What went wrong, in one line.
    pub(super) message: Option<String>,
    pub(super) status: Option<String>,
    pub(super) change_set: Option<ChangeSet>,
    pub(super) outputs: Vec<(String, String, Option<String>)>,
}

impl Outcome {
    /// Prints the outputs, a line each, or everything as one JSON object.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(super) fn print(&self, format: Option<ReportFormatArg>, voice: &Voice<'_>) -> Result<(), String> {
        let text = if format == Some(ReportFormatArg::Json) {
            format!("{:#}\n", self.object(voice))
        } else {
            self.lines(voice)
        };
        output::write(None, |out| out.write_all(text.as_bytes()))
    }

    /// Prints it for programs alone: people were told why it stopped.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(super) fn print_object(&self, format: Option<ReportFormatArg>, voice: &Voice<'_>) -> Result<(), String> {
        if format == Some(ReportFormatArg::Json) { self.print(format, voice) } else { Ok(()) }
    }

    fn lines(&self, voice: &Voice<'_>) -> String {
        let width = self.outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        let line = |(name, value, _): &(String, String, Option<String>)| {
            format!("{:width$}  {}\n", printable(name), voice.clean(value))
        };
        self.outputs.iter().map(line).collect()
    }

    fn object(&self, voice: &Voice<'_>) -> Value {
        let outputs: Map<String, Value> =
            self.outputs.iter().map(|(name, value, _)| (name.clone(), voice.mask(value).into())).collect();
        let changes = self.change_set.iter().flat_map(|set| &set.changes);
        json!({
            "StackName": self.stack_name,
            "StackId": self.stack_id,
            "Region": self.region,
            "Result": self.result,
            "Status": self.status,
            "Message": self.message.as_deref().map(|message| voice.mask(message)),
            "ChangeSetId": self.change_set.as_ref().map(|set| &set.id),
            "Changes": changes.map(|change| changes::object(change, None)).collect::<Vec<_>>(),
            "Outputs": outputs,
        })
    }
}
