//! Packaging as a part of a deployment: what the template names is uploaded, and so is the template
//! itself when it is too large for a request.

use std::sync::atomic::{AtomicBool, Ordering};

use formwork::Severity;
use formwork_deliver::{Delivery, Destination, Fault, Prepared, Progress, Uploader};
use formwork_deploy::TemplateSource;
use formwork_report::{Remark, printable};

use super::super::package::Upload;
use super::body::{self, TemplateStore, Unsendable};
use super::voice::Voice;
use super::{End, local};
use crate::Status;
use crate::args::UploadArgs;
use crate::report::Reporter;

/// Says what packaging found, and uploads what is not there. `before` is what was said already.
pub(super) fn upload(
    prepared: &Prepared,
    before: &[formwork::Diagnostic],
    upload: &Upload,
    args: &UploadArgs,
    reporter: &mut Reporter<'_>,
    voice: &Voice<'_>,
) -> Result<(), End> {
    let mut has_errors = false;
    for unit in &prepared.units {
        let news = local::news(unit.compilation.diagnostics(), before);
        has_errors |= news.iter().any(|one| one.severity == Severity::Error);
        if !news.is_empty() {
            reporter.print_more(&news, &unit.compilation);
        }
    }
    if has_errors || prepared.has_errors() {
        voice.tell("nothing was uploaded and nothing was deployed");
        return Err(End::With(Status::NotPackaged));
    }
    let Some(uploader) = upload.uploader.as_deref().filter(|_| !prepared.objects.is_empty()) else { return Ok(()) };
    let is_told = AtomicBool::new(false);
    // Calls come from several threads; what is said is gathered.
    let lines = std::sync::Mutex::new(Vec::new());
    let observer = |progress: Progress<'_>| {
        let line = match progress {
            // One reason holds for the bucket as a whole.
            Progress::Hidden(_, why) if !is_told.swap(true, Ordering::Relaxed) => {
                format!("warning: {why}; objects are uploaded whether or not they are there")
            }
            Progress::Uploaded(key, bytes) if !args.no_progressbar => format!("uploaded {key} ({bytes} bytes)"),
            _ => return,
        };
        if let Ok(mut lines) = lines.lock() {
            lines.push(line);
        }
    };
    let how = Delivery { force: args.force_upload, concurrency: args.concurrency };
    let result = formwork_deliver::deliver(prepared, uploader, how, &observer);
    let mut lines = lines.into_inner().unwrap_or_default();
    lines.sort();
    for line in lines {
        voice.tell(&printable(&line));
    }
    result.map_err(|faults| {
        if let Some(root) = prepared.units.last() {
            let faults: Vec<formwork::Diagnostic> = faults.iter().map(Fault::diagnostic).collect();
            reporter.print_more(&faults, &root.compilation);
        }
        voice.tell("nothing was deployed");
        End::With(Status::NotPackaged)
    })
}

/// The packaged template as the service takes it.
pub(super) fn template(prepared: &Prepared, upload: &Upload, voice: &Voice<'_>) -> Result<TemplateSource, End> {
    let text = prepared.units.last().map_or_else(String::new, |root| root.compilation.to_string(None));
    let bucket = upload.uploader.as_deref().zip(upload.destination.as_ref());
    let bucket = bucket.map(|(uploader, destination)| Bucket { uploader, destination });
    match body::prepare(text, bucket.as_ref().map(|bucket| bucket as &dyn TemplateStore)) {
        Ok(body) => {
            if let Some(note) = &body.note {
                voice.tell(&format!("note: {note}"));
            }
            Ok(body.source)
        }
        Err(Unsendable::TooLarge(why)) => {
            voice.remark(&Remark::error(why), None);
            Err(End::With(Status::Trouble))
        }
        Err(Unsendable::NotStored(why)) => {
            voice.remark(&Remark::error(format!("the template could not be uploaded: {why}")), None);
            Err(End::With(Status::NotPackaged))
        }
    }
}

/// The bucket that templates go to.
struct Bucket<'b> {
    uploader: &'b dyn Uploader,
    destination: &'b Destination,
}

impl TemplateStore for Bucket<'_> {
    fn put(&self, text: &str) -> Result<String, String> {
        formwork_deliver::store_template(text, self.destination, self.uploader).map_err(|error| error.to_string())
    }
}
