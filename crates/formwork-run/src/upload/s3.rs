//! An S3 bucket, which is looked up when it is first needed.

use std::cell::OnceCell;
use std::rc::Rc;

use formwork::{Diagnostic, codes};
use formwork_aws::{AwsError, Bucket, Holding, Settings, managed_bucket};
use formwork_upload::{Payload, Presence, UploadError, Uploader};

use super::stop::Stop;

/// A bucket of the command line, or the one that SAM CLI manages.
pub(crate) struct S3 {
    settings: Settings,
    /// `None` for the managed one.
    bucket: Option<String>,
    upload: formwork_aws::Upload,
    stop: Rc<Stop>,
    opened: OnceCell<Opened>,
}

impl S3 {
    pub(crate) fn new(settings: Settings, bucket: Option<&str>, upload: formwork_aws::Upload, stop: Rc<Stop>) -> S3 {
        let bucket = bucket.map(str::to_owned);
        S3 { settings, bucket, upload, stop, opened: OnceCell::new() }
    }

    /// Returns the bucket, and listens to Ctrl-C from then on, so that multipart uploads are aborted.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(crate) fn opened(&self) -> Result<&Opened, Box<Diagnostic>> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let interrupt = self.stop.listen();
        let name = match &self.bucket {
            Some(name) => name.clone(),
            None => managed_bucket(&self.settings, interrupt).map_err(unusable)?,
        };
        let bucket = Bucket::open(&self.settings, &name, self.upload.clone(), interrupt.clone()).map_err(unusable)?;
        Ok(self.opened.get_or_init(|| Opened { name, bucket }))
    }

    pub(crate) fn uploader(&self) -> Option<&dyn Uploader> {
        self.opened.get().map(|opened| opened as &dyn Uploader)
    }
}

pub(crate) struct Opened {
    name: String,
    bucket: Bucket,
}

impl Opened {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn endpoint(&self) -> &str {
        self.bucket.endpoint()
    }
}

impl Uploader for Opened {
    fn presence(&self, key: &str) -> Result<Presence, UploadError> {
        match self.bucket.holds(key) {
            Ok(Holding::There) => Ok(Presence::There),
            Ok(Holding::Missing) => Ok(Presence::Missing),
            Ok(Holding::Hidden(why)) => Ok(Presence::Hidden(why)),
            Err(error) => Err(refused(error)),
        }
    }

    fn put(&self, key: &str, content: &mut Payload) -> Result<(), UploadError> {
        let size = content.size();
        self.bucket.put(key, content, size).map_err(refused)
    }
}

fn words(error: &AwsError) -> String {
    match &error.detail {
        Some(detail) => format!("{}: `{detail}`", error.message),
        None => error.message.clone(),
    }
}

pub(crate) fn refused(error: AwsError) -> UploadError {
    let (message, help) = (words(&error), error.help.clone());
    UploadError { help: Some(help), ..UploadError::new(message).caused_by(error) }
}

pub(crate) fn unusable(error: AwsError) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::BUCKET, words(&error)).help(error.help))
}
