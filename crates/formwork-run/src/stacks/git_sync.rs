//! Stacks of deployment files of Git sync, which name a template from the root of the repository.

use std::path::{Path, PathBuf};

use formwork::disk::project_root;

use super::{Known, Stack, StackSettings, name_of};
use crate::folder::folder;

/// A deployment file.
#[derive(Debug)]
pub struct Deployment {
    /// The path of the file.
    pub path: PathBuf,
    /// The template that it names.
    pub template: String,
}

/// Adds the stacks of deployment files. Such a file has no name of the stack and no stage: both are chosen in the account.
pub(super) fn add(deployments: &[Deployment], known: &Known<'_>, found: &mut Vec<Stack>) {
    for deployment in deployments {
        let root = project_root(folder(&deployment.path));
        let beside = folder(&deployment.path).join(&deployment.template);
        let Some(template) = known.at(&root.join(&deployment.template)).or_else(|| known.at(&beside)) else { continue };
        let settings = StackSettings { parameters_files: vec![deployment.path.clone()], ..StackSettings::default() };
        found.push(Stack {
            name: name_of(&deployment.path),
            stage: None,
            template,
            source: shown(&deployment.path),
            settings,
        });
    }
}

fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}
