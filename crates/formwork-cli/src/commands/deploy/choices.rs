//! What is wanted: the arguments, and samconfig.toml where they set nothing.

use std::path::Path;
use std::time::Duration;

use formwork::{DiskHost, ImportRecord};
use formwork_aws::Settings;
use formwork_deploy::{Approval, DeployRequest, OnFailure, PollIntervals, RollbackConfiguration};
use formwork_report::Notice;
use formwork_stacks::local::LocalChoices;

use super::Answers;
use super::express_choice;
use super::guided;
use super::imports;
use super::rollback_configuration;
use super::values::{self, Problems};
use crate::args::{ChangeSetArgs, ChangeSetTypeArg, DeployArgs, InputArgs, OnFailureArg, RunArgs};
use crate::config::{Config, choice_of};
use crate::failure::{Failure, FileFailure};
use crate::service_names::check_stack;
use crate::{inputs, project_host};

/// What is wanted of a deployment.
pub(in crate::commands) struct Choices {
    pub(in crate::commands) request: DeployRequest,
    pub(in crate::commands) settings: Settings,
    /// Existing resources that are imported.
    pub(super) imports: Vec<ImportRecord>,
    /// What is printed about the settings.
    pub(super) notes: Vec<Notice>,
    pub(in crate::commands) capabilities: Vec<String>,
    pub(in crate::commands) tags: Option<Vec<(String, String)>>,
    pub(in crate::commands) notification_arns: Option<Vec<String>>,
    /// Alarms that roll the deployment back.
    pub(super) rollback: Option<RollbackConfiguration>,
    pub(in crate::commands) intervals: PollIntervals,
    pub(super) limit: Option<Duration>,
}

