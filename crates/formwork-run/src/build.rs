//! Builds a template with the tools of the user (reference/build.md).

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use formwork::disk::refuse_links_to;
use formwork::{Format, Goal, PseudoParameter, UnresolvedLoops, Values};
use formwork_build::{BuildOptions, BuildRequest, Event, Outcome, SearchPath, Selection};
use formwork_project::Failure;
use formwork_upload::{Request, Symlinks};

use crate::args::InputArgs;
use crate::default_template::BUILD;
use crate::inputs::{self, Input};
use crate::live::Live;

/// The settings of a build.
pub struct Wanted<'a> {
    /// The command, for the configuration file.
    pub command: &'static str,
    /// The template to build.
    pub template: &'a Path,
    /// The build directory; by default the one beside the template.
    pub directory: Option<&'a Path>,
    /// The directory that paths of sources are relative to; by default that of the template.
    pub base_dir: Option<&'a Path>,
    /// The resources to build.
    pub selection: Selection,
    /// Set when artifacts whose sources did not change are kept.
    pub is_cached: bool,
    /// Maximum number of builds that run in parallel.
    pub jobs: Option<usize>,
    /// The format of the built template.
    pub format: Option<Format>,
    /// Values of pseudo parameters where no option sets them.
    pub pseudo: Vec<(PseudoParameter, String)>,
    /// The source of account data.
    pub live: Live,
    /// The options that the template is compiled with.
    pub inputs: &'a InputArgs,
    /// Set when warnings are errors.
    pub is_strict: bool,
    /// Receives the events of the build.
    pub observer: &'a (dyn Fn(Event<'_>) + Sync),
}

/// The outcome of a build, and the input that it read.
pub struct Finished {
    /// The result of the build.
    pub outcome: Outcome,
    /// The template and the options that it was compiled with.
    pub input: Input,
    /// The source of account data, with the answers of AWS.
    pub live: Live,
}

/// Builds a template. Nothing is printed.
///
/// # Errors
/// When the template cannot be read, or the build directory cannot be used or written.
pub fn perform(wanted: Wanted<'_>, interrupt: &AtomicBool) -> Result<Finished, Failure> {
    let Wanted { template, inputs, is_strict, observer, .. } = wanted;
    if template == Path::new("-") {
        let command = wanted.command;
        return Err(
            format!("`{command}` needs a template that is a file: the build directory is created beside it").into()
        );
    }
    let template_directory = inputs::folder(template);
    let named = wanted.directory.map_or_else(|| template_directory.join(BUILD), Path::to_owned);
    let mut input = inputs::read(template, wanted.command, Values::Keep, inputs, is_strict)?;
    input.options.unresolved_loops = UnresolvedLoops::WithoutValue;
    for (name, value) in wanted.pseudo {
        if !input.options.pseudo.iter().any(|(known, _)| *known == name) {
            input.options.pseudo.push((name, value));
        }
    }
    let mut selection = wanted.selection;
    selection.excluded.append(&mut input.excluded);
    let directory = build_directory(&named, Some(input.host.root()))?;
    check_directory(&directory, template_directory, input.host.root())?;
    let mut live = wanted.live;
    let (analysis, _) = live.analyze(&input, Goal::Package, None)?;
    let errors = live.warnings(0, input.options.strict);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let loader = input.host.loader().clone();
    let request = BuildRequest {
        survey: Request {
            directory: template_directory,
            analysis: &analysis,
            project_root: input.host.root(),
            output: None,
            format: None,
            records: false,
            // Packaging fixes the collections of loops, and reports it.
            deploys: false,
            symlinks: Symlinks::Follow,
            left_out: vec![directory.clone()],
            destination: None,
            repositories: None,
            checks_nested: true,
        },
        base: wanted.base_dir,
        directory: &directory,
        template: &absolute(template)?,
        selection,
        options: BuildOptions {
            is_cached: wanted.is_cached,
            jobs: wanted.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from)),
            format: wanted.format,
            path: SearchPath::new(&path),
            interrupt,
            observer,
        },
        inputs: &|| loader.files(),
    };
    let mut outcome = formwork_build::build(&request)
        .map_err(|error| format!("{} cannot be written: {error}", directory.display()))?;
    outcome.add(errors);
    Ok(Finished { outcome, input, live })
}

/// Returns the absolute path of a build directory, to which no link leads.
///
/// # Errors
/// When a link leads there, or the working directory does not exist.
pub fn build_directory(named: &Path, root: Option<&Path>) -> Result<PathBuf, String> {
    refuse_links_to(named, root).map_err(|error| format!("{} cannot be written: {error}", named.display()))?;
    absolute(named)
}

/// Returns the absolute path of a file, with the links in front of its name resolved.
///
/// # Errors
/// When the working directory does not exist.
pub fn absolute(path: &Path) -> Result<PathBuf, String> {
    let full = std::path::absolute(path).map_err(|error| format!("{} cannot be used: {error}", path.display()))?;
    // Links in its parent directories are resolved once, here.
    let (parent, name) = (full.parent().map(Path::canonicalize), full.file_name());
    Ok(match (parent, name) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => full,
    })
}

/// Checks that the build directory has no other use: it is written completely, and everything that is no longer an
/// artifact is removed from it.
fn check_directory(directory: &Path, template_directory: &Path, root: &Path) -> Result<(), String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(template_directory).starts_with(real(directory)) || root.starts_with(real(directory)) {
        let shown = directory.display();
        return Err(format!("the build directory {shown} holds the template: name a separate directory with `-b DIR`"));
    }
    if directory.exists() && !directory.is_dir() {
        return Err(format!("the build directory {} is a file", directory.display()));
    }
    Ok(())
}
