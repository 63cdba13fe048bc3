//! Pushes the code of a round (reference/sync.md#code).

use formwork_aws::{AwsError, CallErrorKind, JsonClient};
use formwork_deploy::Service;
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::upload::Upload;
use formwork_stacks::deploy::Wanted;
use formwork_stacks::refusal;
use formwork_stacks::reporter::DeployReporter;
use formwork_stacks::retries::Retries;
use formwork_upload::PushedImage;

use super::content::{Images, document, zip};
use super::snapshot::Taken;
use super::sync_reporter::Reported;
use super::syncer::Syncer;
use crate::{ArtifactId, Code, CodeKind, NotDeployed, PushError, Pushed, Pusher, Stacks};

/// Pushes the code of resources. An error is reported, and the other resources are pushed all the same.
pub(super) fn push(
    syncer: &mut Syncer<'_>,
    taken: &Taken,
    ids: &[ArtifactId],
    choices: &Wanted,
    upload: &Upload,
    reported: Reported,
) -> Status {
    let mut diagnostics = Reporter::new(&syncer.args.deploy.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    if let Err(status) = prepare(syncer, taken, choices, &mut reporter) {
        return status;
    }
    let (Some(client), Some(stacks)) = (syncer.client.take(), syncer.stacks.take()) else { return Status::Errors };
    let images = Images::new(taken, upload);
    let pusher = Pusher { client: &client, interrupt: syncer.interrupt, poll: choices.intervals.events };
    let mut status = Status::Done;
    for id in ids {
        match one(&pusher, &stacks, taken, id, &images) {
            Ok(pushed) => {
                if reported == Reported::Everything || pushed != Pushed::UpToDate {
                    syncer.reporter.pushed(id, &pushed);
                    syncer.accept(taken, id);
                }
            }
            Err(PushError::Interrupted) => {
                reporter.print(&Notice::warning(format!("interrupted: {id} was not updated")), None);
                status = Status::Interrupted;
                break;
            }
            Err(error) => {
                reporter.print(&refused(id, &error), None);
                status = worse(status, &error);
            }
        }
    }
    (syncer.client, syncer.stacks) = (Some(client), Some(stacks));
    status
}

/// Creates the client, and looks up the names of the deployed resources.
fn prepare(
    syncer: &mut Syncer<'_>,
    taken: &Taken,
    choices: &Wanted,
    reporter: &mut DeployReporter<'_>,
) -> Result<(), Status> {
    fn failed(error: &AwsError, reporter: &mut DeployReporter<'_>) -> Status {
        reporter.print(&refusal::of_aws_error(error), None);
        refusal::status_of_aws_error(error)
    }
    if syncer.client.is_none() {
        syncer.client = Some(JsonClient::open(&choices.settings).map_err(|error| failed(&error, reporter))?);
    }
    if syncer.stacks.is_none() {
        let service = Service::open(&choices.settings, choices.intervals);
        let mut service = service.map_err(|error| failed(&error, reporter))?;
        let name = choices.stack_name();
        let listed = Stacks::list(&mut service, name, &taken.snapshot, &mut Retries(reporter));
        syncer.stacks = Some(listed.map_err(|error| {
            reporter.print(&refusal::of(&error, name), None);
            refusal::status_of(&error)
        })?);
    }
    Ok(())
}

fn one(
    pusher: &Pusher<'_>,
    stacks: &Stacks,
    taken: &Taken,
    id: &ArtifactId,
    images: &Images<'_>,
) -> Result<Pushed, PushError> {
    let unfit = || PushError::Unfit("only a deployment updates it".to_owned());
    let known = taken.snapshot.artifacts().get(id).map(|artifact| &artifact.code);
    let Some(Code::Pushed { kind, alias }) = known else { return Err(unfit()) };
    let name = stacks.name(id, *kind).map_err(|why: NotDeployed| PushError::Unfit(why.to_string()))?;
    let (alias, upload) = (alias.as_deref(), images.upload);
    let file = || taken.artifact(id).ok_or_else(unfit);
    match kind {
        CodeKind::Function => pusher.function(name, &zip(file()?, upload)?, alias),
        CodeKind::Image => {
            let PushedImage { name: image, was_there } = images.push(id)?;
            pusher.image(name, &image, was_there, alias)
        }
        CodeKind::Layer => pusher.layer(name, &zip(file()?, upload)?, stacks.functions()),
        CodeKind::StateMachine => pusher.state_machine(name, &document(file()?)?),
        CodeKind::RestApi => pusher.rest_api(name, &document(file()?)?),
        CodeKind::HttpApi => pusher.http_api(name, &document(file()?)?),
    }
}

fn refused(id: &ArtifactId, error: &PushError) -> Notice {
    let notice = Notice::error(format!("{id} was not updated: {error}"));
    match error {
        PushError::Call { source, .. } => match source.kind {
            CallErrorKind::Denied => notice.help("allow the action that the sentence names, or name other credentials"),
            CallErrorKind::Credentials => notice.help("sign in again (`aws sso login`), or name others with --profile"),
            CallErrorKind::Refused => notice.help("deploy the stack as a whole if the resource was changed elsewhere"),
            _ => notice.help("look at the network and the Region; the next change tries it again"),
        },
        PushError::Unfit(_) => notice.help("deploy the stack as a whole: run `formwork sync` without --code"),
        PushError::NotStored { help, .. } if !help.is_empty() => notice.help(help.clone()),
        _ => notice,
    }
}

/// Returns the more severe of a status and that of a failed push.
fn worse(status: Status, error: &PushError) -> Status {
    let is_denied = matches!(error, PushError::Call { source, .. }
        if matches!(source.kind, CallErrorKind::Denied | CallErrorKind::Credentials));
    if is_denied && status == Status::Done { Status::NotPermitted } else { Status::Errors }
}
