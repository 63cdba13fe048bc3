//! Prepares the content of a push and the objects and images that it refers to (reference/sync.md#code).

use std::cell::OnceCell;
use std::io::Read;

use formwork_run::upload::Upload;
use formwork_upload::{Artifact, NamedImages, Payload, PushedImage};

use super::snapshot::Taken;
use crate::{ArtifactId, LambdaCode, PushError};

pub(super) fn document(artifact: Artifact<'_>) -> Result<Vec<u8>, PushError> {
    let mut content = Vec::new();
    let read = artifact.payload().and_then(|mut payload| payload.read_to_end(&mut content));
    read.map_err(|error| PushError::Unfit(format!("the file cannot be read: {error}")))?;
    Ok(content)
}

/// Creates a zip for Lambda; one that is too large for a request is uploaded to the bucket.
pub(super) fn zip(artifact: Artifact<'_>, upload: &Upload) -> Result<LambdaCode, PushError> {
    let code = LambdaCode::new(document(artifact)?);
    if !code.is_too_large() || !upload.is_s3() {
        return Ok(code);
    }
    let destination = upload.destination();
    let destination = destination.map_err(|why| not_stored(upload, why.message.clone(), why.help.join("; ")))?;
    let (Some(uploader), Some(key)) = (upload.uploader(), artifact.key()) else { return Ok(code) };
    let key = destination.key(key, None);
    let put = uploader.put(&key, &mut Payload::memory(code.zip().to_vec()));
    put.map_err(|error| {
        let why = format!("the zip could not be uploaded: {error}");
        not_stored(upload, why, error.help.unwrap_or_default())
    })?;
    Ok(code.stored_at(destination.bucket, key))
}

/// The error of a rejecting bucket or repository; `Interrupted` when the run was interrupted.
fn not_stored(upload: &Upload, why: String, help: String) -> PushError {
    if upload.is_interrupted() { PushError::Interrupted } else { PushError::NotStored { why, help } }
}

/// The images of a round. Their repositories are looked up when the first one is pushed.
pub(super) struct Images<'r> {
    taken: &'r Taken,
    pub(super) upload: &'r Upload,
    named: OnceCell<NamedImages>,
}

impl<'r> Images<'r> {
    pub(super) fn new(taken: &'r Taken, upload: &'r Upload) -> Images<'r> {
        Images { taken, upload, named: OnceCell::new() }
    }

    /// Pushes the image of a function, unless its repository has it.
    pub(super) fn push(&self, id: &ArtifactId) -> Result<PushedImage, PushError> {
        let nothing = || PushError::Unfit("its image is not known".to_owned());
        let pushed = self.upload.image(&self.taken.prepared, self.named()?, self.taken.place(id).ok_or_else(nothing)?);
        let pushed = pushed.map_err(|error| {
            let why = format!("the image could not be pushed: {}", error.message);
            not_stored(self.upload, why, error.help.unwrap_or_default())
        })?;
        pushed.ok_or_else(nothing)
    }

    fn named(&self) -> Result<&NamedImages, PushError> {
        if let Some(known) = self.named.get() {
            return Ok(known);
        }
        let find = |functions: &[String]| self.upload.repositories(functions);
        let named = self.taken.prepared.name_images(&find);
        let named = named.map_err(|why| not_stored(self.upload, why.message.clone(), why.help.join("; ")))?;
        Ok(self.named.get_or_init(|| named))
    }
}
