//! Packaging as a part of a deployment: what the template names is uploaded, and so is the template
//! itself when it is too large for a request.

use formwork_deliver::{Delivery, Fault, Prepared};
use formwork_deploy::TemplateSource;
use formwork_report::Remark;

use super::End;
use super::body::{self, TemplateStore, Unsendable};
use super::voice::Voice;
use crate::Status;
use crate::args::{ReportArgs, UploadArgs};
use crate::report::Reporter;
use crate::upload::{Progress, Upload};

/// Prints what packaging found, and uploads what is not there.
pub(super) fn upload(
    prepared: &Prepared,
    upload: &Upload,
    (args, report): (&UploadArgs, &ReportArgs),
    reporter: &mut Reporter<'_>,
    voice: &Voice<'_>,
) -> Result<(), End> {
    interrupted(upload, voice)?;
    let reports = prepared.units.iter().map(|unit| unit.packaging.report());
    // A template without anything to report was looked at, and counted, by the check.
    for report in reports.filter(|report| !report.diagnostics().is_empty()) {
        reporter.print_more(report.diagnostics(), report.compilation());
    }
    if prepared.has_errors() {
        voice.tell("nothing was uploaded and nothing was deployed");
        return Err(End::With(Status::NotPackaged));
    }
    let Some(uploader) = upload.uploader().filter(|_| !prepared.objects.is_empty()) else { return Ok(()) };
    let progress = Progress::new(prepared.objects.len(), args, report);
    let how = Delivery { force: args.force_upload, concurrency: args.concurrency };
    let result = formwork_deliver::deliver(prepared, uploader, how, &|event| progress.tell(event));
    interrupted(upload, voice)?;
    result.map_err(|faults| {
        if let Some(root) = prepared.units.last() {
            let faults: Vec<formwork::Diagnostic> = faults.iter().map(Fault::diagnostic).collect();
            reporter.print_more(&faults, root.compilation());
        }
        voice.tell("nothing was deployed");
        End::With(Status::NotPackaged)
    })
}

/// Ends a run that somebody ended. What was begun was taken back.
fn interrupted(upload: &Upload, voice: &Voice<'_>) -> Result<(), End> {
    if !upload.is_interrupted() {
        return Ok(());
    }
    voice.remark(&Remark::warning("interrupted: nothing was deployed"), None);
    Err(End::With(Status::Interrupted))
}

/// The packaged template as the service takes it.
pub(super) fn template(prepared: &Prepared, upload: &Upload, voice: &Voice<'_>) -> Result<TemplateSource, End> {
    let text = prepared.units.last().map_or_else(String::new, |root| root.packaging.to_string(None));
    let store = upload.is_somewhere().then_some(upload as &dyn TemplateStore);
    match body::prepare(text, store) {
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

impl TemplateStore for Upload {
    fn put(&self, text: &str) -> Result<String, String> {
        let destination = self.destination().map_err(|why| why.message)?;
        let uploader = self.uploader().ok_or("there is no bucket")?;
        formwork_deliver::store_template(text, &destination, uploader).map_err(|error| error.to_string())
    }
}
