//! The rounds of a run with `--live`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formwork::disk::Loader;
use formwork::{
    Compilation, Compiler, Diagnostic, FactQuery, Observer, PseudoParameter, Severity, SourceFile, Stage, codes,
};
use formwork_aws::{AwsError, Connection, Settings, Snapshot};
use formwork_report::printable;

use crate::args::InputArgs;
use crate::inputs::Input;
use crate::output::{self, Outputs};

/// A fact may lead to the question for another one, such as the name of a parameter to its value.
const ROUNDS: usize = 3;

/// What runs with and without `--live` share: what was asked is not asked again, also not for the next
/// template.
pub(crate) struct Live {
    /// None without `--live`.
    settings: Option<Settings>,
    record: Option<PathBuf>,
    connection: Option<Connection>,
    asked: BTreeSet<FactQuery>,
    captured: Snapshot,
    troubles: Vec<AwsError>,
    /// What read the files of the run.
    loaders: Vec<Loader>,
    /// Templates with errors, by their paths.
    failed: BTreeSet<String>,
}

impl Live {
    /// Runs as the arguments say.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(crate) fn new(inputs: &InputArgs) -> Result<Live, String> {
        Live::with(inputs, inputs.live.live, None)
    }

    /// The same for runs that also upload to AWS, if `uploads`.
    ///
    /// # Errors
    /// When the arguments contradict that.
    pub(crate) fn with_uploads(inputs: &InputArgs, uploads: bool) -> Result<Live, String> {
        Live::with(inputs, inputs.live.live, uploads.then_some(super::NO_UPLOADS))
    }

    /// Runs that ask AWS, whether `--live` is given or not.
    ///
    /// # Errors
    /// When the arguments contradict that.
    pub(crate) fn always(inputs: &InputArgs) -> Result<Live, String> {
        Live::with(inputs, true, None)
    }

    /// Runs of a command that talks to AWS in any case; for account data with `--live` alone.
    ///
    /// # Errors
    /// When the arguments contradict each other.
    pub(crate) fn online(inputs: &InputArgs) -> Result<Live, String> {
        Live::with(inputs, inputs.live.live, Some("nothing is sent to AWS, leave it out"))
    }

    fn with(inputs: &InputArgs, is_live: bool, online: Option<&str>) -> Result<Live, String> {
        super::check(inputs, is_live, online)?;
        let settings = is_live.then(|| settings(inputs));
        Ok(Live {
            settings,
            record: inputs.live.record_account.clone(),
            connection: None,
            asked: BTreeSet::new(),
            captured: Snapshot::default(),
            troubles: Vec::new(),
            loaders: Vec::new(),
            failed: BTreeSet::new(),
        })
    }

    /// Compiles; with `--live`, until nothing is missing that can be found out. The record is written: there
    /// is no other template.
    ///
    /// # Errors
    /// When AWS cannot be asked at all, or the record cannot be written.
    pub(crate) fn compile(
        &mut self,
        mut input: Input,
        stage: Stage,
        observer: Option<Observer<'_>>,
    ) -> Result<Compilation, String> {
        let result = self.compile_with(&mut input, stage, observer)?;
        self.write_record()?;
        Ok(result)
    }

    /// The same for an input that is used again, and a run that goes on: the input keeps the account data that
    /// was found out, and [`Live::write_record`] is left to the end of the run.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub(crate) fn compile_with(
        &mut self,
        input: &mut Input,
        stage: Stage,
        observer: Option<Observer<'_>>,
    ) -> Result<Compilation, String> {
        let observer = observer.unwrap_or(&|_| {});
        if self.settings.is_none() {
            let compiler = Compiler::new(&input.host, input.options.clone()).observed_by(observer);
            let result = compiler.compile_bytes(input.path.clone(), input.bytes.clone(), stage);
            if !result.has_errors() {
                input.host.write_lock()?;
            }
            return Ok(result);
        }
        self.complete(input, stage, observer)
    }

    /// Adds to the account data of an input what is still missing, with `--live`. False when nothing of it can be
    /// found out.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub(crate) fn learn_more(&mut self, input: &mut Input, missing: Vec<FactQuery>) -> Result<bool, String> {
        let open: Vec<FactQuery> = missing.into_iter().filter(|query| self.is_open(query)).collect();
        if self.settings.is_none() || open.is_empty() {
            return Ok(false);
        }
        let is_first = self.captured == Snapshot::default();
        self.ask(&open)?;
        if !is_first {
            input.options.accounts.pop();
        }
        input.options.accounts.push(self.as_file());
        Ok(true)
    }

    /// Adds to the account data of an input what a stage asks for, with `--live`. Returns what could not
    /// be found out. [`Live::write_record`] is left to the end of the run.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub(crate) fn learn(&mut self, input: &mut Input, stage: Stage) -> Result<Vec<Diagnostic>, String> {
        if self.settings.is_some() {
            self.complete(input, stage, &|_| {})?;
        }
        Ok(self.warnings(input.options.strict).collect())
    }

    fn complete(&mut self, input: &mut Input, stage: Stage, observer: Observer<'_>) -> Result<Compilation, String> {
        self.choose_region(input)?;
        let snapshots = input.options.accounts.len();
        let told = self.troubles.len();
        let mut round = 0;
        loop {
            input.options.accounts.truncate(snapshots);
            if self.captured != Snapshot::default() {
                input.options.accounts.push(self.as_file());
            }
            let compiler = Compiler::new(&input.host, input.options.clone()).observed_by(observer);
            let mut result = compiler.compile_bytes(input.path.clone(), input.bytes.clone(), stage);
            let open: Vec<FactQuery> = result.missing_facts().into_iter().filter(|query| self.is_open(query)).collect();
            if open.is_empty() || round == ROUNDS {
                result.add_diagnostics(self.troubles[told..].iter().map(|trouble| said(trouble, input.options.strict)));
                self.note(input, result.has_errors());
                if !result.has_errors() {
                    input.host.write_lock()?;
                }
                return Ok(result);
            }
            observer("account");
            self.ask(&open)?;
            round += 1;
        }
    }

    /// Finds answers to questions, each of which is asked once.
    ///
    /// # Errors
    /// When AWS cannot be asked at all.
    pub(crate) fn ask(&mut self, queries: &[FactQuery]) -> Result<(), String> {
        let Some(settings) = &self.settings else { return Ok(()) };
        let open: Vec<FactQuery> = queries.iter().filter(|query| self.is_open(query)).cloned().collect();
        if open.is_empty() {
            return Ok(());
        }
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(settings).map_err(|trouble| failed(&trouble))?),
        };
        let fetched = connection.fetch(&open);
        if let Some(trouble) = fetched.errors.iter().find(|trouble| trouble.kind.is_fatal()) {
            return Err(failed(trouble));
        }
        self.asked.extend(open);
        self.captured.merge(fetched.snapshot);
        self.troubles.extend(fetched.errors);
        Ok(())
    }

    /// Whether AWS has not been asked yet. One call lists all exports.
    fn is_open(&self, query: &FactQuery) -> bool {
        let is_listed = matches!(query, FactQuery::Export { .. }) && self.captured.exports.is_some();
        !is_listed && !self.asked.contains(query)
    }

    /// Whether nothing was asked yet.
    pub(crate) fn is_idle(&self) -> bool {
        self.asked.is_empty()
    }

    /// What was found out so far.
    pub(crate) fn captured(&self) -> &Snapshot {
        &self.captured
    }

    /// What could not be found out, as warnings; as errors if `strict`.
    pub(crate) fn warnings(&self, strict: bool) -> impl Iterator<Item = Diagnostic> {
        self.troubles.iter().map(move |trouble| said(trouble, strict))
    }

    /// The Region that is asked is that of the run: the one that the arguments or the template's
    /// configuration name, else that of the account data given, else the one of the AWS configuration.
    fn choose_region(&mut self, input: &mut Input) -> Result<(), String> {
        let Some(settings) = &mut self.settings else { return Ok(()) };
        let named = input.options.pseudo.iter().rev().find(|(name, _)| *name == PseudoParameter::Region);
        let named = named.map(|(_, region)| region.clone()).or_else(|| region_of_accounts(input));
        match (named, &settings.region) {
            (None, None) => {}
            (None, Some(region)) => input.options.pseudo.push((PseudoParameter::Region, region.clone())),
            (Some(named), region) if region.as_ref() == Some(&named) => {}
            (Some(named), _) => {
                if self.connection.take().is_some() && self.record.is_some() {
                    return Err(
                        "--record-account writes data of one Region, and the templates are of several".to_owned()
                    );
                }
                settings.region = Some(named);
                self.asked.clear();
                self.captured = Snapshot::default();
            }
        }
        Ok(())
    }

    fn as_file(&self) -> SourceFile {
        let name = "<live account data>".to_owned();
        SourceFile { path: name.clone(), display: name, bytes: self.captured.to_json().into_bytes().into() }
    }

    /// Remembers whether a template of the run has errors, its nested templates included.
    pub(crate) fn note(&mut self, input: &Input, has_errors: bool) {
        let path = format!("{}{}", input.options.display_prefix, input.path);
        if has_errors {
            self.failed.insert(path);
        } else {
            self.failed.remove(&path);
        }
        self.loaders.push(input.host.loader().clone());
    }

    /// Writes what was found out, when all files of the run were read: none of them is replaced. With
    /// errors no file is written.
    ///
    /// # Errors
    /// When it cannot be written, or is one of these files.
    pub(crate) fn write_record(&self) -> Result<(), String> {
        let Some(path) = self.record.as_ref().filter(|_| self.settings.is_some()) else { return Ok(()) };
        if !self.failed.is_empty() {
            return Ok(());
        }
        let outputs = Outputs::new(&[("--record-account", Some(path))], None);
        self.loaders.iter().try_for_each(|loader| outputs.keep_inputs(loader))?;
        let text = self.captured.to_json();
        output::write(Some(path), |out| out.write_all(text.as_bytes()))
    }
}

