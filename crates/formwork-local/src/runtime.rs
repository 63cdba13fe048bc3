//! The names of Lambda runtimes.

/// The kind of program that runs a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Python.
    Python,
    /// Node.
    Node,
    /// The `bootstrap` of the artifact.
    Provided,
}

/// A runtime that can be run locally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runtime {
    /// Name, such as `python3.13`.
    pub name: String,
    /// The kind of program that runs it.
    pub family: Family,
    /// The required version: `3.13`, `22`; empty for `provided`.
    pub version: String,
}

impl Runtime {
    /// Returns the runtime with a name; `None` for those that cannot be run locally.
    pub fn parse(name: &str) -> Option<Runtime> {
        let (family, version) = if let Some(version) = name.strip_prefix("python") {
            (Family::Python, version.to_owned())
        } else if let Some(version) = name.strip_prefix("nodejs") {
            (Family::Node, version.split('.').next().unwrap_or_default().to_owned())
        } else if name == "go1.x" || name == "provided" || name.starts_with("provided.") {
            (Family::Provided, String::new())
        } else {
            return None;
        };
        Some(Runtime { name: name.to_owned(), family, version })
    }

    /// Returns the name of the file that inline code is written to.
    pub fn inline_file(&self) -> &'static str {
        match self.family {
            Family::Python => "index.py",
            Family::Node => "index.js",
            Family::Provided => "bootstrap",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_versions() {
        let parsed = |name| Runtime::parse(name).map(|runtime| (runtime.family, runtime.version));
        assert_eq!(parsed("python3.13"), Some((Family::Python, "3.13".into())));
        assert_eq!(parsed("nodejs22.x"), Some((Family::Node, "22".into())));
        assert_eq!(parsed("provided.al2023"), Some((Family::Provided, String::new())));
        assert_eq!(parsed("java21"), None);
    }
}
