//! The rounds of a run with `--live`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formwork::disk::Loader;
use formwork::nested::PathErrors;
use formwork::{
    Account, AccountQuery, Analysis, Diagnostic, Goal, Observer, Options, PseudoParameter, Questions, Report, Severity,
    SourceFile, codes,
};
use formwork_aws::{AwsError, Connection, Settings, Snapshot};
use formwork_project::Failure;
use formwork_report::printable;

use super::{NO_UPLOADS, check};
use crate::args::InputArgs;
use crate::inputs::Input;
use crate::output::{self, Outputs};

/// The state of a run with or without `--live`: no question is asked twice across its templates.
pub struct Live {
    /// `None` without `--live`.
    questions: Option<Questions<Aws>>,
    record: Option<PathBuf>,
    loaders: Vec<Loader>,
    failed: BTreeSet<String>,
}

struct Aws {
    settings: Settings,
    connection: Option<Connection>,
    captured: Snapshot,
    errors: Vec<AwsError>,
}

impl Account for Aws {
    type Error = Failure;

    fn ask(&mut self, queries: &[AccountQuery]) -> Result<(), Failure> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(&self.settings).map_err(|error| Failure::from(failed(&error)))?),
        };
        let fetched = connection.fetch(queries);
        if let Some(error) = fetched.errors.iter().find(|error| error.kind.is_fatal()) {
            return Err(failed(error).into());
        }
        self.captured.merge(fetched.snapshot);
        self.errors.extend(fetched.errors);
        Ok(())
    }

    fn snapshot(&self) -> Option<SourceFile> {
        let name = "<live account data>".to_owned();
        let bytes = || self.captured.to_json().into_bytes().into();
        let is_empty = self.captured == Snapshot::default();
        (!is_empty).then(|| SourceFile { path: name.clone(), display: name, bytes: bytes() })
    }

    /// Exports are answered by one call that lists all of them.
    fn is_answered(&self, query: &AccountQuery) -> bool {
        matches!(query, AccountQuery::Export { .. }) && self.captured.exports.is_some()
    }
}

impl Live {
    /// Creates the state of a run with these arguments.
    ///
    /// # Errors
    /// When they contradict each other.
    pub fn new(inputs: &InputArgs) -> Result<Live, Failure> {
        Live::with(inputs, inputs.live.live, None)
    }

    /// Like [`Live::new`], for runs that also upload to AWS if `uploads` is set.
    ///
    /// # Errors
    /// When the arguments contradict that.
    pub fn with_uploads(inputs: &InputArgs, uploads: bool) -> Result<Live, Failure> {
        Live::with(inputs, inputs.live.live, uploads.then_some(NO_UPLOADS))
    }

    /// Like [`Live::new`], for runs that ask AWS with or without `--live`.
    ///
    /// # Errors
    /// When the arguments contradict that.
    pub fn always(inputs: &InputArgs) -> Result<Live, Failure> {
        Live::with(inputs, true, None)
    }

    /// Like [`Live::new`], for commands that call AWS in any case; account data is requested with `--live` alone.
    ///
    /// # Errors
    /// When the arguments contradict each other.
    pub fn online(inputs: &InputArgs) -> Result<Live, Failure> {
        Live::with(inputs, inputs.live.live, Some("nothing is sent to AWS, leave it out"))
    }

    fn with(inputs: &InputArgs, is_live: bool, online: Option<&str>) -> Result<Live, Failure> {
        check(inputs, is_live, online)?;
        let account = |settings| Aws { settings, connection: None, captured: Snapshot::default(), errors: Vec::new() };
        let settings = is_live.then(|| settings(inputs)).transpose()?;
        Ok(Live {
            questions: settings.map(|settings| Questions::new(account(settings))),
            record: inputs.live.record_account.clone(),
            loaders: Vec::new(),
            failed: BTreeSet::new(),
        })
    }

    /// Compiles a template; with `--live`, repeats this until no account data is missing that AWS has. The record is
    /// written, as for a run with a single template.
    ///
    /// # Errors
    /// When AWS cannot be asked at all, or the record cannot be written.
    pub fn compile(&mut self, input: &Input, goal: Goal, observer: Option<Observer<'_>>) -> Result<Report, Failure> {
        let (_, report) = self.analyze(input, goal, observer)?;
        self.write_record()?;
        Ok(report)
    }

    /// Like [`Live::compile`], for a run that continues: the analysis has the captured account data, and
    /// [`Live::write_record`] is called at the end of the run.
    ///
    /// # Errors
    ///
    /// When AWS cannot be asked at all.
    pub fn analyze(
        &mut self,
        input: &Input,
        goal: Goal,
        observer: Option<Observer<'_>>,
    ) -> Result<(Analysis<'static>, Report), Failure> {
        let observer = observer.unwrap_or(&|_| {});
        let before = self.errors().len();
        let analysis = self.in_region(input.analysis())?;
        let analysis = match &mut self.questions {
            Some(questions) => questions.complete(analysis, goal, observer)?,
            None => analysis,
        };
        let mut report = Report::from(analysis.compile_observed(goal, observer));
        report.append(self.errors()[before..].iter().map(|error| diagnostic_of(error, input.options.strict)));
        if self.questions.is_some() {
            self.note(input, report.has_errors());
        }
        if !report.has_errors() {
            input.host.write_lock()?;
        }
        Ok((analysis, report))
    }

