//! Between addresses and paths.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// The scheme of views.
pub(crate) const EXPANDED: &str = "formwork-expanded:";

/// The path of a document: that of a file, else one that no file has.
pub(crate) fn to_path(uri: &str) -> PathBuf {
    let decoded = decode(uri);
    let Some(rest) = decoded.strip_prefix("file://") else {
        let name: String = decoded.chars().map(|c| if c == ':' { '/' } else { c }).collect();
        return normal(Path::new(&format!("/.unsaved/{name}")));
    };
    // A host may be in front of the path.
    let path = rest.find('/').map_or("/", |at| rest.get(at..).unwrap_or("/"));
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    normal(Path::new(if is_drive { path.trim_start_matches('/') } else { path }))
}

/// A path without `.` and `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The address of a file.
pub(crate) fn of_path(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encode(&text))
}

/// Percent-encodes what may not be in the path of an address.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
        if is_plain {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Undoes percent-encoding; what is not one stays.
pub(crate) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(decoded.unwrap_or(byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses() {
        for path in ["/a/b.yaml", "/a b/ü:?#.yaml"] {
            assert_eq!(to_path(&of_path(Path::new(path))), Path::new(path));
        }
        assert_eq!(of_path(Path::new("/a b/c.yaml")), "file:///a%20b/c.yaml");
        assert_eq!(to_path("file:///a/./b/../c.yaml"), Path::new("/a/c.yaml"));
        assert_eq!(to_path("untitled:Untitled-1"), Path::new("/.unsaved/untitled/Untitled-1"));
        assert_eq!(decode("%E4%B8"), "\u{fffd}");
        assert_eq!(decode("100%"), "100%");
    }
}
