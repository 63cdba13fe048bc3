//! The steps of a deployment, in their order: up to the change set here, from there on in
//! [`super::execution`].

use std::collections::HashMap;
use std::path::Path;

use formwork::{Compilation, Diagnostic, Report};
use formwork_deploy::{Proposal, Service, Stop};

use super::choices::{self, Choices};
use super::events::Events;
use super::execution::Run;
use super::local::{Kept, Local};
use super::outcome::Outcome;
use super::places::Sources;
use super::secrets::Secrets;
use super::voice::Voice;
use super::{End, capabilities, confirm, packaging, parameters, refusal, stack};
use crate::Status;
use crate::args::{DeployArgs, ReportFormatArg};
use crate::failure::Failure;
use crate::report::Reporter;

/// Deploys as the arguments say.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub(super) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    let template = args.template.as_ref().or(args.template_file.as_ref()).ok_or("no template is named")?;
    let choices = Choices::new(args, template)?;
    let is_stdin = template.as_path() == Path::new("-");
    if choices.confirms && !args.change_set.yes && !args.change_set.no_execute && (is_stdin || !confirm::can_ask()) {
        return Err("--confirm-changeset asks, and nobody is there to answer: give --yes, or --no-execute".into());
    }
    let mut reporter = Reporter::new(&args.report);
    let mut voice = Voice::new(&args.report, &reporter);
    let mut local = Local::new(args, template, choices.settings.region.as_deref(), &choices.stack_name)?;
    let result = deploy(args, &choices, &mut local, &mut reporter, &mut voice, is_stdin);
    if !voice.is_for_people() {
        reporter.count(voice.said());
        reporter.finish("");
    }
    if args.report.timings {
        local.print_counts();
    }
    match result {
        Ok(status) => Ok(status),
        Err(End::With(status)) => {
            if args.format == Some(ReportFormatArg::Json) {
                let outcome = Outcome::of_end(status, &choices.stack_name, choices.settings.region.as_deref());
                outcome.print(args.format, &voice, None)?;
            }
            Ok(status)
        }
        Err(End::Stopped(outcome, status)) => {
            outcome.print_object(args.format, &voice, None)?;
            Ok(status)
        }
        Err(End::Usage(why)) => Err(why.into()),
    }
}

fn deploy(
    args: &DeployArgs,
    choices: &Choices,
    local: &mut Local<'_>,
    reporter: &mut Reporter<'_>,
    voice: &mut Voice<'_>,
    is_stdin: bool,
) -> Result<Status, End> {
    let mut sources = Sources::new(local.check(&Kept::default())?);
    voice.hide(Secrets::new(sources.root().secret_texts()));
    let declared = sources.root().declared_parameters();
    let is_open = declared.iter().any(|parameter| parameter.given.is_none());
    // A value that the stack has may mend what is wrong without one; nothing else does.
    let has_errors = sources.root.root.has_errors();
    if has_errors && !(is_open && sources.root().is_well_formed()) {
        return Err(refused(reporter, voice, &sources.root.root));
    }
    let mut service = match Service::open(&choices.settings, choices.pace) {
        Ok(service) => service,
        Err(_) if has_errors => return Err(refused(reporter, voice, &sources.root.root)),
        Err(trouble) => {
            let remark = refusal::of_trouble(&trouble);
            voice.remark(&remark, None);
            let outcome = Outcome {
                region: choices.settings.region.clone().unwrap_or_default(),
                ..stopped_as("refused", choices)
            };
            return Err(End::Stopped(Box::new(outcome), refusal::status(&trouble)));
        }
    };
    if let Some(limit) = choices.limit {
        service.limit(limit);
    }
    let mut paths = HashMap::new();
    let looked = service.look(&choices.stack_name, &mut Events { voice, sources: &mut sources, paths: &mut paths });
    let standing = match looked {
        Ok(standing) => standing,
        Err(_) if has_errors => return Err(refused(reporter, voice, &sources.root.root)),
        Err(stop) => return Err(stopped(&stop, choices, &service, voice)),
    };
    let existing = {
        let mut events = Events { voice, sources: &mut sources, paths: &mut paths };
        let mut tell = |line: &str| voice.tell(line);
        let ready = stack::ready(standing, choices, &args.run, &mut service, &mut events, &mut tell);
        ready.map_err(|(remark, status, result)| {
            voice.remark(&remark, None);
            let region = service.region().to_owned();
            End::Stopped(Box::new(Outcome { region, ..stopped_as(result, choices) }), status)
        })?
    };
    let is_create = choices::forced_create(args).unwrap_or(existing.is_none());
    let known = match &existing {
        Some(_) if is_open => {
            let mut events = Events { voice, sources: &mut sources, paths: &mut paths };
            let known = service.known_parameters(&choices.stack_name, &mut events);
            known.map_err(|stop| stopped(&stop, choices, &service, voice))?
        }
        _ => Vec::new(),
    };
    let kept = existing.as_ref().map_or_else(Kept::default, |stack| parameters::kept(&declared, &known, stack));
    if kept != Kept::default() {
        sources.replace_root(local.check(&kept)?);
    }
    let lacking = sources.root().missing_values(&known).into_iter();
    let found: Vec<Diagnostic> = lacking.chain(sources.root().changed_collections()).collect();
    sources.root.root.append(found);
    if sources.root.root.has_errors() {
        return Err(refused(reporter, voice, &sources.root.root));
    }
    let checked = local.check_nested(&mut sources.root)?;
    let all = || checked.iter().chain([&sources.root.root]);
    voice.hide(Secrets::new(all().flat_map(|report| report.compilation().secret_texts()).collect()));
    for nested in &checked {
        reporter.print(nested);
    }
    if all().any(Report::has_errors) {
        return Err(refused(reporter, voice, &sources.root.root));
    }
    reporter.print(&sources.root.root);
    if voice.is_for_people() {
        reporter.finish("");
    }
    for remark in capabilities::lacking(sources.root(), &choices.capabilities) {
        voice.remark(&remark, Some(sources.root()));
    }
    let prepared = local.package(sources.root.analysis())?;
    let how = (&args.upload, &args.report);
    packaging::upload(&prepared, &local.upload, how, reporter, voice)?;
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
    let (outcome, status) = match run.propose(&proposal, existing.as_ref()) {
        Err(End::Stopped(outcome, status)) => {
            outcome.print_object(args.format, voice, Some(&mut sources))?;
            return Ok(status);
        }
        result => result?,
    };
    if let Some(policy) = policy.filter(|_| status == Status::Done && outcome.result != "not-executed") {
        run.set_policy(&policy);
    }
    outcome.print(args.format, voice, Some(&mut sources))?;
    Ok(status)
}

/// What is wrong with the template or with what it was given.
fn refused(reporter: &mut Reporter<'_>, voice: &Voice<'_>, report: &Report) -> End {
    reporter.print(report);
    if voice.is_for_people() {
        reporter.finish("; nothing was sent");
    }
    End::With(Status::Trouble)
}

/// Why the stack could not be looked at.
fn stopped(stop: &Stop, choices: &Choices, service: &Service, voice: &Voice<'_>) -> End {
    let (remark, status) = refusal::of(stop, &choices.stack_name, None);
    voice.remark(&remark, None);
    let region = service.region().to_owned();
    End::Stopped(Box::new(Outcome { region, ..stopped_as(refusal::result(stop), choices) }), status)
}

/// What a deployment came to that was stopped before there was a change set.
fn stopped_as(result: &'static str, choices: &Choices) -> Outcome {
    Outcome { stack_name: choices.stack_name.clone(), result, ..Outcome::default() }
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
