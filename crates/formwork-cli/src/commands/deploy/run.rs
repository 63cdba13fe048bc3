//! The steps of a deployment, in their order: what is checked and packaged here, between the looks at the stack and
//! the change set, which [`formwork_deploy`] creates.

use std::path::Path;

use formwork::{Report, Severity};
use formwork_deploy::{
    Approval, DeployFailure, DeployRequest, DeployResult, Deployment, Outcome, PreviousValues, Service, StackState,
    Submission, merged_tags, sentence,
};
use formwork_report::Notice;
use serde_json::json;

use super::choices::Choices;
use super::guided::{self, Answers, Guide};
use super::local::Local;
use super::observer::Printer;
use super::places::{self, Sources};
use super::reporter::DeployReporter;
use super::secrets::Secrets;
use super::stopped::stopped;
use super::{Exit, capabilities, confirm, ending, express, packaging, refusal, summary};
use crate::Status;
use crate::args::{DeployArgs, ReportFormatArg};
use crate::config::Config;
use crate::configured;
use crate::failure::Failure;
use crate::inputs;
use crate::report::Reporter;

/// Deploys with the arguments.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub(super) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    let template = match args.template.as_ref().or(args.template_file.as_ref()) {
        Some(template) => template.clone(),
        None => crate::default_template::built_or_own()?,
    };
    run_template(args, &template, "deploy")
}

/// Deploys a template, whatever the arguments name. `command` is the one whose section of the configuration file counts.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub(in crate::commands) fn run_template(args: &DeployArgs, template: &Path, command: &str) -> Result<Status, Failure> {
    let is_stdin = template == Path::new("-");
    if args.guided && (is_stdin || !confirm::can_ask()) {
        return Err(guided::NO_TERMINAL.into());
    }
    let mut answers = Answers::default();
    let choices = Choices::new(args, template, command, &mut answers)?;
    if choices.request.approval == Approval::Ask && (is_stdin || !confirm::can_ask()) {
        return Err("--confirm-changeset asks, and nobody is there to answer: pass --yes, or --no-execute".into());
    }
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let region = choices.settings.region.as_deref();
    let mut local = Local::new(args, (template, command), region, choices.stack_name())?;
    configured::say_rest(Some(&args.report));
    for notice in &choices.notes {
        reporter.print(notice, None);
    }
    let mut guide =
        args.guided.then(|| Guide { answers, file: Config::file_of(inputs::folder(template), &args.inputs) });
    let can_ask = !is_stdin && confirm::can_ask();
    let result = deploy(args, &choices, &mut local, &mut reporter, can_ask, guide.as_mut());
    reporter.finish();
    if args.report.timings {
        local.print_counts();
    }
    match result {
        Ok(status) => Ok(status),
        Err(Exit::With(status)) => {
            if args.format == Some(ReportFormatArg::Json) {
                let outcome = summary::early(summary::result_of(status), choices.stack_name(), region);
                summary::print(&outcome, args.format, &reporter, None)?;
            }
            Ok(status)
        }
        Err(Exit::Stopped(outcome, status)) => {
            summary::print_object(&outcome, args.format, &reporter, None)?;
            Ok(status)
        }
        Err(Exit::Usage(why)) => Err(why.into()),
    }
}

