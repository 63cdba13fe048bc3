//! Errors of an archive.

use std::io;
use std::sync::Arc;

use formwork_syntax::json::why_not;
use thiserror::Error;

/// The reason why an archive contains no image that can be pushed.
#[derive(Clone, Debug, Error)]
pub enum ImageError {
    /// The archive cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(Arc<io::Error>),
    /// The file is not a tar archive of an image.
    #[error("it is not a tar archive of an image")]
    NotAnArchive,
    /// The archive is compressed as a whole.
    #[error("it is compressed as a whole")]
    Compressed,
    /// The tar archive is damaged.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// A limit of size or number is exceeded.
    #[error("the archive has more than {0}: the limit is exceeded")]
    TooMany(String),
    /// A name leads out of the archive.
    #[error("the archive contains `{0}`, which is outside of it")]
    Outside(String),
    /// A file that another one refers to is missing.
    #[error("`{0}` is missing in the archive")]
    Missing(String),
    /// A link of the archive leads to itself.
    #[error("the link `{0}` in the archive is part of a cycle of links")]
    LinkLoop(String),
    /// The content of a file does not match its digest.
    #[error("`{0}` in the archive does not match its digest")]
    Changed(String),
    /// A file of the archive cannot be used.
    #[error("`{name}` in the archive cannot be used: {why}")]
    Unfit {
        /// The path of the file.
        name: String,
        /// The reason.
        why: String,
    },
    /// The archive contains several images.
    #[error("the archive contains {count} images: {names}", count = .0.len(), names = .0.join(", "))]
    Several(Vec<String>),
}

impl ImageError {
    pub(super) fn not_json(name: &str, bytes: &[u8]) -> ImageError {
        ImageError::unfit(name, format!("it is not JSON: {}", why_not(bytes)))
    }

    /// Returns the advice.
    pub fn help(&self) -> &'static str {
        match self {
            ImageError::Compressed => "unpack it: `gzip -d FILE`",
            ImageError::Several(_) => {
                "save one image for one platform: `docker save --output FILE NAME`, built with `--platform linux/amd64` or `linux/arm64`"
            }
            ImageError::Unreadable(_) => "correct the path, or the permissions of the file",
            _ => "write the archive again: `docker save --output FILE NAME`, or an OCI layout as a tar archive",
        }
    }

    pub(super) fn unfit(name: &str, why: impl Into<String>) -> ImageError {
        ImageError::Unfit { name: name.to_owned(), why: why.into() }
    }
}

impl From<io::Error> for ImageError {
    fn from(error: io::Error) -> ImageError {
        ImageError::Unreadable(Arc::new(error))
    }
}