/// Whom the arguments, the environment and the profile say to ask.
pub(crate) fn settings(inputs: &InputArgs) -> Settings {
    let region = inputs.region.clone();
    let (profile, endpoint_url) = (inputs.live.profile.clone(), inputs.live.endpoint_url.clone());
    let settings = Settings { region, profile, endpoint_url, ..Settings::default() };
    Settings { region: formwork_aws::configured_region(&settings), ..settings }
}

/// The Region of the account data that was given.
fn region_of_accounts(input: &Input) -> Option<String> {
    if input.options.accounts.is_empty() {
        return None;
    }
    let compiler = Compiler::new(&input.host, input.options.clone());
    let result = compiler.compile_bytes(input.path.clone(), input.bytes.clone(), Stage::Rules);
    result.region().map(str::to_owned)
}

/// Why nothing can be asked, for the end of the program.
fn failed(trouble: &AwsError) -> String {
    let detail = trouble.detail.as_deref().map_or_else(String::new, |detail| format!(": {}", printable(detail)));
    format!("{}{detail}\n  help: {}", trouble.message, trouble.help)
}

/// A trouble as a diagnostic.
fn said(trouble: &AwsError, strict: bool) -> Diagnostic {
    let severity = if strict { Severity::Error } else { Severity::Warning };
    let diagnostic = Diagnostic::new(codes::ACCOUNT_FILE, &trouble.message).severity(severity).help(&trouble.help);
    match &trouble.detail {
        Some(detail) => diagnostic.note(format!("the answer was `{detail}`")),
        None => diagnostic,
    }
}
