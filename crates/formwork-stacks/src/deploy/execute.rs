//! Implements `deploy --execute-change-set` (reference/deploy.md#execute-later).

use formwork::display::MASK;
use std::path::{Path, PathBuf};

use formwork_aws::Settings;
use formwork_deploy::{
    Action, Approval, ChangeSet, DeployRequest, Execution, ExistingChangeSet, PreviousValues, Service,
};
use formwork_project::{Config, Failure};
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured, confirm};
use formwork_run::service_names::{check_change_set, check_stack};
use formwork_run::{Status, default_template};

use super::DeployArgs;
use super::wanted::{self, section};
use crate::around::with_nested;
use crate::local::{Checked, Local};
use crate::observer::Printer;
use crate::places::Sources;
use crate::printed_end::{finished, not_deployed};
use crate::reporter::DeployReporter;
use crate::secrets::Secrets;
use crate::{refusal, summary};

struct Wanted {
    request: DeployRequest,
    settings: Settings,
    template: Option<PathBuf>,
}

pub(super) fn run(args: &DeployArgs, id: &str) -> Result<Status, Failure> {
    let choices = Wanted::new(args, id)?;
    let can_ask = confirm::can_ask();
    if choices.request.approval == Approval::Ask && !can_ask {
        return Err("--confirm-changeset asks, and nobody is there to answer: pass --yes".into());
    }
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    configured::say_rest(Some(&args.report));
    let status = execute(args, id, choices, &mut reporter, can_ask);
    reporter.finish();
    status
}

impl Wanted {
    fn new(args: &DeployArgs, id: &str) -> Result<Wanted, Failure> {
        let named = args.named().cloned();
        let template = named.or_else(|| default_template::built_or_own().ok());
        let section = if let Some(template) = &template {
            section(&args.inputs, template, "deploy")?
        } else {
            Config::of_folder(Path::new("."), "deploy", &args.inputs.config.choice())?
        };
        let stack_name = args.inputs.stack_name.clone().or_else(|| section.text("stack_name"));
        let is_arn = id.starts_with("arn:");
        if !is_arn {
            check_change_set("--execute-change-set", id)?;
        }
        let stack_name = match (stack_name, is_arn) {
            (Some(name), _) => name,
            (None, true) => String::new(),
            (None, false) => return Err(NO_STACK.into()),
        };
        if !stack_name.is_empty() {
            check_stack(&stack_name)?;
        }
        let settings = wanted::settings(args, &section)?;
        let region = settings.region.clone().or_else(|| region_of(id));
        let request = DeployRequest {
            // An ARN identifies the change set without the stack.
            stack_name: if is_arn { String::new() } else { stack_name },
            waits: args.run.wait,
            approval: wanted::approval(&args.change_set, &section),
            on_failure: wanted::on_failure(args, &section)?,
            retains_except_on_create: args.run.retain_except_on_create,
            is_strict: args.report.strict,
            cancels_on_interrupt: args.run.cancel_on_interrupt,
            ..DeployRequest::default()
        };
        Ok(Wanted { request, settings: Settings { region, ..settings }, template })
    }
}

const NO_STACK: &str =
    "the change set is named without its stack: pass its ARN, or `--stack-name NAME` beside `--execute-change-set`";

fn region_of(id: &str) -> Option<String> {
    let mut parts = id.split(':');
    (parts.next() == Some("arn")).then(|| parts.nth(2)).flatten().filter(|part| !part.is_empty()).map(str::to_owned)
}

fn execute(
    args: &DeployArgs,
    id: &str,
    choices: Wanted,
    reporter: &mut DeployReporter<'_>,
    can_ask: bool,
) -> Result<Status, Failure> {
    let Wanted { request, settings, template } = choices;

    let mut service = match Service::open(&settings, wanted::intervals(&args.run)?) {
        Ok(service) => service,
        Err(error) => {
            reporter.print(&refusal::of_aws_error(&error), None);
            return Ok(refusal::status_of_aws_error(&error));
        }
    };
    if let Some(limit) = wanted::limit(&args.run)? {
        service.limit(limit);
    }
    let region = service.region().to_owned();
    let sources = Sources::new(Checked::none());
    let mut printer = Printer {
        reporter,
        sources,
        stack_name: "",
        region: region.clone(),
        can_ask,
        warnings: 0,
        shows_changes: true,
    };
    let execution = match Execution::begin(&mut service, request.clone(), id, &mut printer) {
        Ok(execution) => execution,
        Err(failure) => {
            let status = not_deployed(&failure, &mut printer);
            summary::print_object(&failure.outcome, ReportFormat::is_json(args.format), printer.reporter, None)?;
            return Ok(status);
        }
    };
    let name = execution.change_set().stack_name.clone();
    printer.stack_name = &name;
    if let Some(template) = &template {
        find_places(args, template, &region, execution.change_set(), &mut printer)?;
    }
    let ran = execution.run(&mut printer);
    finished(ran, &request, ReportFormat::is_json(args.format), &mut printer)
}

/// Adds the places of a template if the change set was created from it; another template is ignored.
fn find_places(
    args: &DeployArgs,
    template: &Path,
    region: &str,
    existing: &ExistingChangeSet,
    printer: &mut Printer<'_, '_>,
) -> Result<(), Failure> {
    let mut local = Local::new(args, (template, "deploy"), Some(region), &existing.stack_name)?;
    let names = existing.parameters.iter().map(|(name, _)| name.clone()).collect();
    let (hidden, known) = existing.parameters.iter().cloned().partition::<Vec<_>, _>(|(_, value)| value == MASK);
    let hidden = hidden.into_iter().map(|(name, _)| name).collect();
    let checked = local.check(&PreviousValues { names, known, hidden })?;
    let has_errors = checked.root.has_errors();
    let mut sources = with_nested(checked);
    printer.reporter.hide(Secrets::new(&sources.root().secret_texts()));
    if !has_errors && fits(&existing.set, &mut sources) {
        printer.sources = sources;
    } else if printer.reporter.is_verbose() {
        let template = template.display();
        printer.reporter.print_line(&format!("note: the change set is not one of {template}: its lines are not shown"));
    }
    Ok(())
}

/// `true` if every remaining resource of the root stack has a place.
fn fits(set: &ChangeSet, sources: &mut Sources) -> bool {
    let mut own = set.changes.iter().filter(|change| change.within.is_empty() && change.action != Action::Remove);
    own.all(|change| sources.of(&[], &change.logical_id).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_is_in_the_arn() {
        let id = "arn:aws:cloudformation:eu-west-1:111122223333:changeSet/set/3c4d";
        assert_eq!(region_of(id).as_deref(), Some("eu-west-1"));
        assert_eq!(region_of("set"), None);
    }
}
