//! The settings of a deployment: the arguments, and samconfig.toml where they set nothing.

use std::path::Path;
use std::time::Duration;

use formwork::{DiskHost, ImportRecord};
use formwork_aws::Settings;
use formwork_deploy::{Approval, DeployRequest, OnFailure, PollIntervals, RollbackConfiguration};
use formwork_project::{Config, Failure, FileFailure};
use formwork_report::Notice;
use formwork_run::args::InputArgs;
use formwork_run::service_names::check_stack;
use formwork_run::{declared_templates, host, inputs};

use super::args::{ChangeSetArgs, ChangeSetType, DeployArgs, RunArgs};
use super::values::{self, Problems};
use super::{express_choice, guided};
use crate::saved_answers::Answers;
use crate::seconds::seconds;
use crate::{imports, rollback_configuration};

/// The settings of a deployment.
pub struct Wanted {
    /// The request to CloudFormation.
    pub request: DeployRequest,
    /// The account that is deployed to.
    pub settings: Settings,
    pub(super) imports: Vec<ImportRecord>,
    pub(super) notes: Vec<Notice>,
    /// Acknowledged capabilities.
    pub capabilities: Vec<String>,
    /// Tags of the stack.
    pub tags: Option<Vec<(String, String)>>,
    /// ARNs of the topics that receive stack events.
    pub notification_arns: Option<Vec<String>>,
    pub(super) rollback: Option<RollbackConfiguration>,
    /// Intervals between requests to CloudFormation.
    pub intervals: PollIntervals,
    pub(super) limit: Option<Duration>,
}

impl Wanted {
    /// Merges the arguments with the settings of the configuration file for a command. With `--guided`, asks for a
    /// missing stack name and Region.
    ///
    /// # Errors
    /// When the stack has no name, or a choice is invalid.
    pub fn new(args: &DeployArgs, template: &Path, command: &str, answers: &mut Answers) -> Result<Wanted, Failure> {
        let missing = declared_templates::if_missing(template).err();
        let missing = match missing {
            // Without the directory, the configuration file is missing as well.
            Some(missing) if !inputs::folder(template).is_dir() => return Err(missing.into()),
            missing => missing,
        };
        let section = section_beside(&args.inputs, template, command)?;
        let Sound { intervals, limit, mut settings, rollback } = sound(args, &section, missing)?;
        let text = |given: &Option<String>, key| given.clone().or_else(|| section.text(key));
        let words = |given: &Option<Vec<String>>, key| match given {
            Some(words) => Ok::<_, FileFailure>(Some(words.clone())),
            None => section.words(key),
        };
        let stack_name = match text(&args.inputs.stack_name, "stack_name") {
            Some(name) => name,
            None if args.guided => guided::stack_name(answers)?,
            None => {
                return Err(
                    "the stack has no name: pass `--stack-name NAME`, or set stack_name in samconfig.toml".into()
                );
            }
        };
        check_stack(&stack_name)?;
        if args.guided && settings.region.is_none() {
            settings.region = Some(guided::region(answers)?);
        }
        let capabilities = match args.stack.capabilities.as_slice() {
            [] => section.words("capabilities")?.unwrap_or_default(),
            given => given.to_vec(),
        };
        let capabilities = capabilities.iter().flat_map(|names| names.split(','));
        let tags = words(&args.stack.tags, "tags")?;
        let (request, express_note) = request(args, &section, command, stack_name)?;
        Ok(Wanted {
            request,
            settings,
            imports: args.change_set.resources_to_import.as_deref().map(imports::read).transpose()?.unwrap_or_default(),
            notes: express_note.into_iter().chain(unsaved(args)).collect(),
            capabilities: capabilities.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            tags: tags.map(|words| words.iter().map(|word| tag(word)).collect()).transpose()?,
            notification_arns: words(&args.stack.notification_arns, "notification_arns")?,
            rollback,
            intervals,
            limit,
        })
    }

    /// Returns the name of the stack.
    pub fn stack_name(&self) -> &str {
        &self.request.stack_name
    }
}

/// The settings that can be checked independently of each other.
struct Sound {
    intervals: PollIntervals,
    limit: Option<Duration>,
    settings: Settings,
    rollback: Option<RollbackConfiguration>,
}

/// Reads the independent settings, so that all of their errors are reported together. `missing` is the error that no
/// template was found.
fn sound(args: &DeployArgs, section: &Config, missing: Option<FileFailure>) -> Result<Sound, Failure> {
    let mut problems = Problems::default();
    values::check(args, section, &mut problems);
    let intervals = problems.add(intervals(&args.run));
    let limit = problems.add(limit(&args.run));
    let settings = problems.add(settings(args, section));
    let rollback = args.change_set.rollback_configuration.as_deref();
    let rollback = problems.add(rollback.map(rollback_configuration::read).transpose()).flatten();
    if let Some(missing) = missing {
        // A single error is reported in the requested format.
        if problems.is_empty() {
            return Err(missing.into());
        }
        let advice = missing.advice().map_or_else(String::new, |advice| format!("\n  help: {advice}"));
        problems.add(Err::<(), _>(format!("{}{advice}", missing.message)));
    }
    problems.into_result()?;
    // The errors of missing values were reported.
    let (Some(intervals), Some(limit), Some(settings)) = (intervals, limit, settings) else {
        return Err("a value cannot be used".into());
    };
    Ok(Sound { intervals, limit, settings, rollback })
}

