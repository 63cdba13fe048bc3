//! The steps of a deployment, in order. Checks and packaging happen here, between the requests for the stack and the
//! change set, which [`formwork_deploy`] creates.

use std::path::Path;

use formwork::{DeclaredParameter, Report, Severity, codes};
use formwork_deploy::{
    Approval, DeployResult, Deployment, ImportedResource, PreviousValues, ReadyDeployment, Service, StackState,
    Submission, TemplateSource, merged_tags,
};
use formwork_project::{Config, Failure};
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured, confirm};
use formwork_run::{Status, default_template, inputs, terminal};

use super::DeployArgs;
use super::execute;
use super::guided::{self, Guide};
use super::wanted::{VALIDATE, Wanted};
use crate::local::Local;
use crate::observer::Printer;
use crate::places::Sources;
use crate::printed_end::{finished, not_deployed};
use crate::reporter::DeployReporter;
use crate::saved_answers::Answers;
use crate::secrets::Secrets;
use crate::stopped::stopped;
use crate::{Exit, capabilities, express, imports, packaging, refusal, summary};

/// Deploys with the arguments.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub(super) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    if let Some(id) = &args.change_set.execute_change_set {
        return execute::run(args, id);
    }
    let template = default_template::named_or_built(args.named())?;
    run_template(args, &template, "deploy")
}

/// Deploys a template, whatever template the arguments name. `command` is the section of the configuration file.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub fn run_template(args: &DeployArgs, template: &Path, command: &str) -> Result<Status, Failure> {
    let is_stdin = template == Path::new("-");
    if args.guided && (is_stdin || !confirm::can_ask()) {
        return Err(guided::NO_TERMINAL.into());
    }
    run_with(args, template, command, Reporter::new(&args.report))
}

/// Creates a change set of a template for the findings of early validation and hooks, and deletes it again.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub fn validate_template(args: &DeployArgs, template: &Path) -> Result<Status, Failure> {
    run_with(args, template, VALIDATE, Reporter::on_output(&args.report))
}

fn run_with(args: &DeployArgs, template: &Path, command: &str, mut diagnostics: Reporter) -> Result<Status, Failure> {
    let is_stdin = template == Path::new("-");
    let mut answers = Answers::default();
    let wanted = Wanted::new(args, template, command, &mut answers)?;
    if wanted.request.approval == Approval::Ask && (is_stdin || !confirm::can_ask()) {
        return Err("--confirm-changeset asks, and nobody is there to answer: pass --yes, or --no-execute".into());
    }
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let region = wanted.settings.region.as_deref();
    let mut local = Local::new(args, (template, command), region, wanted.stack_name())?;
    configured::say_rest(Some(&args.report));
    for notice in &wanted.notes {
        reporter.print(notice, None);
    }
    let mut guide = args
        .guided
        .then(|| Guide { answers, file: Config::file_of(inputs::folder(template), &args.inputs.config.choice()) });
    let can_ask = !is_stdin && confirm::can_ask();
    let result = deploy(args, &wanted, &mut local, &mut reporter, can_ask, guide.as_mut());
    if command == VALIDATE {
        reporter.finish_report();
    } else {
        reporter.finish();
    }
    if args.report.timings {
        for (name, count) in local.counts() {
            terminal::say_line(&format!("{name:>10} {count:8}"));
        }
    }
    match result {
        Ok(status) => Ok(status),
        Err(Exit::Status(status)) => {
            if ReportFormat::is_json(args.format) {
                let outcome = summary::early(summary::result_of(status), wanted.stack_name(), region);
                summary::print(&outcome, true, &reporter, None)?;
            }
            Ok(status)
        }
        Err(Exit::Stopped(outcome, status)) => {
            summary::print_object(&outcome, ReportFormat::is_json(args.format), &reporter, None)?;
            Ok(status)
        }
        Err(Exit::Failure(why)) => Err(String::from(*why).into()),
    }
}

fn deploy(
    args: &DeployArgs,
    wanted: &Wanted,
    local: &mut Local<'_>,
    reporter: &mut DeployReporter<'_>,
    can_ask: bool,
    mut guide: Option<&mut Guide>,
) -> Result<Status, Exit> {
    let mut printer = Printer {
        reporter,
        sources: Sources::new(local.check(&PreviousValues::default())?),
        stack_name: wanted.stack_name(),
        region: String::new(),
        can_ask,
        warnings: 0,
        shows_changes: !wanted.request.only_validates,
    };
    let Offline { has_errors, imported, mut declared } = before_the_network(args, wanted, &mut printer)?;
    let mut service = open(wanted, has_errors, &mut printer)?;
    let deployment = match Deployment::begin(&mut service, wanted.request.clone(), &mut printer) {
        Ok(deployment) => deployment,
        Err(_) if has_errors => return Err(refused(&mut printer)),
        Err(failure) => return Err(stopped(*failure, &mut printer)),
    };
    if let StackState::Ready(stack) = deployment.state()
        && let Some(notice) = express::stuck(wanted.stack_name(), stack)
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
    check_whole(wanted, &previous, local, &mut printer)?;
    let mut acknowledged = wanted.capabilities.clone();
    if let Some(guide) = guide {
        guided::ask_for_capabilities(guide, &mut acknowledged, &mut deployment, &mut printer)?;
        guided::offer_to_save(guide, args.inputs.config.config_env.as_deref(), &mut deployment, &mut printer)?;
    }
    let template = package(args, local, &imported, &mut deployment, &mut printer)?;
    let arguments = printer.sources.root().stack_arguments();
    let submission = Submission {
        template,
        parameters: previous.sent(&declared),
        capabilities: acknowledged,
        tags: merged_tags(&arguments.tags, wanted.tags.as_deref()),
        notification_arns: wanted.notification_arns.clone(),
        change_set_name: args.change_set.change_set_name.clone(),
        description: args.change_set.description.clone(),
        with_nested: args.change_set.include_nested_stacks,
        disables_validation: args.change_set.disable_validation,
        reverts_drift: args.change_set.reverts_drift(),
        imports_existing: args.change_set.import_existing_resources,
        imports: imported,
        rollback: wanted.rollback.clone(),
        resource_types: args.change_set.resource_types.clone(),
        policy: arguments.policy.clone(),
    };
    let ran = deployment.run(&submission, &mut printer);
    if wanted.request.only_validates {
        return Ok(match ran {
            Ok(_) => Status::Done,
            Err(failure) => not_deployed(&failure, &mut printer),
        });
    }
    Ok(finished(ran, &wanted.request, ReportFormat::is_json(args.format), &mut printer)?)
}

