//! Shared parts of the commands that run functions: the template, its functions, and their settings.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::refuse_links_to;
use formwork::{PseudoParameter, Report, Severity, Values};
use formwork_project::{Failure, FileFailure};
use formwork_run::console::report::Reporter;
use formwork_run::inputs;
use formwork_run::{default_template, terminal};

use super::args::LocalArgs;
use super::credentials::CredentialSource;
use crate::{
    ACCOUNT, Debugger, Function, LaunchSettings, LocalError, Log, PoolSettings, Project, UnresolvedVariable,
    VariablesFile, unresolved, words,
};

const BUILT: [&str; 2] = [".formwork/build/template.yaml", ".formwork/build/template.json"];

const DEFAULT: [&str; 3] = ["template.yaml", "template.yml", "template.json"];

/// Returns the template of the arguments. A default template is printed on standard error.
pub(super) fn template(args: &LocalArgs) -> Result<PathBuf, Failure> {
    if let Some(template) = &args.template_file {
        return Ok(template.clone());
    }
    let found = BUILT.into_iter().chain(DEFAULT).find(|name| Path::new(name).symlink_metadata().is_ok());
    let Some(found) = found else {
        let why = format!("no template is named, and none of {} exists", DEFAULT.join(", "));
        return Err(format!("{why}\n  help: name one with `-t FILE`").into());
    };
    if BUILT.contains(&found) {
        let unusable = |error| format!("{found} cannot be read: {error}");
        refuse_links_to(Path::new(found), None).map_err(unusable)?;
    }
    default_template::refuse_outside(Path::new(found))?;
    let what = if BUILT.contains(&found) { "built template" } else { "template" };
    terminal::say_line(&format!("{what}: {found}"));
    Ok(PathBuf::from(found))
}

pub(super) struct Local {
    pub(super) project: Project,
    pub(super) launch: LaunchSettings,
}

/// Reads a template with the settings of its functions; `None` when it has errors, which are printed.
///
/// # Errors
/// When a file of the arguments cannot be read, or the selected profile returns no credentials.
pub(super) fn load(
    template: &Path,
    command: &str,
    args: &LocalArgs,
    debugger: Option<Debugger>,
) -> Result<Option<Local>, Failure> {
    let Some((project, source)) = read(template, command, args, &mut Vec::new())? else { return Ok(None) };
    Ok(Some(Local { project, launch: launch(args, &source, debugger)? }))
}

/// Reads a template alone. `files` receives the files that were read, also when the template has errors.
pub(super) fn read(
    template: &Path,
    command: &str,
    args: &LocalArgs,
    files: &mut Vec<PathBuf>,
) -> Result<Option<(Project, CredentialSource)>, Failure> {
    if !(args.timeout_scale.is_finite() && args.timeout_scale > 0.0) {
        return Err("--timeout-scale is not a number above 0".into());
    }
    let input = inputs::read(template, command, Values::Keep, &args.inputs, args.report.strict)?;
    let source = CredentialSource::of(args, input.region.clone())?;
    let mut options = input.options.clone();
    if input.region.is_none() {
        options.pseudo.push((PseudoParameter::Region, source.region.clone()));
    }
    let variables = variables(args)?;
    let base = inputs::folder(template);
    let (project, reports) = Project::load(&input.session, &input.path, base, &options);
    files.extend(input.host.loader().files());
    files.extend(project.iter().flat_map(|project| project.files.iter().cloned()));
    let mut reporter = Reporter::new(&args.report);
    let is_wrong = |report: &&Report| report.diagnostics().iter().any(|found| found.severity != Severity::Note);
    // Notes apply to templates that are written, not to local runs.
    for report in reports.iter().filter(is_wrong) {
        reporter.print(report);
    }
    let Ok(project) = project else {
        reporter.finish("; no function was run");
        return Ok(None);
    };
    reporter.finish("");
    let functions: Vec<Function> = project.functions.iter().map(|function| Function::clone(function)).collect();
    for id in variables.unknown(&functions) {
        terminal::say_line(&format!("warning: --env-vars names {id}, which is not a function of the template"));
    }
    if !project.names.is_empty() {
        let names = project.names.join(", ");
        let what = "known only after deployment: functions get these names in their environment";
        terminal::say_line(&format!("note: {names}: {what}"));
    }
    Ok(Some((project, source)))
}

