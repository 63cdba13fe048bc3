//! `formwork build` (reference/build.md).

use std::path::{Path, PathBuf};

use formwork_build::Selection;
use formwork_run::build::{Finished, Wanted, perform};
use formwork_run::console::build_progress::BuildProgress;

use crate::args::BuildArgs;
use crate::failure::Failure;
use crate::live::Live;
use crate::project_host::shown;
use crate::report::Reporter;
use crate::terminal::say_line;
use crate::{Status, default_template, interrupt};

pub(crate) fn run(args: &BuildArgs) -> Result<Status, Failure> {
    let timings = super::timings::Timings::new(args.report.timings);
    let named = args.template.as_ref().or(args.template_file.as_ref());
    let template = default_template::named_or_own(named)?;
    timings.begin("build");
    let progress = BuildProgress::new(&args.report);
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
        format: args.format,
        pseudo: Vec::new(),
        live: Live::new(&args.inputs)?,
        inputs: &args.inputs,
        is_strict: args.report.strict,
        observer: &|event| progress.report(event),
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
    formwork_run::console::configured::say_warnings(&args.report, outcome.warnings);
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

fn readable(path: &Path) -> Result<PathBuf, String> {
    let real = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{}: no such file", path.display()),
        _ => format!("{} cannot be read: {error}", path.display()),
    })?;
    if real.is_file() { Ok(real) } else { Err(format!("{} is not a file", path.display())) }
}