/// Returns the request, and a note when a setting turns express mode off.
fn request(
    args: &DeployArgs,
    section: &Config,
    command: &str,
    stack_name: String,
) -> Result<(DeployRequest, Option<Notice>), Failure> {
    let (change_set, run) = (&args.change_set, &args.run);
    if change_set.reverts_drift() && change_set.change_set_type == Some(ChangeSetType::Create) {
        return Err("--revert-drift compares a stack that exists: leave out --change-set-type create".into());
    }
    check_type_of_set(change_set)?;
    let on_failure = on_failure(args, section)?;
    let (is_express, express_note) = express_choice::chosen(args, section, command, on_failure)?;
    let fails_when_empty = change_set.fails_when_empty().or_else(|| section.flag("fail_on_empty_changeset"));
    let request = DeployRequest {
        stack_name,
        role_arn: args.stack.role_arn.clone().or_else(|| section.text("role_arn")),
        replaces_failed: run.replace_failed,
        waits: run.wait,
        is_create: change_set
            .change_set_type
            .filter(|kind| *kind != ChangeSetType::Import)
            .map(|kind| kind == ChangeSetType::Create),
        approval: approval(change_set, section),
        fails_when_empty: fails_when_empty.unwrap_or(false),
        on_failure,
        only_validates: command == VALIDATE,
        is_express,
        retains_except_on_create: run.retain_except_on_create,
        is_strict: args.report.strict,
        cancels_on_interrupt: run.cancel_on_interrupt,
    };
    Ok((request, express_note))
}

/// Returns a note that `--save-params` has no effect without `--guided`.
fn unsaved(args: &DeployArgs) -> Option<Notice> {
    let is_saved = args.guided || !args.save_params;
    (!is_saved).then(|| Notice::note("--save-params saves nothing without --guided"))
}

fn check_type_of_set(args: &ChangeSetArgs) -> Result<(), Failure> {
    match (args.change_set_type, &args.resources_to_import) {
        (Some(ChangeSetType::Import), None) => {
            Err("--change-set-type IMPORT does not name what is imported\n  help: pass `--resources-to-import FILE`"
                .into())
        }
        (Some(ChangeSetType::Create | ChangeSetType::Update), Some(_)) => {
            Err("--resources-to-import makes a change set of the type IMPORT\n  help: leave out `--change-set-type`"
                .into())
        }
        _ => Ok(()),
    }
}

/// The command that creates a change set only for its findings.
pub(super) const VALIDATE: &str = "validate";

pub(super) fn approval(args: &ChangeSetArgs, section: &Config) -> Approval {
    let confirms = args.confirms().or_else(|| section.flag("confirm_changeset")).unwrap_or(false);
    match args {
        set if set.no_execute => Approval::Never,
        set if set.yes => Approval::Always,
        _ if confirms => Approval::Ask,
        _ => Approval::UnlessDataIsLost,
    }
}

pub(super) fn intervals(args: &RunArgs) -> Result<PollIntervals, String> {
    Ok(PollIntervals::of(seconds("--poll-delay", args.poll_delay, 1.0)?))
}

pub(super) fn limit(args: &RunArgs) -> Result<Option<Duration>, String> {
    args.max_wait_duration.map(|limit| seconds("--max-wait-duration", limit, 60.0)).transpose()
}

/// Returns the settings of the configuration file for a command.
///
/// # Errors
/// When a file of the arguments cannot be read or parsed.
pub fn section(args: &InputArgs, template: &Path, command: &str) -> Result<Config, Failure> {
    declared_templates::if_missing(template)?;
    section_beside(args, template, command)
}

/// Does the same as [`section`] for a template that need not exist.
fn section_beside(args: &InputArgs, template: &Path, command: &str) -> Result<Config, Failure> {
    let directory = inputs::folder(template);
    let host = DiskHost::with_loader(directory, host::loader_of(directory, args)?);
    Config::read(&host, host.loader(), directory, command, &args.config.choice())
}

pub(super) fn settings(args: &DeployArgs, section: &Config) -> Result<Settings, String> {
    let region = args.inputs.region.clone().or_else(|| section.text("region"));
    let aws = &args.inputs.live.aws;
    let profile = aws.profile.is_none().then(|| section.text("profile")).flatten();
    let settings = aws.settings(region, profile)?;
    Ok(Settings { region: formwork_aws::configured_region(&settings), ..settings })
}

pub(super) fn on_failure(args: &DeployArgs, section: &Config) -> Result<OnFailure, Failure> {
    let run = &args.run;
    if run.disables_rollback() == Some(true) && run.on_failure.is_some_and(|given| given != OnFailure::DoNothing) {
        return Err("--disable-rollback leaves a failed stack as it is: leave out --on-failure".into());
    }
    if run.disables_rollback() == Some(true) {
        return Ok(OnFailure::DoNothing);
    }
    if let Some(given) = run.on_failure {
        return Ok(given);
    }
    if run.disables_rollback() == Some(false) {
        return Ok(OnFailure::RollBack);
    }
    match section.text("on_failure") {
        None if section.flag("disable_rollback") == Some(true) => Ok(OnFailure::DoNothing),
        None => Ok(OnFailure::RollBack),
        Some(text) => match text.to_ascii_lowercase().as_str() {
            "rollback" => Ok(OnFailure::RollBack),
            "do-nothing" | "do_nothing" => Ok(OnFailure::DoNothing),
            "delete" => Ok(OnFailure::Delete),
            _ => Err(section.unfit(&format!("on_failure is \"{text}\": write rollback, do-nothing or delete")).into()),
        },
    }
}

fn tag(word: &str) -> Result<(String, String), String> {
    match word.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(format!("`{word} value passed to --tags must be of format Key=Value`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_split_at_the_first_sign() {
        assert_eq!(tag("a=b=c d"), Ok(("a".to_owned(), "b=c d".to_owned())));
        assert_eq!(tag("a="), Ok(("a".to_owned(), String::new())));
        assert_eq!(tag("a"), Err("`a value passed to --tags must be of format Key=Value`".to_owned()));
        assert!(tag("=a").is_err());
    }
}
