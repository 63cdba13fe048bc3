//! A host without files.

use formwork::{FileBytes, Host, ReadError, VirtualPath};

const WHY: &str =
    "the macro reads no files; run `formwork expand` or `formwork package` before the template is uploaded";

/// A host without files: whether paths and addresses of the template exist stays unknown (reference/macro.md#sources).
pub(crate) struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &VirtualPath) -> Result<FileBytes, ReadError> {
        Err(ReadError::Other(WHY.to_owned()))
    }

    fn read_remote(&self, _: &str) -> Result<FileBytes, ReadError> {
        Err(ReadError::Refused(WHY.to_owned()))
    }
}
