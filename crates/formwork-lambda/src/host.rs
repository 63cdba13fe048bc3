//! A host without files.

use formwork::{FileBytes, Host, ReadError, VirtualPath};

/// Why nothing is read, and what to do about it.
const WHY: &str =
    "the macro reads no files; run `formwork expand` or `formwork package` before the template is uploaded";

/// Nothing can be read beside the template: which of its paths and addresses lead anywhere stays unknown
/// (reference/macro.md#sources).
pub(crate) struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &VirtualPath) -> Result<FileBytes, ReadError> {
        Err(ReadError::Other(WHY.to_owned()))
    }

    fn read_remote(&self, _: &str) -> Result<FileBytes, ReadError> {
        Err(ReadError::Refused(WHY.to_owned()))
    }
}
