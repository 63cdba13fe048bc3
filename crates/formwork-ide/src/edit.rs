//! Edits of files.

use formwork_base::VirtualPath;

/// A replacement of the bytes from `start` up to, not including, `end` of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The first byte that is replaced.
    pub start: u32,
    /// The offset after the last byte that is replaced.
    pub end: u32,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Creates an edit that replaces a range.
    pub fn new(start: u32, end: u32, text: impl Into<String>) -> Edit {
        Edit { start, end, text: text.into() }
    }

    /// Creates an edit that inserts at an offset.
    pub fn insert(at: u32, text: impl Into<String>) -> Edit {
        Edit::new(at, at, text)
    }
}

/// The edits of one file, in order and without overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEdits {
    /// The file.
    pub file: VirtualPath,
    /// `true` if the file does not exist yet.
    pub is_new: bool,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// Applies edits, which are in order and do not overlap, to a text. Edits outside of it are left out.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (Some(before), true) = (text.get(at..edit.start as usize), edit.start <= edit.end) else { continue };
        out.push_str(before);
        out.push_str(&edit.text);
        at = edit.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_order() {
        let edits = [Edit::new(0, 1, "x"), Edit::insert(2, "y"), Edit::new(3, 3, "z")];
        assert_eq!(apply("abc", &edits), "xbycz");
        assert_eq!(apply("abc", &[Edit::new(9, 9, "x")]), "abc");
    }
}
