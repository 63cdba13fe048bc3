//! `formwork package`

use std::path::Path;

use formwork::{Analysis, Choices, Diagnostic, Format, Goal, UnresolvedLoops, Values};
use formwork_run::console::configured;
use formwork_upload::{Prepared, Request, UploadFailure};

use crate::args::{PackageArgs, format_of_file};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::live::Live;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::upload::{Delivered, Upload};
use crate::{Status, inputs, output, terminal};

pub(crate) fn run(args: &PackageArgs) -> Result<Status, Failure> {
    let timings = super::timings::Timings::new(args.report.timings);
    let template = &crate::default_template::named_or_built(args.template.as_ref().or(args.template_file.as_ref()))?;
    let outputs = Outputs::new(&[("-o", args.output.as_deref())], args.inputs.live.record_account.as_deref());
    outputs.check(&args.inputs.named_files(template.as_path()))?;
    let mut input = inputs::read(template, "package", Values::Keep, &args.inputs, args.report.strict)?;
    input.options.serverless = args.serverless.choice();
    // With `--expand` every loop needs its items.
    input.options.unresolved_loops = if args.expand || args.serverless.serverless {
        UnresolvedLoops::Undeclared
    } else {
        UnresolvedLoops::WithoutValue
    };
    input.options.modules =
        Choices { metrics: args.metrics, metadata_source_map: args.metadata_source_map, ..Choices::default() };
    let upload = Upload::new(
        &args.upload,
        &args.inputs.live.aws,
        &input.upload,
        input.region.as_deref(),
        input.upload.stack_name.as_deref(),
    )?;
    let mut live = Live::with_uploads(&args.inputs, upload.is_remote() && !args.plan)?;
    let (analysis, _) = live.analyze(&input, Goal::Package, None)?;
    let errors = live.warnings(0, input.options.strict);
    timings.begin("prepare");
    let mut prepared = prepare(args, template, &input, &analysis, &upload);
    prepared.add(errors);
    if let Some(status) = interrupted(&upload) {
        return Ok(status);
    }
    // A build has the same warnings.
    if !crate::default_template::is_built(template) {
        configured::say_warnings(&args.report, prepared.warnings());
    }
    let mut reporter = Reporter::new(&args.report);
    for result in prepared.reports() {
        reporter.print(result);
    }
    if prepared.has_errors() {
        reporter.finish("; nothing was uploaded and no template was written");
        return Ok(Status::Errors);
    }
    for file in prepared.files() {
        input.host.loader().note(file);
    }
    outputs.keep_inputs(input.host.loader())?;
    live.write_record()?;
    if args.plan {
        write_plan(args, &prepared, &upload)?;
        reporter.finish("");
        return Ok(Status::Done);
    }
    timings.begin("upload");
    let (uploaded, delivered) = upload.all(&prepared, args.report.progress(&args.upload));
    if let Some(status) = interrupted(&upload) {
        return Ok(status);
    }
    if let Err(errors) = delivered {
        if let Some(root) = prepared.units.last() {
            let errors: Vec<Diagnostic> = errors.iter().map(UploadFailure::diagnostic).collect();
            reporter.print_more(&errors, root.compilation());
        }
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    }
    timings.begin("emit");
    output::write(args.output.as_deref(), |out| out.write_all(&prepared.text))?;
    #[cfg(feature = "aws")]
    input.host.write_lock()?;
    reporter.finish("");
    if !args.report.quiet {
        terminal::say_done(&summary(args, &prepared, &uploaded));
    }
    if args.report.timings {
        timings.print();
    }
    Ok(Status::Done)
}

fn write_plan(args: &PackageArgs, prepared: &Prepared, upload: &Upload) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&formwork_upload::upload_manifest(prepared, &upload.unnamed()))
        .map_err(|error| format!("the plan cannot be written: {error}"))?;
    let text = formwork::display::escape_json(&text);
    output::write(args.output.as_deref(), |out| writeln!(out, "{text}"))
}

/// Reads the files of a template, and decides their locations. Nothing is sent.
fn prepare(args: &PackageArgs, template: &Path, input: &Input, analysis: &Analysis<'_>, upload: &Upload) -> Prepared {
    let planned = || Ok(upload.unnamed());
    let found = || upload.destination();
    let planned_repositories = |functions: &[String]| upload.planned_repositories(functions);
    let repositories = |functions: &[String]| upload.repositories(functions);
    let left_out = args.output.iter().cloned().chain(upload.store_directory()).collect();
    formwork_upload::prepare(&Request {
        directory: inputs::folder(template),
        analysis,
        project_root: input.host.root(),
        output: args.expand.then_some(formwork::package::Output::Expanded),
        format: format(args),
        records: args.record,
        deploys: false,
        symlinks: args.symlinks,
        left_out,
        destination: match (args.plan, upload.is_somewhere()) {
            // A plan sends no queries.
            (true, _) => Some(&planned),
            (false, true) => Some(&found),
            (false, false) => None,
        },
        repositories: match (args.plan, upload.has_repositories()) {
            (true, _) => Some(&planned_repositories),
            (false, true) => Some(&repositories),
            (false, false) => None,
        },
        checks_nested: true,
    })
}

fn summary(args: &PackageArgs, prepared: &Prepared, delivered: &[Delivered]) -> String {
    let (all, sent) = (prepared.uploads(), delivered.iter().filter(|one| one.sent.is_some()).count());
    let uploaded = match all {
        0 => "Nothing had to be uploaded".to_owned(),
        1 => format!("Uploaded {sent} of 1 artifact"),
        _ => format!("Uploaded {sent} of {all} artifacts"),
    };
    match &args.output {
        Some(path) => format!("{uploaded}; wrote {}", path.display()),
        None => uploaded,
    }
}

fn format(args: &PackageArgs) -> Option<Format> {
    if args.use_json {
        return Some(Format::Json);
    }
    args.format.or_else(|| format_of_file(args.output.as_deref()?))
}

/// The status of a run that was interrupted. Its incomplete work was undone.
#[cfg(feature = "aws")]
fn interrupted(upload: &Upload) -> Option<Status> {
    upload.is_interrupted().then(|| {
        crate::terminal::say_line("interrupted; no template was written");
        Status::Interrupted
    })
}

#[cfg(not(feature = "aws"))]
fn interrupted(_: &Upload) -> Option<Status> {
    None
}
