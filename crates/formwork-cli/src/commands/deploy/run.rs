//! The steps of a deployment, in their order.

use std::collections::HashMap;
use std::path::Path;

use formwork::{Compilation, Severity};
use formwork_deploy::{ChangeSet, Proposal, Proposed, Service, Stack, Stop};
use formwork_report::Remark;

use super::choices::{self, Choices};
use super::events::Events;
use super::local::{Kept, Local};
use super::outcome::Outcome;
use super::places::{self, Sources};
use super::secrets::Secrets;
use super::voice::Voice;
use super::{End, capabilities, changes, confirm, ending, packaging, parameters, refusal, stack};
use crate::Status;
use crate::args::DeployArgs;
use crate::report::Reporter;

/// Deploys as the arguments say.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub(super) fn run(args: &DeployArgs) -> Result<Status, String> {
    let template = args.template.as_ref().or(args.template_file.as_ref()).ok_or("no template is named")?;
    let choices = Choices::new(args, template)?;
    let is_stdin = template.as_path() == Path::new("-");
    if choices.confirms && !args.change_set.yes && !args.change_set.no_execute && (is_stdin || !confirm::can_ask()) {
        return Err("--confirm-changeset asks, and nobody is there to answer: give --yes, or --no-execute".to_owned());
    }
    let mut reporter = Reporter::new(&args.report);
    let mut voice = Voice::new(&args.report, &reporter);
    let local = Local::new(args, template, choices.settings.region.as_deref(), &choices.stack_name)?;
    let result = deploy(args, &choices, local, &mut reporter, &mut voice, is_stdin);
    if !voice.is_for_people() {
        reporter.count(voice.said());
        reporter.finish("");
    }
    match result {
        Ok(status) | Err(End::With(status)) => Ok(status),
        Err(End::Usage(why)) => Err(why),
    }
}

fn deploy(
    args: &DeployArgs,
    choices: &Choices,
    mut local: Local<'_>,
    reporter: &mut Reporter<'_>,
    voice: &mut Voice<'_>,
    is_stdin: bool,
) -> Result<Status, End> {
    let mut sources = Sources::new(local.check(&Kept::default())?);
    voice.hide(Secrets::new(sources.root().secret_texts()));
    let declared = sources.root().declared_parameters();
    let is_open = declared.iter().any(|parameter| parameter.given.is_none());
    // A value that the stack has may mend what is wrong without one; nothing else does.
    let has_errors = sources.root().has_errors();
    if has_errors && !(is_open && sources.root().is_well_formed()) {
        return Err(refused(reporter, voice, sources.root()));
    }
    let mut service = match Service::open(&choices.settings, choices.pace) {
        Ok(service) => service,
        Err(_) if has_errors => return Err(refused(reporter, voice, sources.root())),
        Err(trouble) => {
            voice.remark(&refusal::of_trouble(&trouble), None);
            return Err(End::With(refusal::status(&trouble)));
        }
    };
    if let Some(limit) = choices.limit {
        service.limit(limit);
    }
    let standing = match service.look(&choices.stack_name) {
        Ok(standing) => standing,
        Err(_) if has_errors => return Err(refused(reporter, voice, sources.root())),
        Err(stop) => return Err(stopped(&stop, choices, voice)),
    };
    let mut paths = HashMap::new();
    let existing = {
        let mut events = Events { voice, sources: &mut sources, paths: &mut paths };
        let mut tell = |line: &str| voice.tell(line);
        stack::ready(standing, choices, &args.run, &mut service, &mut events, &mut tell).map_err(
            |(remark, status)| {
                voice.remark(&remark, None);
                End::With(status)
            },
        )?
    };
    let is_create = choices::forced_create(args).unwrap_or(existing.is_none());
    let known = match &existing {
        Some(_) if is_open => {
            service.known_parameters(&choices.stack_name).map_err(|stop| stopped(&stop, choices, voice))?
        }
        _ => Vec::new(),
    };
    let kept = existing.as_ref().map_or_else(Kept::default, |stack| parameters::kept(&declared, &known, stack));
    if kept != Kept::default() {
        sources.replace_root(local.check(&kept)?);
    }
    sources.root_mut().require_values(&known);
    sources.root_mut().compare_collections();
    if sources.root().has_errors() {
        return Err(refused(reporter, voice, sources.root()));
    }
    reporter.print(sources.root());
    if voice.is_for_people() {
        reporter.finish("");
    }
    for remark in capabilities::lacking(sources.root(), &choices.capabilities) {
        voice.remark(&remark, Some(sources.root()));
    }
    let prepared = local.package(&kept)?;
    let how = (&args.upload, &args.report);
    packaging::upload(&prepared, sources.root().diagnostics(), &local.upload, how, reporter, voice)?;
    let template = packaging::template(&prepared, &local.upload, voice)?;
    sources.add_nested(prepared);
    let policy = sources.root().stack_arguments().policy.clone();
    let proposal = Proposal {
        stack_name: choices.stack_name.clone(),
        is_create,
        name: args.change_set.change_set_name.clone(),
        description: args.change_set.description.clone(),
        template,
        parameters: parameters::sent(&declared, &known),
        capabilities: choices.capabilities.clone(),
        tags: tags(choices, sources.root()),
        role_arn: choices.role_arn.clone(),
        notification_arns: choices.notification_arns.clone(),
        with_nested: args.change_set.include_nested_stacks,
    };
    let mut run =
        Run { args, choices, voice, service: &mut service, sources: &mut sources, paths: &mut paths, is_stdin };
    let (outcome, status) = run.propose(&proposal, existing.as_ref())?;
    if let Some(policy) = policy.filter(|_| status == Status::Done && outcome.result != "not-executed") {
        run.set_policy(&policy)?;
    }
    outcome.print(args.format, voice)?;
    Ok(status)
}

