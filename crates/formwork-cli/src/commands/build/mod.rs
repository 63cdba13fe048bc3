//! `formwork build` (reference/build.md).

pub(super) mod interrupt;
mod progress;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use formwork::disk::refuse_links_to;
use formwork::{Format, Goal, PseudoParameter, UnresolvedLoops, Values};
use formwork_build::{BuildOptions, BuildRequest, Outcome, SearchPath, Selection};
use formwork_upload::{Request, Symlinks};

use crate::args::{BuildArgs, FormatArg, InputArgs, ReportArgs};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::live::Live;
pub(super) use crate::project_host::shown;
use crate::report::Reporter;
use crate::terminal::say_line;
use crate::{Status, default_template, inputs};

use progress::Progress;

pub(crate) fn run(args: &BuildArgs) -> Result<Status, Failure> {
    let timings = super::timings::Timings::new(args.report.timings);
    let named = args.template.as_ref().or(args.template_file.as_ref());
    let template = match named {
        Some(template) => template.clone(),
        None => default_template::find()?,
    };
    timings.begin("build");
    let wanted = Wanted {
        command: "build",
        template: &template,
        directory: args.build_dir.as_deref(),
        base_dir: args.base_dir.as_deref(),
        selection: Selection {
            resources: args.resource.clone(),
            excluded: args.exclude.clone(),
            manifest: args.manifest.as_deref().map(readable).transpose()?,
            in_source: args.build_in_source,
            has_dependency_layers: args.dependency_layer,
        },
        is_cached: !args.no_cached,
        jobs: args.jobs,
        format: args.format.map(|format| match format {
            FormatArg::Yaml => Format::Yaml,
            FormatArg::Json => Format::Json,
        }),
        pseudo: Vec::new(),
        live: Live::new(&args.inputs)?,
        inputs: &args.inputs,
        report: &args.report,
    };
    let interrupt = interrupt::listen()?;
    let Finished { outcome, input, live } = perform(wanted, &interrupt)?;
    let mut reporter = Reporter::new(&args.report);
    for report in &outcome.reports {
        reporter.print(report);
    }
    if outcome.is_interrupted {
        say_line("interrupted; no template was written");
        return Ok(Status::Interrupted);
    }
    let Some(built) = outcome.template.filter(|_| !reporter.has_errors()) else {
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    };
    for warning in &outcome.warnings {
        say_line(&format!("warning: {warning}"));
    }
    live.write_record()?;
    #[cfg(feature = "aws")]
    input.host.write_lock()?;
    #[cfg(not(feature = "aws"))]
    drop(input);
    reporter.finish("");
    if !args.report.quiet {
        let of = outcome.sources;
        say_line(&format!("built {} of {of} sources; the template is {}", outcome.built, shown(&built).display()));
    }
    if args.report.timings {
        timings.print();
    }
    Ok(Status::Done)
}

/// What is built.
pub(super) struct Wanted<'a> {
    /// The command, for the configuration file.
    pub(super) command: &'static str,
    pub(super) template: &'a Path,
    /// The build directory; by default the one beside the template.
    pub(super) directory: Option<&'a Path>,
    /// Where paths of sources start; by default beside the template.
    pub(super) base_dir: Option<&'a Path>,
    pub(super) selection: Selection,
    pub(super) is_cached: bool,
    pub(super) jobs: Option<usize>,
    pub(super) format: Option<Format>,
    /// Values of pseudo parameters where no option sets them.
    pub(super) pseudo: Vec<(PseudoParameter, String)>,
    /// The source of account data.
    pub(super) live: Live,
    pub(super) inputs: &'a InputArgs,
    pub(super) report: &'a ReportArgs,
}

/// The outcome of a build, and the input that it read.
pub(super) struct Finished {
    pub(super) outcome: Outcome,
    pub(super) input: Input,
    pub(super) live: Live,
}

/// Builds. Only the progress is printed.
pub(super) fn perform(wanted: Wanted<'_>, interrupt: &AtomicBool) -> Result<Finished, Failure> {
    let Wanted { template, inputs, report, .. } = wanted;
    if template == Path::new("-") {
        let command = wanted.command;
        return Err(
            format!("`{command}` needs a template that is a file: the build directory is created beside it").into()
        );
    }
    let folder = inputs::folder(template);
    let named = wanted.directory.map_or_else(|| folder.join(default_template::BUILD), Path::to_owned);
    let mut input = inputs::read(template, wanted.command, Values::Keep, inputs, report.strict)?;
    input.options.unresolved_loops = UnresolvedLoops::WithoutValue;
    for (name, value) in wanted.pseudo {
        if !input.options.pseudo.iter().any(|(known, _)| *known == name) {
            input.options.pseudo.push((name, value));
        }
    }
    let directory = build_directory(&named, Some(input.host.root()))?;
    check_directory(&directory, folder, input.host.root())?;
    let mut live = wanted.live;
    let (analysis, _) = live.analyze(&input, Goal::Package, None)?;
    let troubles = live.warnings(0, input.options.strict);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let progress = Progress::new(report);
    let loader = input.host.loader().clone();
    let request = BuildRequest {
        survey: Request {
            folder,
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
        sources: wanted.base_dir.unwrap_or(folder),
        directory: &directory,
        template: &absolute(template)?,
        selection: wanted.selection,
        options: BuildOptions {
            is_cached: wanted.is_cached,
            jobs: wanted.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from)),
            format: wanted.format,
            path: SearchPath::new(&path),
            interrupt,
            observer: &|event| progress.tell(event),
        },
        inputs: &|| loader.files(),
    };
    let mut outcome = formwork_build::build(&request)
        .map_err(|error| format!("{} cannot be written: {error}", directory.display()))?;
    outcome.add(troubles);
    Ok(Finished { outcome, input, live })
}

/// The absolute path of a build directory, to which no link leads.
pub(super) fn build_directory(named: &Path, root: Option<&Path>) -> Result<PathBuf, String> {
    refuse_links_to(named, root).map_err(|error| format!("{} cannot be written: {error}", named.display()))?;
    absolute(named)
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, String> {
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
fn check_directory(directory: &Path, folder: &Path, root: &Path) -> Result<(), String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(folder).starts_with(real(directory)) || root.starts_with(real(directory)) {
        let shown = directory.display();
        return Err(format!("the build directory {shown} holds the template: name a separate directory with `-b DIR`"));
    }
    if directory.exists() && !directory.is_dir() {
        return Err(format!("the build directory {} is a file", directory.display()));
    }
    Ok(())
}

fn readable(path: &Path) -> Result<PathBuf, String> {
    let real = path.canonicalize().map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    if real.is_file() { Ok(real) } else { Err(format!("{} is not a file", path.display())) }
}
