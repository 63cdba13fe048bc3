//! Paths that are the same on every platform.

use std::fmt;
use std::sync::Arc;

/// The path of a file relative to the directory of the root template, with `/` between its parts. `..` parts may occur
/// at its front; `.` parts and doubled separators never occur. Absolute paths keep their leading `/`. No method touches
/// a disk. A clone is cheap: places in files have one each.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VirtualPath(Arc<str>);

impl VirtualPath {
    /// Normalises `path`: `\` is read as `/`, `.` and inner `..` parts are resolved.
    pub fn new(path: &str) -> VirtualPath {
        let slashed = path.replace('\\', "/");
        let absolute = slashed.starts_with('/');
        let mut parts: Vec<&str> = Vec::new();
        for part in slashed.split('/') {
            match part {
                "" | "." => {}
                ".." => match parts.last() {
                    Some(&"..") | None if !absolute => parts.push(".."),
                    None => {}
                    Some(_) => {
                        parts.pop();
                    }
                },
                part => parts.push(part),
            }
        }
        let joined = parts.join("/");
        VirtualPath(if absolute { format!("/{joined}").into() } else { joined.into() })
    }

    /// Returns the path of standard input in reports.
    pub fn stdin() -> VirtualPath {
        VirtualPath("stdin".into())
    }

    /// Resolves `relative` from the directory of this file.
    #[must_use]
    pub fn sibling(&self, relative: &str) -> VirtualPath {
        if relative.starts_with('/') {
            return VirtualPath::new(relative);
        }
        match self.0.rfind('/') {
            Some(at) => VirtualPath::new(&format!("{}/{relative}", &self.0[..at])),
            None => VirtualPath::new(relative),
        }
    }

    /// Returns the last part of the path.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns the part of the file name after its last dot, if any.
    pub fn extension(&self) -> Option<&str> {
        self.file_name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// Returns the path as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl serde::Serialize for VirtualPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for VirtualPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalises() {
        for (given, want) in [
            ("./a//b.yaml", "a/b.yaml"),
            ("a/../b.yaml", "b.yaml"),
            ("../x/./y", "../x/y"),
            ("../../x", "../../x"),
            ("a\\b", "a/b"),
            ("/a/../../b", "/b"),
        ] {
            assert_eq!(VirtualPath::new(given).as_str(), want, "{given}");
        }
    }

    #[test]
    fn siblings_are_relative_to_the_folder_of_the_file() {
        let file = VirtualPath::new("modules/net/vpc.yaml");
        assert_eq!(file.sibling("../a.yaml").as_str(), "modules/a.yaml");
        assert_eq!(VirtualPath::new("t.yaml").sibling("x.yaml").as_str(), "x.yaml");
        assert_eq!(file.sibling("/etc/x").as_str(), "/etc/x");
    }
}
