//! `formwork package`

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use formwork::{Diagnostic, Format, LeftLoops, Stage, Values};
use formwork_deliver::{Delivery, Destination, Fault, FolderStore, Prepared, Progress, Request, Symlinks, Uploader};

use crate::args::{FormatArg, PackageArgs, SymlinksArg, UploadArgs};
use crate::live::Live;
use crate::report::Reporter;
use crate::{Status, inputs, output};

pub(crate) fn run(args: &PackageArgs) -> Result<Status, String> {
    let timings = super::template::Timings::new();
    let template = args.template.as_ref().or(args.template_file.as_ref()).ok_or("no template is named")?;
    let folder = inputs::folder(template);
    let mut input = inputs::read(template, "package", Values::Keep, &args.inputs, &args.report)?;
    input.options.left_loops = LeftLoops::Undeclared;
    let troubles = Live::new(&args.inputs)?.learn(&mut input, Stage::Package)?;
    let upload = Upload::new(&args.upload, &input.upload, input.region.as_deref())?;
    let left_out = args.output.iter().cloned().chain(upload.store_folder()).collect();
    let request = Request {
        folder,
        path: input.path,
        bytes: input.bytes,
        host: &input.host,
        options: input.options,
        project_root: args.inputs.project_root.as_deref().unwrap_or(folder),
        output: args.expand.then_some(formwork::package::Output::Expanded),
        format: format(args),
        records: args.record,
        symlinks: match args.symlinks {
            SymlinksArg::Follow => Symlinks::Follow,
            SymlinksArg::Keep => Symlinks::Keep,
        },
        left_out,
        destination: upload.destination.clone().or_else(|| args.plan.then(|| upload.unnamed())),
    };
    timings.begin("prepare");
    let mut prepared = formwork_deliver::prepare(&request);
    if let Some(root) = prepared.units.last_mut() {
        root.compilation.report(troubles);
    }
    let mut reporter = Reporter::new(&args.report);
    for unit in &prepared.units {
        reporter.print(&unit.compilation);
    }
    if prepared.has_errors() {
        reporter.finish("; nothing was uploaded and no template was written");
        return Ok(Status::Errors);
    }
    if args.plan {
        let destination = upload.destination.clone().unwrap_or_else(|| upload.unnamed());
        let mut text = serde_json::to_string_pretty(&formwork_deliver::bill(&prepared, &destination))
            .map_err(|error| format!("the plan cannot be written: {error}"))?;
        text.push('\n');
        output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        reporter.finish("");
        return Ok(Status::Done);
    }
    timings.begin("upload");
    if let Err(faults) = deliver(&prepared, &upload, args) {
        if let Some(root) = prepared.units.last() {
            let faults: Vec<Diagnostic> = faults.iter().map(Fault::diagnostic).collect();
            reporter.print_more(&faults, &root.compilation);
        }
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    }
    timings.begin("emit");
    output::write(args.output.as_deref(), |out| out.write_all(&prepared.text))?;
    reporter.finish("");
    if args.report.timings {
        timings.print();
    }
    Ok(Status::Done)
}

fn format(args: &PackageArgs) -> Option<Format> {
    if args.use_json {
        return Some(Format::Json);
    }
    args.format.map(|format| match format {
        FormatArg::Yaml => Format::Yaml,
        FormatArg::Json => Format::Json,
    })
}

/// Uploads everything; a line for each object when someone is watching.
fn deliver(prepared: &Prepared, upload: &Upload, args: &PackageArgs) -> Result<(), Vec<Fault>> {
    let Some(uploader) = upload.uploader.as_deref().filter(|_| !prepared.objects.is_empty()) else { return Ok(()) };
    let shows = std::io::stderr().is_terminal() && !args.upload.no_progressbar && !args.report.quiet;
    let is_told = AtomicBool::new(false);
    let (done, all) = (AtomicUsize::new(0), prepared.objects.len());
    let percent = || (done.fetch_add(1, Ordering::Relaxed) + 1) * 100 / all.max(1);
    let observer = |progress: Progress<'_>| match progress {
        // One reason holds for the bucket as a whole.
        Progress::Hidden(_, why) if !args.report.quiet && !is_told.swap(true, Ordering::Relaxed) => {
            eprintln!("warning: {why}; objects are uploaded whether or not they are there");
        }
        Progress::Uploaded(key, bytes) if shows || args.report.verbose => {
            eprintln!("{:3} % uploaded {key} ({bytes} bytes)", percent());
        }
        Progress::There(key) if args.report.verbose => eprintln!("{:3} % {key} is there already", percent()),
        Progress::There(_) => {
            percent();
        }
        _ => {}
    };
    let how = Delivery { force: args.upload.force_upload, concurrency: args.upload.concurrency };
    formwork_deliver::deliver(prepared, uploader, how, &observer)
}

/// Where objects go.
pub(super) struct Upload {
    pub(super) destination: Option<Destination>,
    pub(super) uploader: Option<Box<dyn Uploader>>,
    folder: Option<PathBuf>,
    prefix: Option<String>,
    endpoint: String,
}

impl Upload {
    pub(super) fn new(args: &UploadArgs, configured: &inputs::Upload, region: Option<&str>) -> Result<Upload, String> {
        let prefix = args.s3_prefix.clone().or_else(|| configured.s3_prefix.clone());
        let endpoint = Destination::endpoint_of(region);
        let mut upload = Upload { destination: None, uploader: None, folder: None, prefix, endpoint };
        let Some(bucket) = args.s3_bucket.as_ref().or(configured.s3_bucket.as_ref()) else { return Ok(upload) };
        let Some(folder) = bucket.strip_prefix("file:") else {
            return Err(format!(
                "--s3-bucket {bucket}: this build uploads to folders alone: write `--s3-bucket file:DIR --bucket-name {bucket}`"
            ));
        };
        if folder.is_empty() {
            return Err("--s3-bucket file: names no folder: write `file:DIR`".to_owned());
        }
        let name = args.bucket_name.as_ref().ok_or_else(|| {
            format!("--s3-bucket {bucket} needs `--bucket-name NAME`: the bucket that the template names")
        })?;
        let folder = Path::new(folder);
        upload.uploader = Some(Box::new(FolderStore::new(folder)));
        upload.folder = Some(folder.to_owned());
        upload.destination = Some(Destination { bucket: name.clone(), ..upload.unnamed() });
        Ok(upload)
    }

    /// The destination of a plan, in which the bucket plays no part.
    fn unnamed(&self) -> Destination {
        Destination { bucket: String::new(), prefix: self.prefix.clone(), endpoint: self.endpoint.clone() }
    }

    /// The folder that stands in for a bucket; it may lie in a folder that is packaged.
    pub(super) fn store_folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }
}
