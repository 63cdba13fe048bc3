//! Pushing code (reference/sync.md#code).

use std::io::Read;
use std::time::Duration;

use formwork_aws::{AwsError, CallError, CallErrorKind, JsonClient};
use formwork_deploy::{Event, EventSink, Service};
use formwork_report::Notice;
use formwork_sync::{ArtifactId, Code, CodeKind, LambdaCode, NotDeployed, PushError, Pushed, Pusher, Stacks};
use formwork_upload::{Artifact, Payload};

use super::snapshot::Taken;
use super::syncer::Syncer;
use super::tell::Told;
use crate::Status;
use crate::commands::deploy::choices::Choices;
use crate::commands::deploy::refusal;
use crate::commands::deploy::reporter::DeployReporter;
use crate::report::Reporter;
use crate::upload::Upload;

/// Pushes the code of resources; what fails is reported, and the others are pushed all the same.
pub(super) fn push(
    syncer: &mut Syncer<'_>,
    taken: &Taken,
    ids: &[ArtifactId],
    choices: &Choices,
    upload: &Upload,
    told: Told,
) -> Status {
    let mut diagnostics = Reporter::new(&syncer.args.deploy.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    if let Err(status) = prepare(syncer, taken, choices, &mut reporter) {
        return status;
    }
    let (Some(client), Some(stacks)) = (syncer.client.take(), syncer.stacks.take()) else { return Status::Errors };
    let pusher = Pusher { client: &client, interrupt: syncer.interrupt, poll: choices.intervals.events };
    let mut status = Status::Done;
    for id in ids {
        match one(&pusher, &stacks, taken, id, upload) {
            Ok(pushed) => {
                if told == Told::Everything || pushed != Pushed::UpToDate {
                    syncer.tell.pushed(id, &pushed);
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

/// The services, and the names of the deployed resources.
fn prepare(
    syncer: &mut Syncer<'_>,
    taken: &Taken,
    choices: &Choices,
    reporter: &mut DeployReporter<'_, '_>,
) -> Result<(), Status> {
    fn failed(trouble: &AwsError, reporter: &mut DeployReporter<'_, '_>) -> Status {
        reporter.print(&refusal::of_trouble(trouble), None);
        refusal::status_of_trouble(trouble)
    }
    if syncer.client.is_none() {
        syncer.client = Some(JsonClient::open(&choices.settings).map_err(|trouble| failed(&trouble, reporter))?);
    }
    if syncer.stacks.is_none() {
        let service = Service::open(&choices.settings, choices.intervals);
        let mut service = service.map_err(|trouble| failed(&trouble, reporter))?;
        let name = choices.stack_name();
        let listed = Stacks::list(&mut service, name, &taken.snapshot, &mut Sink(reporter));
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
    upload: &Upload,
) -> Result<Pushed, PushError> {
    let unfit = |why: NotDeployed| PushError::Unfit(why.to_string());
    let artifact = taken.snapshot.artifacts().get(id).zip(taken.artifact(id));
    let Some((Code::Pushed { kind, alias }, artifact)) = artifact.map(|(known, artifact)| (&known.code, artifact))
    else {
        return Err(PushError::Unfit("a deployment alone takes it".to_owned()));
    };
    let name = stacks.name(id, *kind).map_err(unfit)?;
    let content = content(artifact)?;
    match kind {
        CodeKind::Function => pusher.function(name, &zip(artifact, content, upload)?, alias.as_deref()),
        CodeKind::Layer => pusher.layer(name, &zip(artifact, content, upload)?, stacks.functions()),
        CodeKind::StateMachine => pusher.state_machine(name, &content),
        CodeKind::RestApi => pusher.rest_api(name, &content),
        CodeKind::HttpApi => pusher.http_api(name, &content),
    }
}

fn content(artifact: Artifact<'_>) -> Result<Vec<u8>, PushError> {
    let mut content = Vec::new();
    let read = artifact.payload().and_then(|mut payload| payload.read_to_end(&mut content));
    read.map_err(|error| PushError::Unfit(format!("the file cannot be read: {error}")))?;
    Ok(content)
}

/// A zip for Lambda; one that is too large for a request is put into the bucket.
fn zip(artifact: Artifact<'_>, zip: Vec<u8>, upload: &Upload) -> Result<LambdaCode, PushError> {
    let code = LambdaCode::new(zip);
    if !code.is_too_large() || !upload.is_s3() {
        return Ok(code);
    }
    let destination = upload.destination().map_err(|why| PushError::Unfit(why.message.clone()))?;
    let (Some(uploader), Some(key)) = (upload.uploader(), artifact.key()) else { return Ok(code) };
    let key = destination.key(key, None);
    let put = uploader.put(&key, &mut Payload::memory(code.zip().to_vec()));
    put.map_err(|error| PushError::Unfit(format!("the zip could not be uploaded: {error}")))?;
    Ok(code.stored_at(destination.bucket, key))
}

/// Why the code of a resource was not pushed.
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
        _ => notice,
    }
}

/// The status after one more push failed.
fn worse(status: Status, error: &PushError) -> Status {
    let is_denied = matches!(error, PushError::Call { source, .. }
        if matches!(source.kind, CallErrorKind::Denied | CallErrorKind::Credentials));
    if is_denied && status == Status::Done { Status::NotPermitted } else { Status::Errors }
}

/// Prints when the service has to be asked again.
struct Sink<'s, 'r, 'a>(&'s mut DeployReporter<'r, 'a>);

impl EventSink for Sink<'_, '_, '_> {
    fn event(&mut self, _: &Event) {}

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.0.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.0.print(&refusal::incomplete(call, failure), None);
    }
}