    /// Compiles the local nested templates of a template, whose report for the same goal is `root`; with `--live`,
    /// repeats this until no account data is missing that AWS has.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub fn nested(
        &mut self,
        input: &Input,
        analysis: &mut Analysis<'static>,
        root: &mut Report,
        goal: Goal,
        path_errors: PathErrors,
    ) -> Result<Vec<Report>, Failure> {
        let nested = match &mut self.questions {
            Some(questions) => questions.complete_nested(analysis, root.compilation(), goal, path_errors)?,
            None => analysis.session().compile_nested(root.compilation(), goal, path_errors),
        };
        root.add(nested.found);
        let nested = nested.reports;
        let has_errors = root.has_errors() || nested.iter().any(Report::has_errors);
        self.note(input, has_errors);
        if !has_errors {
            input.host.write_lock()?;
        }
        Ok(nested)
    }

    /// Requests the answers to questions from AWS, each once.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub fn ask(&mut self, queries: &[AccountQuery]) -> Result<(), Failure> {
        if let Some(questions) = &mut self.questions {
            questions.ask(queries.iter().cloned())?;
        }
        Ok(())
    }

    /// Returns `true` when no question has been asked yet.
    pub fn is_idle(&self) -> bool {
        self.questions.as_ref().is_none_or(Questions::is_idle)
    }

    /// Returns the captured account data as JSON.
    pub fn captured(&self) -> String {
        self.questions.as_ref().map_or_else(|| Snapshot::default().to_json(), |known| known.account.captured.to_json())
    }

    fn errors(&self) -> &[AwsError] {
        self.questions.as_ref().map_or(&[], |questions| &questions.account.errors)
    }

    /// Returns the number of questions that could not be answered so far.
    pub fn error_count(&self) -> usize {
        self.errors().len()
    }

    /// Returns warnings about the unanswered questions after the first `before` ones; errors if `strict`.
    pub fn warnings(&self, before: usize, strict: bool) -> impl Iterator<Item = Diagnostic> {
        self.errors()[before..].iter().map(move |error| diagnostic_of(error, strict))
    }

    /// Selects the Region of the run: that of the arguments or the template's configuration, else that of the account
    /// data, else that of the AWS configuration.
    fn in_region(&mut self, analysis: Analysis<'static>) -> Result<Analysis<'static>, Failure> {
        let Some(questions) = &mut self.questions else { return Ok(analysis) };
        let named = analysis.options().pseudo.iter().rev().find(|(name, _)| *name == PseudoParameter::Region);
        let named = named.map(|(_, region)| region.clone()).or_else(|| analysis.region_of_accounts());
        match (named, &questions.account.settings.region) {
            (None, None) => Ok(analysis),
            (None, Some(region)) => {
                let mut options = Options::clone(analysis.options());
                options.pseudo.push((PseudoParameter::Region, region.clone()));
                Ok(analysis.with_options(options))
            }
            (Some(named), region) if region.as_ref() == Some(&named) => Ok(analysis),
            (Some(named), _) => {
                if questions.account.connection.take().is_some() && self.record.is_some() {
                    return Err("--record-account writes data of one Region, and the templates are of several".into());
                }
                questions.account.settings.region = Some(named);
                questions.account.captured = Snapshot::default();
                questions.clear();
                Ok(analysis)
            }
        }
    }

    fn note(&mut self, input: &Input, has_errors: bool) {
        let path = format!("{}{}", input.options.display_prefix, input.path);
        if has_errors {
            self.failed.insert(path);
        } else {
            self.failed.remove(&path);
        }
        self.loaders.push(input.host.loader().clone());
    }

    /// Writes the captured account data after all files of the run were read, so that none of them is replaced. With
    /// errors no file is written.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or is one of those that were read.
    pub fn write_record(&self) -> Result<(), Failure> {
        let Some(path) = self.record.as_ref().filter(|_| self.questions.is_some()) else { return Ok(()) };
        if !self.failed.is_empty() {
            return Ok(());
        }
        let outputs = Outputs::new(&[("--record-account", Some(path))], None);
        self.loaders.iter().try_for_each(|loader| outputs.keep_inputs(loader))?;
        let text = self.captured();
        output::write(Some(path), |out| out.write_all(text.as_bytes()))
    }
}

/// Returns the AWS settings of the arguments, the environment and the profile.
///
/// # Errors
/// When the profile does not exist.
pub fn settings(inputs: &InputArgs) -> Result<Settings, Failure> {
    let settings = inputs.live.aws.settings(inputs.region.clone(), None)?;
    Ok(Settings { region: formwork_aws::configured_region(&settings), ..settings })
}

/// Returns the message for a run that ends since AWS cannot be asked.
pub fn failed(error: &AwsError) -> String {
    let detail = error.detail.as_deref().map_or_else(String::new, |detail| format!(": {}", printable(detail)));
    format!("{}{detail}\n  help: {}", error.message, error.help)
}

fn diagnostic_of(error: &AwsError, strict: bool) -> Diagnostic {
    let severity = if strict { Severity::Error } else { Severity::Warning };
    let diagnostic = Diagnostic::new(codes::ACCOUNT_FILE, &error.message).severity(severity).help(&error.help);
    match &error.detail {
        Some(detail) => diagnostic.note(format!("the answer was `{detail}`")),
        None => diagnostic,
    }
}