/// What is wrong with the template or with what it was given.
fn refused(reporter: &mut Reporter<'_>, voice: &Voice<'_>, compiled: &Compilation) -> End {
    reporter.print(compiled);
    if voice.is_for_people() {
        reporter.finish("; nothing was sent");
    }
    End::With(Status::Trouble)
}

fn stopped(stop: &Stop, choices: &Choices, voice: &Voice<'_>) -> End {
    let (remark, status) = refusal::of(stop, &choices.stack_name, None);
    voice.remark(&remark, None);
    End::With(status)
}

/// Tags of the command line win over those of parameters files, key by key.
fn tags(choices: &Choices, compiled: &Compilation) -> Option<Vec<(String, String)>> {
    let files = &compiled.stack_arguments().tags;
    if files.is_empty() && choices.tags.is_none() {
        return None;
    }
    let mut tags: Vec<(String, String)> = Vec::new();
    for (key, value) in files.iter().chain(choices.tags.iter().flatten()) {
        match tags.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => known.clone_from(value),
            None => tags.push((key.clone(), value.clone())),
        }
    }
    Some(tags)
}

/// A deployment whose template and values are right.
struct Run<'r, 'v> {
    args: &'r DeployArgs,
    choices: &'r Choices,
    voice: &'r Voice<'v>,
    service: &'r mut Service,
    sources: &'r mut Sources,
    paths: &'r mut HashMap<String, Vec<String>>,
    is_stdin: bool,
}

impl Run<'_, '_> {
    fn propose(&mut self, proposal: &Proposal, existing: Option<&Stack>) -> Result<(Outcome, Status), End> {
        let name = &self.choices.stack_name;
        let proposed = {
            let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
            self.service.propose(proposal, &mut events)
        };
        let mut outcome = Outcome {
            stack_name: name.clone(),
            stack_id: existing.map(|stack| stack.id.clone()),
            region: self.service.region().to_owned(),
            ..Outcome::default()
        };
        match proposed {
            Err(stop) => Err(self.refused(&stop)),
            Ok(Proposed::Failed { reason, .. }) => {
                let remark = Remark::error(format!("`Failed to create changeset for the stack: {name}, {reason}`"));
                self.say_of_template(refusal::advised(remark, &reason), &reason);
                Err(End::With(Status::Errors))
            }
            Ok(Proposed::Empty { id, stack_id }) => {
                // That it stays would be in nobody's way.
                let _ = id.map(|id| self.service.discard(&id));
                self.voice.tell(&format!("No changes to deploy. Stack {name} is up to date"));
                outcome.stack_id = stack_id.or(outcome.stack_id);
                outcome.result = "no-changes";
                outcome.status = existing.map(|stack| stack.status.clone());
                if existing.is_some() {
                    outcome.outputs = self.outputs()?;
                }
                let fails = self.choices.fails_when_empty;
                Ok((outcome, if fails { Status::NothingToChange } else { Status::Done }))
            }
            Ok(Proposed::Ready(set)) => {
                changes::show(&set, self.voice, self.sources);
                outcome.stack_id = Some(set.stack_id.clone());
                outcome.result = "not-executed";
                if !self.is_wanted(&set)? {
                    self.voice.tell(&format!("The change set is left unexecuted: {}", set.id));
                    outcome.change_set = Some(set);
                    return Ok((outcome, Status::Done));
                }
                self.execute(set, proposal.is_create, outcome)
            }
        }
    }

