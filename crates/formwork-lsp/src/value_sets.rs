//! The sets of values with which templates may be viewed, from settings and configuration files.

use std::path::Path;

use crate::configuration::{Reader, environments, parameter_sets};
use crate::parameter_files::is_parameter_file;

pub(crate) const DEFAULT: &str = "default";

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) kind: &'static str,
}

/// The sets of values for templates in a directory. `files` are the parameters files of the settings, by their paths
/// from the workspace directory.
pub(crate) fn sets(reader: &Reader<'_>, files: Vec<String>, directory: &Path) -> Vec<Set> {
    let set = |kind: &'static str, prefix: &str, name: String| Set {
        id: format!("{prefix}{name}"),
        label: if prefix.is_empty() { name } else { format!("{name} ({kind})") },
        kind,
    };
    let mut sets = vec![set("default", "", DEFAULT.to_owned())];
    sets.extend(parameter_sets(reader, directory).into_iter().map(|name| set("parameter-set", "parameter-set:", name)));
    sets.extend(environments(reader, directory).into_iter().map(|name| set("samconfig", "samconfig:", name)));
    sets.extend(files.into_iter().map(|file| set("file", "file:", file)));
    sets
}

/// Returns `true` if templates in a directory have the set with this ID.
pub(crate) fn has(reader: &Reader<'_>, globs: &[String], directory: &Path, id: &str) -> bool {
    let Some((kind, name)) = id.split_once(':') else { return id == DEFAULT };
    match kind {
        "parameter-set" => parameter_sets(reader, directory).iter().any(|known| known == name),
        "samconfig" => environments(reader, directory).iter().any(|known| known == name),
        "file" => {
            let path = reader.folder_of(directory).join(name);
            is_parameter_file(globs, name) && reader.read(directory, &path).is_some()
        }
        _ => false,
    }
}
