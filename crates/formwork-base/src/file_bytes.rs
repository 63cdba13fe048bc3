//! The content of files, held once: as bytes, and as UTF-8 text if possible.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The bytes of a file as they are on disk. Copies share them, and so does the text of a file in UTF-8: writing new
/// pages of memory is the largest cost of reading a large file.
#[derive(Clone)]
pub struct FileBytes(Content);

#[derive(Clone)]
enum Content {
    Utf8(FileText),
    Other(Arc<Vec<u8>>),
}

impl FileBytes {
    /// Returns the same memory as text if all of it is UTF-8, including the byte order mark if it has one.
    pub fn as_text(&self) -> Option<&FileText> {
        match &self.0 {
            Content::Utf8(text) => Some(text),
            Content::Other(_) => None,
        }
    }

    /// Returns `true` when both share the same memory.
    pub fn is_same(&self, other: &FileBytes) -> bool {
        match (&self.0, &other.0) {
            (Content::Utf8(a), Content::Utf8(b)) => Arc::ptr_eq(&a.0, &b.0),
            (Content::Other(a), Content::Other(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Content::Utf8(text) => text.as_bytes(),
            Content::Other(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> FileBytes {
        FileBytes(match String::from_utf8(bytes) {
            Ok(text) => Content::Utf8(FileText::from(text)),
            Err(error) => Content::Other(Arc::new(error.into_bytes())),
        })
    }
}

impl From<&[u8]> for FileBytes {
    fn from(bytes: &[u8]) -> FileBytes {
        bytes.to_vec().into()
    }
}

impl<const N: usize> From<&[u8; N]> for FileBytes {
    fn from(bytes: &[u8; N]) -> FileBytes {
        bytes.to_vec().into()
    }
}

impl From<String> for FileBytes {
    fn from(text: String) -> FileBytes {
        FileBytes(Content::Utf8(FileText::from(text)))
    }
}

/// Shares the memory of the text.
impl From<FileText> for FileBytes {
    fn from(text: FileText) -> FileBytes {
        FileBytes(Content::Utf8(text))
    }
}

impl From<&str> for FileBytes {
    fn from(text: &str) -> FileBytes {
        text.to_owned().into()
    }
}

impl PartialEq for FileBytes {
    fn eq(&self, other: &FileBytes) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl Eq for FileBytes {}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Utf8(text) => text.fmt(f),
            Content::Other(bytes) => bytes.fmt(f),
        }
    }
}

/// The text of a file. Copies share it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FileText(Arc<String>);

impl Deref for FileText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for FileText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl From<String> for FileText {
    fn from(text: String) -> FileText {
        FileText(Arc::new(text))
    }
}

impl From<&str> for FileText {
    fn from(text: &str) -> FileText {
        text.to_owned().into()
    }
}

impl fmt::Debug for FileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Display for FileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_text_are_the_same_memory() {
        let bytes = FileBytes::from("a: é\n".as_bytes().to_vec());
        let text = bytes.as_text().expect("it is UTF-8").clone();
        assert_eq!(text.as_ptr(), bytes.as_ptr());
        assert!(bytes.is_same(&bytes.clone()));
        let other = FileBytes::from(b"a: \xe9\n");
        assert!(other.as_text().is_none());
        assert_eq!(&*other, b"a: \xe9\n");
        assert_ne!(bytes, other);
        assert_eq!(bytes, FileBytes::from("a: é\n"));
    }
}
