//! Conversion between URIs and paths.

use std::path::{Path, PathBuf};

use formwork::disk::without_dots;
use formwork::percent;

pub(crate) const EXPANDED: &str = "formwork-expanded:";

/// The path of a document: that of a file, else one that no file has.
pub(crate) fn to_path(uri: &str) -> PathBuf {
    let decoded = percent::decoded(uri);
    let Some(rest) = decoded.strip_prefix("file://") else {
        let name: String = decoded.chars().map(|c| if c == ':' { '/' } else { c }).collect();
        return without_dots(Path::new(&format!("/.unsaved/{name}")));
    };
    // A host may be in front of the path.
    let path = rest.find('/').map_or("/", |at| rest.get(at..).unwrap_or("/"));
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    without_dots(Path::new(if is_drive { path.trim_start_matches('/') } else { path }))
}

pub(crate) fn of_path(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encode(&text))
}

/// Percent-encodes the characters that are not allowed in the path of a URI.
pub(crate) fn encode(text: &str) -> String {
    percent::encoded(text, b"/!$&'()*+,;=@")
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
        assert_eq!(percent::decoded("%E4%B8"), "\u{fffd}");
        assert_eq!(percent::decoded("100%"), "100%");
    }
}