    /// Whether the change set is to be executed.
    fn is_wanted(&mut self, set: &ChangeSet) -> Result<bool, End> {
        if self.args.change_set.no_execute {
            return Ok(false);
        }
        if self.args.change_set.yes {
            return Ok(true);
        }
        let lost: Vec<String> = set.changes.iter().filter(|change| change.loses_data()).map(changes::name).collect();
        let can_ask = !self.is_stdin && confirm::can_ask();
        if !lost.is_empty() {
            let message = format!("data may be lost: {} would be replaced or deleted", lost.join(", "));
            if !can_ask {
                let remark = Remark::error(message)
                    .because(format!("the change set is left unexecuted: {}", set.id))
                    .help("give `--yes` if that is what you want");
                self.voice.remark(&remark, None);
                return Err(End::With(Status::Trouble));
            }
            self.voice.remark(&Remark::warning(message), None);
        } else if !self.choices.confirms {
            return Ok(true);
        }
        confirm::ask(self.service, "Deploy this change set?").map_err(|stop| {
            let (remark, status) = refusal::of(&stop, &self.choices.stack_name, None);
            self.voice.remark(&remark.because(format!("the change set is left unexecuted: {}", set.id)), None);
            End::With(status)
        })
    }

    fn execute(&mut self, set: ChangeSet, is_create: bool, mut outcome: Outcome) -> Result<(Outcome, Status), End> {
        let name = &self.choices.stack_name;
        let begun = self.service.execute(&set, is_create, self.choices.disables_rollback());
        let mut operation = begun.map_err(|stop| self.refused(&stop))?;
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let mut ended = self.service.watch(&mut operation, &mut events);
        let is_cancelled = ended == Err(Stop::Interrupted) && self.args.run.cancel_on_interrupt;
        if is_cancelled && is_create {
            self.voice.remark(&Remark::warning("the create of a stack cannot be cancelled"), None);
        } else if is_cancelled {
            self.voice.tell(&format!("The update of {name} is cancelled; Ctrl-C again to stop watching"));
            ended = match self.service.cancel(&operation.stack_id) {
                Ok(()) => self.service.watch(&mut operation, &mut events),
                Err(stop) => Err(stop),
            };
        }
        let ended = ended.map_err(|stop| {
            let (remark, status) = refusal::of(&stop, name, Some("the deployment"));
            self.voice.remark(&remark, None);
            End::With(status)
        })?;
        outcome.status = Some(ended.status.clone());
        outcome.change_set = Some(set);
        if ended.is_success {
            outcome.result = "deployed";
            self.voice.tell(&format!("Successfully created/updated stack {name} in {}", self.service.region()));
            outcome.outputs = self.outputs()?;
            return Ok((outcome, Status::Done));
        }
        outcome.result = "failed";
        if is_cancelled {
            outcome.result = "cancelled";
            let message = format!("the update of {name} was cancelled: the stack is in {}", ended.status);
            self.voice.remark(&Remark::warning(message), None);
            return Ok((outcome, Status::Interrupted));
        }
        let (remark, unit) = ending::failed(&ended, self.choices, self.paths, self.sources);
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let cleaned = ending::clean_up(&ended.status, &operation.stack_id, self.choices, self.service, &mut events);
        self.voice.remark(&remark, Some(self.sources.of_unit(unit)));
        if let Some(remark) = cleaned {
            self.voice.remark(&remark, None);
        }
        Ok((outcome, Status::Errors))
    }

    fn outputs(&mut self) -> Result<Vec<(String, String, Option<String>)>, End> {
        self.service.outputs(&self.choices.stack_name).map_err(|stop| self.refused(&stop))
    }

    fn set_policy(&mut self, policy: &str) -> Result<(), End> {
        self.service.set_policy(&self.choices.stack_name, policy).map_err(|stop| self.refused(&stop))
    }

    /// Says why a call failed, with the lines of the resources that the service names.
    fn refused(&mut self, stop: &Stop) -> End {
        let (remark, status) = refusal::of(stop, &self.choices.stack_name, None);
        let sentence = match stop {
            Stop::Failed { failure, .. } => failure.sentence().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.say_of_template(remark, &sentence);
        End::With(status)
    }

    fn say_of_template(&mut self, mut remark: Remark, sentence: &str) {
        let root = self.sources.root();
        if sentence.contains("Requires capabilities") {
            remark = capabilities::reasons(remark, root, sentence);
        } else if remark.severity == Severity::Error {
            for (id, origin) in places::named_in(sentence, root) {
                let words = if origin.items.is_empty() { id } else { format!("{id}: {}", origin.items) };
                remark = remark.at(origin.span, words);
            }
        }
        self.voice.remark(&remark, Some(root));
    }
}
