//! The settings of a refactor: the stacks with their templates, and the approval.

use std::path::{Path, PathBuf};
use std::time::Duration;

use formwork_aws::Settings;
use formwork_deploy::PollIntervals;
use formwork_project::{Config, Failure};
use formwork_run::console::confirm;
use formwork_run::default_template;
use formwork_run::service_names::check_stack;

use super::RefactorArgs;
use crate::deploy::section;
use crate::seconds::seconds;

/// Least and most stacks of `--stack`.
const STACKS: std::ops::RangeInclusive<usize> = 2..=5;

pub(super) struct Wanted {
    /// The stacks by name, each with its new template.
    pub(super) stacks: Vec<(String, PathBuf)>,
    pub(super) settings: Settings,
    pub(super) intervals: PollIntervals,
    pub(super) limit: Option<Duration>,
}

impl Wanted {
    /// Merges the arguments with the configuration file.
    ///
    /// # Errors
    /// When an argument is invalid, or a question could not be answered.
    pub(super) fn new(args: &RefactorArgs) -> Result<Wanted, Failure> {
        let decides = args.yes || args.dry_run || args.no_execute;
        if !decides && !confirm::can_ask() {
            return Err(
                "a refactor needs a confirmation, and standard input is not a terminal\n  help: pass --yes, --no-execute or --dry-run".into()
            );
        }
        let (stacks, section) = if args.execute.is_some() {
            (Vec::new(), Config::of_folder(Path::new("."), "refactor", &args.inputs.config.choice())?)
        } else if args.stacks.is_empty() {
            one(args)?
        } else {
            several(args)?
        };
        for (name, _) in &stacks {
            check_stack(name)?;
        }
        let region = args.inputs.region.clone().or_else(|| section.text("region"));
        let aws = &args.inputs.live.aws;
        let profile = aws.profile.is_none().then(|| section.text("profile")).flatten();
        let settings = aws.settings(region, profile)?;
        Ok(Wanted {
            stacks,
            settings: Settings { region: formwork_aws::configured_region(&settings), ..settings },
            intervals: PollIntervals::of(seconds("--poll-delay", args.poll_delay, 1.0)?),
            limit: args.max_wait_duration.map(|limit| seconds("--max-wait-duration", limit, 60.0)).transpose()?,
        })
    }

    /// Returns the single stack of the refactor, which IDs without a stack refer to.
    pub(super) fn only_stack(&self) -> Option<&str> {
        match self.stacks.as_slice() {
            [(name, _)] => Some(name),
            _ => None,
        }
    }
}

fn one(args: &RefactorArgs) -> Result<(Vec<(String, PathBuf)>, Config), Failure> {
    let template = default_template::named_or_built(args.template.as_ref().or(args.template_file.as_ref()))?;
    let section = section(&args.inputs, &template, "refactor")?;
    let name = args.inputs.stack_name.clone().or_else(|| section.text("stack_name"));
    let name = name.ok_or(
        "the stack has no name\n  help: pass --stack-name NAME, set stack_name in samconfig.toml, or pass --stack NAME=TEMPLATE for several",
    )?;
    Ok((vec![(name, template)], section))
}

fn several(args: &RefactorArgs) -> Result<(Vec<(String, PathBuf)>, Config), Failure> {
    let mut stacks: Vec<(String, PathBuf)> = Vec::new();
    for word in &args.stacks {
        let Some((name, template)) = word.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty())
        else {
            return Err(format!("`--stack {word}` has no template\n  help: write `--stack NAME=TEMPLATE`").into());
        };
        if stacks.iter().any(|(known, _)| known == name) {
            return Err(format!("stack {name} is named twice\n  help: name each stack once, with one template").into());
        }
        stacks.push((name.to_owned(), Path::new(template).to_owned()));
    }
    if !STACKS.contains(&stacks.len()) {
        let help = match stacks.as_slice() {
            [(name, template)] => {
                format!("for one stack, write `formwork refactor {} --stack-name {name}`", template.display())
            }
            _ => "a stack refactor has at most 5 stacks".to_owned(),
        };
        return Err(format!("--stack names {} of 2 to 5 stacks\n  help: {help}", stacks.len()).into());
    }
    let first = stacks.first().map(|(_, template)| template.clone()).unwrap_or_default();
    let section = section(&args.inputs, &first, "refactor")?;
    Ok((stacks, section))
}