fn deploy(
    args: &DeployArgs,
    choices: &Choices,
    local: &mut Local<'_>,
    reporter: &mut DeployReporter<'_, '_>,
    can_ask: bool,
    mut guide: Option<&mut Guide>,
) -> Result<Status, Exit> {
    let name = choices.stack_name();
    let sources = Sources::new(local.check(&PreviousValues::default())?);
    let mut printer = Printer { reporter, sources, stack_name: name, region: String::new(), can_ask, warnings: 0 };
    printer.reporter.hide(Secrets::new(&printer.sources.root().secret_texts()));
    let mut declared = printer.sources.root().declared_parameters();
    let is_open = declared.iter().any(|parameter| parameter.given.is_none());
    // A value that the stack has may fix errors of a missing value; nothing else does.
    let has_errors = printer.sources.root.root.has_errors();
    if has_errors && !(is_open && printer.sources.root().is_well_formed()) {
        return Err(refused(&mut printer));
    }
    let mut service = match Service::open(&choices.settings, choices.intervals) {
        Ok(service) => service,
        Err(_) if has_errors => return Err(refused(&mut printer)),
        Err(trouble) => {
            printer.reporter.print(&refusal::of_trouble(&trouble), None);
            let status = refusal::status_of_trouble(&trouble);
            let outcome = summary::early(DeployResult::Refused, name, choices.settings.region.as_deref());
            return Err(Exit::Stopped(Box::new(outcome), status));
        }
    };
    if let Some(limit) = choices.limit {
        service.limit(limit);
    }
    service.region().clone_into(&mut printer.region);
    let deployment = match Deployment::begin(&mut service, choices.request.clone(), &mut printer) {
        Ok(deployment) => deployment,
        Err(_) if has_errors => return Err(refused(&mut printer)),
        Err(failure) => return Err(stopped(*failure, &mut printer)),
    };
    if let StackState::Ready(stack) = deployment.state()
        && let Some(notice) = express::stuck(name, stack)
    {
        printer.reporter.print(&notice, None);
    }
    let mut deployment = deployment.prepare(&mut printer).map_err(|failure| stopped(*failure, &mut printer))?;
    let previous = deployment.previous_values(&declared, &mut printer);
    let previous = previous.map_err(|failure| stopped(*failure, &mut printer))?;
    if !previous.is_empty() {
        printer.sources.replace_root(local.check(&previous)?);
    }
    if let Some(guide) = guide.as_deref_mut()
        && guided::ask_for_parameters(guide, &declared, &previous, local, &mut deployment, &mut printer)?
    {
        printer.sources.replace_root(local.check(&previous)?);
        printer.reporter.hide(Secrets::new(&printer.sources.root().secret_texts()));
        declared = printer.sources.root().declared_parameters();
    }
    let lacking = printer.sources.root().missing_values(&previous.names);
    printer.sources.root.root.append(lacking);
    if printer.sources.root.root.has_errors() {
        return Err(refused(&mut printer));
    }
    let checked = local.check_nested(&mut printer.sources.root)?;
    let all = || checked.iter().chain([&printer.sources.root.root]);
    let has_errors = all().any(Report::has_errors);
    let secrets: Vec<String> = all().flat_map(|report| report.compilation().secret_texts()).collect();
    printer.reporter.hide(Secrets::new(&secrets));
    for nested in &checked {
        printer.reporter.diagnostics(nested);
    }
    if has_errors {
        return Err(refused(&mut printer));
    }
    let Printer { reporter, sources, .. } = &mut printer;
    reporter.diagnostics(&sources.root.root);
    reporter.finish_diagnostics("");
    for notice in capabilities::lacking(sources.root(), &choices.capabilities) {
        reporter.print(&notice, Some(sources.root()));
    }
    let mut acknowledged = choices.capabilities.clone();
    if let Some(guide) = guide {
        guided::ask_for_capabilities(guide, &mut acknowledged, &mut deployment, &mut printer)?;
        guided::offer_to_save(guide, args.inputs.config_env.as_deref(), &mut deployment, &mut printer)?;
    }
    let Printer { reporter, sources, .. } = &mut printer;
    let prepared = local.package(sources.root.analysis())?;
    let how = (&args.upload, &args.report);
    packaging::upload(&prepared, &local.upload, how, reporter)?;
    let template = packaging::template(&prepared, &local.upload, reporter)?;
    sources.add_nested(prepared);
    let arguments = sources.root().stack_arguments();
    let submission = Submission {
        template,
        parameters: previous.sent(&declared),
        capabilities: acknowledged,
        tags: merged_tags(&arguments.tags, choices.tags.as_deref()),
        notification_arns: choices.notification_arns.clone(),
        change_set_name: args.change_set.change_set_name.clone(),
        description: args.change_set.description.clone(),
        with_nested: args.change_set.include_nested_stacks,
        disables_validation: args.change_set.disable_validation,
        policy: arguments.policy.clone(),
    };
    match deployment.run(&submission, &mut printer) {
        Ok(outcome) => {
            let status = ended(&outcome, &choices.request, &mut printer);
            summary::print(&outcome, args.format, printer.reporter, Some(&mut printer.sources))?;
            Ok(status)
        }
        Err(failure) => {
            let status = not_deployed(&failure, &mut printer);
            summary::print_object(&failure.outcome, args.format, printer.reporter, Some(&mut printer.sources))?;
            Ok(status)
        }
    }
}

/// Reports the errors in the template or in the values that are passed.
fn refused(printer: &mut Printer<'_, '_, '_>) -> Exit {
    printer.reporter.diagnostics(&printer.sources.root.root);
    printer.reporter.finish_diagnostics("; nothing was sent");
    Exit::With(Status::Trouble)
}

/// Prints how a deployment ended that came to its end, and returns the status of the program.
fn ended(outcome: &Outcome, request: &DeployRequest, printer: &mut Printer<'_, '_, '_>) -> Status {
    let name = printer.stack_name;
    let Printer { reporter, sources, .. } = printer;
    match outcome.result {
        DeployResult::NoChanges if request.fails_when_empty => Status::NothingToChange,
        DeployResult::Cancelled => {
            let status = outcome.status.as_deref().unwrap_or_default();
            let message = format!("the update of {name} was cancelled: the stack is in {status}");
            reporter.print(&Notice::warning(message), None);
            Status::Interrupted
        }
        DeployResult::Failed => {
            if let Some(end) = &outcome.failure {
                let (notice, unit) = ending::failed(end, name, request, sources, reporter);
                reporter.print(&notice, Some(sources.of_unit(unit)));
            }
            if let Some(cleanup) = &outcome.cleanup {
                reporter.print(&ending::cleaned_up(cleanup, name), None);
            }
            Status::Errors
        }
        _ => {
            if let Some(notice) = express::unfinished(outcome, "deployed", "stabilizing") {
                reporter.print(&notice, None);
            }
            Status::Done
        }
    }
}

/// Prints why a deployment ended early, with the lines of the resources that the service names, and returns the status
/// of the program.
fn not_deployed(failure: &DeployFailure, printer: &mut Printer<'_, '_, '_>) -> Status {
    let Printer { reporter, sources, .. } = printer;
    let (root, sentence) = (sources.root(), failure.error.sentence().unwrap_or_default());
    let mut notice = refusal::of_failure(failure);
    if failure.outcome.examination.has_errors() {
        // Each finding was printed at its place.
    } else if sentence::needs_capabilities(sentence) {
        notice = capabilities::reasons(notice, root, sentence);
    } else if notice.severity == Severity::Error {
        for (id, origin) in places::named_in(sentence, root) {
            let failure = json!({"path": [], "logical_id": id, "reason": reporter.mask(sentence)});
            reporter.add_failure(places::with_source(failure, Some(&origin)));
            let words = if origin.items.is_empty() { id } else { format!("{id}: {}", origin.items) };
            notice = notice.at(origin.span, words);
        }
    }
    reporter.print(&notice, Some(root));
    refusal::status_of(&failure.error)
}