pub(super) fn launch(
    args: &LocalArgs,
    source: &CredentialSource,
    debugger: Option<Debugger>,
) -> Result<LaunchSettings, Failure> {
    Ok(LaunchSettings {
        region: source.region.clone(),
        account: args.inputs.account_id.clone().unwrap_or_else(|| ACCOUNT.to_owned()),
        credentials: source.credentials(args)?,
        path: std::env::var("PATH").unwrap_or_default(),
        variables: variables(args)?,
        timeout_scale: args.timeout_scale,
        limits_memory: !args.no_memory_limit,
        debugger,
    })
}

/// Prints variables of functions whose value is not resolved locally, and returns `true` if none of that is an error.
pub(super) fn print_unresolved<'f>(
    args: &LocalArgs,
    found: &[UnresolvedVariable],
    functions: impl IntoIterator<Item = &'f Function>,
) -> Result<bool, Failure> {
    if found.is_empty() {
        return Ok(true);
    }
    let reports = unresolved::reports(found, functions, &variables(args)?);
    let mut reporter = Reporter::new(&args.report);
    for report in &reports {
        reporter.print(report);
    }
    let is_sound = !reports.iter().any(Report::has_errors);
    reporter.finish(if is_sound { "" } else { "; no function was run" });
    Ok(is_sound)
}

/// Prints features of the functions that are missing locally.
pub(super) fn print_notes<'f>(functions: impl IntoIterator<Item = &'f Function>) {
    for note in functions.into_iter().filter_map(Function::note) {
        terminal::say_line(&format!("warning: {note}"));
    }
}

fn variables(args: &LocalArgs) -> Result<VariablesFile, Failure> {
    let Some(path) = &args.env_vars else { return Ok(VariablesFile::default()) };
    let limit = formwork::Limits::default().file_bytes;
    let bytes = formwork::disk::read_named(path, limit).map_err(|error| FileFailure::unread(path, &error))?;
    let unfit = |why: crate::VariablesError| {
        FileFailure::unfit(path, format!("{} cannot be used for --env-vars: {why}", path.display()))
    };
    Ok(VariablesFile::parse(&bytes).map_err(unfit)?)
}

pub(super) fn find<'p>(project: &'p Project, name: Option<&str>) -> Result<&'p Arc<Function>, Failure> {
    let Some(name) = name else { return Err(words::no_function_named(project).into()) };
    project.find(name).map_err(|error| words::unknown_function(project, name, &error).into())
}

pub(super) fn log(args: &LocalArgs) -> Result<Log, Failure> {
    let mut sinks: Vec<Box<dyn Write + Send>> = vec![Box::new(std::io::stderr())];
    if let Some(path) = &args.log_file {
        let file = OpenOptions::new().create(true).append(true).open(path);
        sinks.push(Box::new(file.map_err(|error| format!("{} cannot be written: {error}", path.display()))?));
    }
    Ok(Log::new(sinks))
}

pub(super) fn pool(is_warm: bool, concurrency: usize) -> PoolSettings {
    let warn = Arc::new(|text: &str| terminal::say_line(&format!("warning: {text}")));
    PoolSettings { is_warm, concurrency, warn }
}

/// Reports why a function cannot be run, with its position in the template.
pub(super) fn refuse(function: &Function, error: &LocalError) {
    let place = function.place.as_ref().map(|place| format!("\n  --> {place}")).unwrap_or_default();
    terminal::say_error(&format!("{error}{place}"));
}