impl Choices {
    /// Puts the arguments over the settings of the configuration file for a command. With `--guided`, asks for
    /// stack name and Region that neither has.
    ///
    /// # Errors
    /// When the stack has no name, or an argument means nothing.
    pub(in crate::commands) fn new(
        args: &DeployArgs,
        template: &Path,
        command: &str,
        answers: &mut Answers,
    ) -> Result<Choices, Failure> {
        let missing = FileFailure::if_missing(template).err();
        let missing = match missing {
            // Nothing is beside it, no configuration either.
            Some(missing) if !inputs::folder(template).is_dir() => return Err(missing.into()),
            missing => missing,
        };
        let section = section_beside(&args.inputs, template, command)?;
        let mut problems = Problems::default();
        values::check(args, &section, &mut problems);
        let intervals = problems.add(intervals(&args.run));
        let limit = problems.add(limit(&args.run));
        let settings = problems.add(settings(args, &section));
        let rollback = args.change_set.rollback_configuration.as_deref();
        let rollback = problems.add(rollback.map(rollback_configuration::read).transpose()).flatten();
        if let Some(missing) = missing {
            // Alone it is reported in the form that was asked for.
            if problems.is_empty() {
                return Err(missing.into());
            }
            let advice = missing.advice().map_or_else(String::new, |advice| format!("\n  help: {advice}"));
            problems.add(Err::<(), _>(format!("{}{advice}", missing.message)));
        }
        problems.into_result()?;
        let text = |given: &Option<String>, key| given.clone().or_else(|| section.text(key));
        let words = |given: &Option<Vec<String>>, key| match given {
            Some(words) => Ok::<_, FileFailure>(Some(words.clone())),
            None => section.words(key),
        };
        let flag = |yes, no, key| if yes || no { yes } else { section.flag(key).unwrap_or(false) };
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
        // Whatever is missing here was reported.
        let (Some(intervals), Some(limit), Some(mut settings)) = (intervals, limit, settings) else {
            return Err("a value cannot be used".into());
        };
        if args.guided && settings.region.is_none() {
            settings.region = Some(guided::region(answers)?);
        }
        let capabilities = match args.stack.capabilities.as_slice() {
            [] => section.words("capabilities")?.unwrap_or_default(),
            given => given.to_vec(),
        };
        let capabilities = capabilities.iter().flat_map(|names| names.split(','));
        let tags = words(&args.stack.tags, "tags")?;
        let (change_set, run) = (&args.change_set, &args.run);
        if change_set.reverts_drift() && change_set.change_set_type == Some(ChangeSetTypeArg::Create) {
            return Err("--revert-drift compares a stack that exists: leave out --change-set-type create".into());
        }
        check_type_of_set(change_set)?;
        let approval = approval(change_set, &section);
        let on_failure = on_failure(args, &section)?;
        let (is_express, express_note) = express_choice::chosen(args, &section, command, on_failure)?;
        let request = DeployRequest {
            stack_name,
            role_arn: text(&args.stack.role_arn, "role_arn"),
            replaces_failed: run.replace_failed,
            waits: run.wait,
            is_create: change_set
                .change_set_type
                .filter(|kind| *kind != ChangeSetTypeArg::Import)
                .map(|kind| kind == ChangeSetTypeArg::Create),
            approval,
            fails_when_empty: flag(
                change_set.fail_on_empty_changeset,
                change_set.no_fail_on_empty_changeset,
                "fail_on_empty_changeset",
            ),
            on_failure: on_failure.into(),
            only_validates: command == VALIDATE,
            is_express,
            retains_except_on_create: run.retain_except_on_create,
            is_strict: args.report.strict,
            cancels_on_interrupt: run.cancel_on_interrupt,
        };
        Ok(Choices {
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

    /// Name of the stack.
    pub(in crate::commands) fn stack_name(&self) -> &str {
        &self.request.stack_name
    }
}

/// That nothing is saved, where that was asked for without questions.
fn unsaved(args: &DeployArgs) -> Option<Notice> {
    let is_saved = args.guided || !args.save_params;
    (!is_saved).then(|| Notice::note("--save-params saves nothing without --guided"))
}

/// Whether the type of the change set is that of what is asked for.
fn check_type_of_set(args: &ChangeSetArgs) -> Result<(), Failure> {
    match (args.change_set_type, &args.resources_to_import) {
        (Some(ChangeSetTypeArg::Import), None) => {
            Err("--change-set-type IMPORT does not name what is imported\n  help: pass `--resources-to-import FILE`"
                .into())
        }
        (Some(ChangeSetTypeArg::Create | ChangeSetTypeArg::Update), Some(_)) => {
            Err("--resources-to-import makes a change set of the type IMPORT\n  help: leave out `--change-set-type`"
                .into())
        }
        _ => Ok(()),
    }
}

/// The command that makes a change set only for what is found in it.
pub(super) const VALIDATE: &str = "validate";

/// Who decides whether a change set is executed.
pub(super) fn approval(args: &ChangeSetArgs, section: &Config) -> Approval {
    let confirms = match (args.confirm_changeset, args.no_confirm_changeset) {
        (false, false) => section.flag("confirm_changeset").unwrap_or(false),
        (confirms, _) => confirms,
    };
    match args {
        set if set.no_execute => Approval::Never,
        set if set.yes => Approval::Always,
        _ if confirms => Approval::Ask,
        _ => Approval::UnlessDataIsLost,
    }
}

/// How often CloudFormation is asked.
pub(super) fn intervals(args: &RunArgs) -> Result<PollIntervals, String> {
    Ok(PollIntervals::of(seconds("--poll-delay", args.poll_delay, 1.0)?))
}

/// How long a deployment is followed.
pub(super) fn limit(args: &RunArgs) -> Result<Option<Duration>, String> {
    args.max_wait_duration.map(|limit| seconds("--max-wait-duration", limit, 60.0)).transpose()
}

/// What is chosen for the part of a deployment that needs no service.
pub(super) fn local(args: &DeployArgs) -> LocalChoices {
    LocalChoices {
        inputs: (&args.inputs).into(),
        is_strict: args.report.strict,
        schemas: args.schemas.schemas.clone(),
        has_no_schemas: args.schemas.no_schemas,
        upload: (&args.upload).into(),
        expands: args.expand,
    }
}

impl From<OnFailureArg> for OnFailure {
    fn from(arg: OnFailureArg) -> OnFailure {
        match arg {
            OnFailureArg::RollBack => OnFailure::RollBack,
            OnFailureArg::DoNothing => OnFailure::DoNothing,
            OnFailureArg::Delete => OnFailure::Delete,
        }
    }
}

/// The settings of the configuration file for a command.
///
/// # Errors
/// When a file that was named cannot be read, or is not one.
pub(in crate::commands) fn section(args: &InputArgs, template: &Path, command: &str) -> Result<Config, Failure> {
    FileFailure::if_missing(template)?;
    section_beside(args, template, command)
}

/// The same for a template that need not exist.
fn section_beside(args: &InputArgs, template: &Path, command: &str) -> Result<Config, Failure> {
    let folder = inputs::folder(template);
    let host = DiskHost::with_loader(folder, project_host::loader_of(folder, args)?);
    Config::read(&host, host.loader(), folder, command, &choice_of(args))
}

/// The account that is deployed to.
pub(super) fn settings(args: &DeployArgs, section: &Config) -> Result<Settings, String> {
    let region = args.inputs.region.clone().or_else(|| section.text("region"));
    let aws = &args.inputs.live.aws;
    let profile = aws.profile.is_none().then(|| section.text("profile")).flatten();
    let settings = aws.settings(region, profile)?;
    Ok(Settings { region: formwork_aws::configured_region(&settings), ..settings })
}

pub(super) fn on_failure(args: &DeployArgs, section: &Config) -> Result<OnFailureArg, Failure> {
    let run = &args.run;
    if run.disable_rollback && run.on_failure.is_some_and(|given| given != OnFailureArg::DoNothing) {
        return Err("--disable-rollback leaves a failed stack as it is: leave out --on-failure".into());
    }
    if run.disable_rollback {
        return Ok(OnFailureArg::DoNothing);
    }
    if let Some(given) = run.on_failure {
        return Ok(given);
    }
    if run.no_disable_rollback {
        return Ok(OnFailureArg::RollBack);
    }
    match section.text("on_failure") {
        None if section.flag("disable_rollback") == Some(true) => Ok(OnFailureArg::DoNothing),
        None => Ok(OnFailureArg::RollBack),
        Some(text) => <OnFailureArg as clap::ValueEnum>::from_str(&text, true).map_err(|_| {
            section.unfit(&format!("on_failure is \"{text}\": write rollback, do-nothing or delete")).into()
        }),
    }
}

pub(in crate::commands) fn seconds(option: &str, number: f64, factor: f64) -> Result<Duration, String> {
    let wrong = || format!("{option} {number} is not a time");
    Duration::try_from_secs_f64(number * factor).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
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

    #[test]
    fn times() {
        assert_eq!(seconds("--x", 0.5, 60.0), Ok(Duration::from_secs(30)));
        for number in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(seconds("--x", number, 1.0).is_err(), "{number}");
        }
    }
}
