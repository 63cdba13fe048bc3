//! A round: builds, compares, and deploys or pushes.

use std::path::Path;

use formwork::{PseudoParameter, Report};
use formwork_build::Selection;
use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::build::{self, Finished, Wanted};
use formwork_run::console::build_progress::BuildProgress;
use formwork_run::console::configured;
use formwork_run::console::report::Reporter;
use formwork_run::host::shown;
use formwork_run::live::Live;
use formwork_run::terminal::say_line;
use formwork_run::upload::Upload;
use formwork_stacks::deploy;
use formwork_stacks::saved_answers::Answers;

use super::snapshot::{self, Taken};
use super::sync_reporter::Reported;
use super::syncer::Syncer;
use super::{interest, push};
use crate::{ArtifactId, Cause, Decision, Scope};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Occasion {
    First,
    /// The set of watched files changed: something may have changed meanwhile.
    Look,
    Change,
}

impl Syncer<'_> {
    /// Builds, and deploys or pushes the changes.
    ///
    /// # Errors
    /// When the arguments contradict each other, or a file that they refer to cannot be read.
    pub(super) fn round(&mut self, occasion: Occasion) -> Result<Status, Failure> {
        self.is_complete = false;
        let args = &self.args.deploy;
        let choices = deploy::Wanted::new(args, &self.wanted.template, "sync", &mut Answers::default())?;
        let built = self.build(&choices)?;
        let region = choices.settings.region.as_deref();
        let upload =
            Upload::new(&args.upload, &args.inputs.live.aws, &built.input.upload, region, Some(choices.stack_name()))?;
        self.outputs.learn(&built.outcome.written);
        let mut interest = interest::after(self.args, self.wanted, &built, &upload)?;
        interest.written.extend(self.outputs.known_paths().cloned());
        self.interest = Some(interest);
        let Finished { outcome, input, live } = built;
        if outcome.is_interrupted {
            say_line("interrupted; nothing was synced");
            return Ok(Status::Interrupted);
        }
        let Some(template) = outcome.template.filter(|_| !outcome.reports.iter().any(Report::has_errors)) else {
            return Ok(self.refused(&outcome.reports));
        };
        // Each warning is printed once, not in each round.
        let new = outcome.warnings.into_iter().filter(|warning| self.warned.insert(warning.clone()));
        configured::say_warnings(&self.args.deploy.report, new);
        live.write_record()?;
        input.host.write_lock()?;
        let taken = match snapshot::take(args, &choices, &outcome.survey, &template, &upload)? {
            Ok(taken) => taken,
            Err(reports) => return Ok(self.refused(&reports)),
        };
        self.is_complete = true;
        if occasion == Occasion::Look && self.tried.as_ref() == Some(&taken.snapshot) {
            return Ok(Status::Done);
        }
        self.tried = Some(taken.snapshot.clone());
        let status = match &self.wanted.code {
            Some(scope) => self.code(scope, &taken, &choices, &upload, occasion),
            None => self.sync(&taken, &choices, &upload, &template, &outcome.reports, occasion),
        };
        if upload.is_interrupted() { Ok(Status::Interrupted) } else { status }
    }

    fn build(&self, choices: &deploy::Wanted) -> Result<Finished, Failure> {
        let args = &self.args.deploy;
        let progress = BuildProgress::new(&args.report);
        let name = (PseudoParameter::StackName, choices.stack_name().to_owned());
        let region = choices.settings.region.clone().map(|region| (PseudoParameter::Region, region));
        let wanted = Wanted {
            command: "sync",
            template: &self.wanted.template,
            directory: Some(&self.wanted.directory),
            base_dir: self.args.sync.base_dir.as_deref(),
            selection: Selection { in_source: self.args.sync.build_in_source, ..Selection::default() },
            is_cached: true,
            jobs: None,
            format: None,
            pseudo: region.into_iter().chain([name]).collect(),
            live: Live::online(&args.inputs)?,
            inputs: &args.inputs,
            is_strict: args.report.strict,
            observer: &|event| progress.report(event),
        };
        build::perform(wanted, self.interrupt)
    }

    /// Handles a project that cannot be synced as it is now.
    fn refused(&self, reports: &[Report]) -> Status {
        let mut reporter = Reporter::new(&self.args.deploy.report);
        for report in reports {
            reporter.print(report);
        }
        reporter.finish("; nothing was synced");
        Status::Errors
    }

    /// Deploys a change of the template, or pushes a change of code.
    fn sync(
        &mut self,
        taken: &Taken,
        choices: &deploy::Wanted,
        upload: &Upload,
        template: &Path,
        reports: &[Report],
        occasion: Occasion,
    ) -> Result<Status, Failure> {
        match taken.snapshot.decide(self.deployed.as_ref()) {
            Decision::Nothing => {
                if occasion != Occasion::Look {
                    self.reporter.nothing();
                }
                Ok(Status::Done)
            }
            Decision::Push(ids) => Ok(push::push(self, taken, &ids, choices, upload, Reported::Everything)),
            Decision::Deploy(cause) => {
                let status = self.deploy(taken, &cause, template, reports)?;
                let again = if cause == Cause::First {
                    taken.snapshot.compared()
                } else {
                    let is_there = |id: &&ArtifactId| taken.snapshot.artifacts().contains_key(*id);
                    self.pushed.iter().filter(is_there).cloned().collect()
                };
                if !matches!(status, Status::Done | Status::NothingToChange) || again.is_empty() {
                    return Ok(status);
                }
                // CloudFormation does not update resources whose template is unchanged, so pushed code stays.
                self.pushed.clear();
                match push::push(self, taken, &again, choices, upload, Reported::Updates) {
                    Status::Done => Ok(status),
                    failed => Ok(failed),
                }
            }
        }
    }

    fn deploy(&mut self, taken: &Taken, cause: &Cause, template: &Path, reports: &[Report]) -> Result<Status, Failure> {
        self.reporter.deploying(cause);
        let mut reporter = Reporter::new(&self.args.deploy.report);
        for report in reports {
            reporter.print(report);
        }
        self.stacks = None;
        let status = deploy::run_template(&self.args.deploy, &shown(template), "sync")?;
        match status {
            Status::Done | Status::NothingToChange => self.deployed = Some(taken.snapshot.clone()),
            // A rollback also reverts pushed code.
            Status::Errors | Status::Unreachable | Status::TimedOut => self.deployed = None,
            _ => {}
        }
        Ok(status)
    }

    /// Pushes code without a deployment.
    fn code(
        &mut self,
        scope: &Scope,
        taken: &Taken,
        choices: &deploy::Wanted,
        upload: &Upload,
        occasion: Occasion,
    ) -> Result<Status, Failure> {
        if let Some(first) = scope.unknown(&taken.snapshot).first() {
            let known: Vec<String> =
                taken.snapshot.code(None, &Scope::default()).iter().map(ToString::to_string).collect();
            let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let why = format!("{first} is not a resource whose code can be pushed");
            return Err(format!("{why}\n  help: those of the template are {list}").into());
        }
        let ids = taken.snapshot.code(self.deployed.as_ref(), scope);
        match &self.deployed {
            Some(known) if !taken.snapshot.has_template_of(known) => self.reporter.left(),
            Some(_) => {}
            None => self.deployed = Some(taken.snapshot.without_files()),
        }
        if ids.is_empty() {
            if occasion != Occasion::Look {
                self.reporter.nothing();
            }
            return Ok(Status::Done);
        }
        Ok(push::push(self, taken, &ids, choices, upload, Reported::Everything))
    }
}
