//! Packaging as a part of a deployment: uploads the artifacts of the template, and the template itself when it is too
//! large for a request.

use formwork_deploy::{TemplateBody, TemplateBodyError, TemplateSource, TemplateStore};
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::upload::{ProgressStyle, Upload};
use formwork_upload::{Prepared, UploadFailure};

use super::Exit;
use super::reporter::DeployReporter;

/// Prints the diagnostics of packaging, and uploads the objects that do not exist.
///
/// # Errors
/// When an artifact cannot be packaged or uploaded, or the run was interrupted; everything is printed.
pub fn upload(
    prepared: &Prepared,
    upload: &Upload,
    style: ProgressStyle,
    reporter: &mut DeployReporter<'_>,
) -> Result<(), Exit> {
    interrupted(upload, reporter)?;
    // The check has counted the templates without diagnostics.
    for report in prepared.reports().iter().filter(|report| !report.diagnostics().is_empty()) {
        reporter.more_diagnostics(report.diagnostics(), report.compilation());
    }
    if prepared.has_errors() {
        reporter.print_line("nothing was uploaded and nothing was deployed");
        return Err(Exit::Status(Status::NotPackaged));
    }
    let (delivered, result) = upload.all(prepared, style);
    reporter.set_uploads(delivered);
    interrupted(upload, reporter)?;
    result.map_err(|errors| {
        if let Some(root) = prepared.units.last() {
            let errors: Vec<formwork::Diagnostic> = errors.iter().map(UploadFailure::diagnostic).collect();
            reporter.more_diagnostics(&errors, root.compilation());
        }
        reporter.print_line("nothing was deployed");
        Exit::Status(Status::NotPackaged)
    })
}

/// Exits an interrupted run. Unfinished uploads were aborted.
fn interrupted(upload: &Upload, reporter: &mut DeployReporter<'_>) -> Result<(), Exit> {
    if !upload.is_interrupted() {
        return Ok(());
    }
    reporter.print(&Notice::warning("interrupted: nothing was deployed"), None);
    Err(Exit::Status(Status::Interrupted))
}

/// Returns the packaged template in the form that is sent.
///
/// # Errors
/// When the template is too large and cannot be stored; everything is printed.
pub fn template(
    prepared: &Prepared,
    upload: &Upload,
    reporter: &mut DeployReporter<'_>,
) -> Result<TemplateSource, Exit> {
    let text = prepared.units.last().and_then(|root| root.packaging.output().ok());
    let text = text.map_or_else(String::new, |packaged| packaged.render(None));
    let store = upload.is_somewhere().then_some(Store(upload));
    match TemplateBody::new(text, store.as_ref()) {
        Ok(body) => {
            if let Some((bytes, sent)) = body.minified {
                let limit = TemplateBody::INLINE;
                let why = match &body.source {
                    TemplateSource::Body(_) => format!(", {sent} bytes, to stay below {limit}"),
                    TemplateSource::Url(_) => String::new(),
                };
                reporter.print_line(&format!(
                    "note: the template has {bytes} bytes: it is sent as JSON without white space{why}"
                ));
            }
            Ok(body.source)
        }
        Err(TemplateBodyError::NotStored(why)) => {
            reporter.print(&Notice::error(format!("the template could not be uploaded: {why}")), None);
            Err(Exit::Status(Status::NotPackaged))
        }
        Err(error) => {
            reporter.print(&Notice::error(error.to_string()), None);
            Err(Exit::Status(Status::Failed))
        }
    }
}

/// Stores templates that are too large for a request with the other uploads.
#[derive(Clone, Copy)]
pub struct Store<'u>(pub &'u Upload);

impl TemplateStore for Store<'_> {
    type Error = String;

    fn put(&self, text: &str) -> Result<String, String> {
        let destination = self.0.destination().map_err(|why| why.message)?;
        let uploader = self.0.uploader().ok_or("no bucket is configured")?;
        formwork_upload::store_template(text, &destination, uploader).map_err(|error| error.to_string())
    }
}