struct Offline {
    /// Set when the template has errors that a value of the stack may fix.
    has_errors: bool,
    imported: Vec<ImportedResource>,
    declared: Vec<DeclaredParameter>,
}

/// Ends a run that cannot become a deployment, whatever the state of the stack.
fn before_the_network(args: &DeployArgs, wanted: &Wanted, printer: &mut Printer<'_, '_>) -> Result<Offline, Exit> {
    printer.reporter.hide(Secrets::new(&printer.sources.root().secret_texts()));
    let declared = printer.sources.root().declared_parameters();
    let is_open = declared.iter().any(|parameter| parameter.given.is_none());
    // A value of the stack may fix errors of a missing value, and no others.
    let has_errors = printer.sources.root.root.has_errors();
    if has_errors && !(is_open && printer.sources.root().is_well_formed()) {
        return Err(refused(printer));
    }
    let imported = match &args.change_set.resources_to_import {
        Some(path) if !has_errors => imports::checked(&wanted.imports, path, printer.sources.root()),
        _ => Ok(Vec::new()),
    };
    let imported = imported.map_err(|wrong| {
        let Printer { reporter, sources, .. } = printer;
        reporter.more_diagnostics(&wrong, sources.root());
        reporter.finish_diagnostics("; nothing was sent");
        Exit::Status(Status::Failed)
    })?;
    Ok(Offline { has_errors, imported, declared })
}

fn open(wanted: &Wanted, has_errors: bool, printer: &mut Printer<'_, '_>) -> Result<Service, Exit> {
    let mut service = match Service::open(&wanted.settings, wanted.intervals) {
        Ok(service) => service,
        Err(_) if has_errors => return Err(refused(printer)),
        Err(error) => {
            printer.reporter.print(&refusal::of_aws_error(&error), None);
            let status = refusal::status_of_aws_error(&error);
            let region = wanted.settings.region.as_deref();
            let outcome = summary::early(DeployResult::Refused, wanted.stack_name(), region);
            return Err(Exit::Stopped(Box::new(outcome), status));
        }
    };
    if let Some(limit) = wanted.limit {
        service.limit(limit);
    }
    service.region().clone_into(&mut printer.region);
    Ok(service)
}

/// Checks the template and its nested templates with the values of the stack.
fn check_whole(
    wanted: &Wanted,
    previous: &PreviousValues,
    local: &mut Local<'_>,
    printer: &mut Printer<'_, '_>,
) -> Result<(), Exit> {
    let missing = printer.sources.root().missing_values(&previous.names);
    printer.sources.root.root.append(missing);
    if printer.sources.root.root.has_errors() {
        return Err(refused(printer));
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
        return Err(refused(printer));
    }
    let Printer { reporter, sources, .. } = printer;
    reporter.diagnostics(&sources.root.root);
    if !wanted.request.only_validates {
        reporter.finish_diagnostics("");
    }
    for notice in capabilities::missing(sources.root(), &wanted.capabilities) {
        reporter.print(&notice, Some(sources.root()));
    }
    Ok(())
}

fn package(
    args: &DeployArgs,
    local: &Local<'_>,
    imported: &[ImportedResource],
    deployment: &mut ReadyDeployment<'_>,
    printer: &mut Printer<'_, '_>,
) -> Result<TemplateSource, Exit> {
    let Printer { reporter, sources, .. } = printer;
    let prepared = local.package(sources.root.analysis())?;
    for warning in local.warnings(&prepared) {
        reporter.print(&warning, Some(sources.root()));
    }
    packaging::upload(&prepared, &local.upload, args.report.progress(&args.upload), reporter)?;
    let template = packaging::template(&prepared, &local.upload, reporter)?;
    sources.add_nested(prepared);
    if !imported.is_empty() {
        let known = deployment.resource_identifiers(&template);
        let wrong = imports::misidentified(imported, &known, sources.root());
        if !wrong.is_empty() {
            reporter.more_diagnostics(&wrong, sources.root());
            reporter.print_line("nothing was deployed");
            return Err(Exit::Status(Status::Failed));
        }
    }
    Ok(template)
}

fn refused(printer: &mut Printer<'_, '_>) -> Exit {
    printer.reporter.diagnostics(&printer.sources.root.root);
    printer.reporter.finish_diagnostics("; nothing was sent");
    let errors = printer.sources.root.root.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    let mut found = errors.map(|found| found.code).peekable();
    // The known schemas may be older than the resource types.
    let is_of_types = |code| (codes::UNKNOWN_PROPERTY..=codes::UNKNOWN_TYPE).contains(&code);
    if found.peek().is_some() && found.all(is_of_types) {
        printer.reporter.print_line("pass --no-schemas to deploy without checking the properties of resources");
    }
    Exit::Status(Status::Failed)
}
