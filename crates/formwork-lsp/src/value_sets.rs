//! The sets of values that templates may be looked at with: those of settings and configuration files.

use std::path::{Path, PathBuf};

use crate::configuration;
use crate::roots::Roots;

/// The set of values that `check` uses.
pub(crate) const DEFAULT: &str = "default";

/// A set of values that a template may be looked at with.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) kind: &'static str,
}

/// The sets of values for a template.
pub(crate) fn sets(roots: &Roots, files: &[PathBuf], folder: &Path) -> Vec<Set> {
    let set = |kind: &'static str, prefix: &str, name: String| Set {
        id: format!("{prefix}{name}"),
        label: if prefix.is_empty() { name } else { format!("{name} ({kind})") },
        kind,
    };
    let mut sets = vec![set("default", "", DEFAULT.to_owned())];
    let named = configuration::parameter_sets(roots, folder);
    sets.extend(named.into_iter().map(|name| set("parameter-set", "parameter-set:", name)));
    let environments = configuration::environments(roots, folder);
    sets.extend(environments.into_iter().map(|name| set("samconfig", "samconfig:", name)));
    sets.extend(files.iter().map(|file| set("file", "file:", file.to_string_lossy().into_owned())));
    sets
}
