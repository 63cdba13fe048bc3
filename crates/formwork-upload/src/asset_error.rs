//! Errors of files and directories that cannot be stored (reference/packaging.md#zips).

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use formwork::ReadError;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum AssetError {
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: Arc<io::Error> },
    #[error("{} cannot be read: {source}", path.display())]
    UnreadableIgnoreFile { path: PathBuf, source: ReadError },
    /// The ignore file is malformed. The message does not quote it.
    #[error("{} cannot be used: {why}", path.display())]
    UnusableIgnoreFile { path: PathBuf, why: String },
    #[error("`{0}` is not a pattern of files")]
    Pattern(String),
    #[error("the name of {} is not valid UTF-8", .0.display())]
    Name(PathBuf),
    #[error("{} is neither a file nor a directory and cannot be stored", .0.display())]
    Special(PathBuf),
    #[error("the link {} leads nowhere", .0.display())]
    DanglingLink(PathBuf),
    #[error("the link {} is part of a loop of links", .0.display())]
    LinkLoop(PathBuf),
    #[error("the link {} {action}: {source}", path.display())]
    Link {
        path: PathBuf,
        /// The operation that fails, as the message shows it.
        action: &'static str,
        source: io::Error,
    },
    #[error("the target of the link {} is not valid UTF-8", .0.display())]
    LinkTarget(PathBuf),
    #[error("the link {} leads to {}, outside the project root", link.display(), target.display())]
    OutsideRoot { link: PathBuf, target: PathBuf },
    #[error(
        "{} has more than {limit} files, links and directories: the limit is exceeded; links that lead to one directory by several ways multiply what is in it",
        directory.display()
    )]
    TooMany { directory: PathBuf, limit: usize },
}

impl AssetError {
    pub(crate) fn unreadable(path: impl Into<PathBuf>, error: io::Error) -> AssetError {
        AssetError::Unreadable { path: path.into(), source: Arc::new(error) }
    }

    pub(crate) fn help(&self) -> &'static str {
        match self {
            AssetError::OutsideRoot { .. }
            | AssetError::UnreadableIgnoreFile { source: ReadError::OutsideRoot, .. } => {
                "name a directory that contains both with `--project-root DIR`"
            }
            AssetError::DanglingLink(_)
            | AssetError::LinkLoop(_)
            | AssetError::Link { .. }
            | AssetError::LinkTarget(_)
            | AssetError::TooMany { .. } => "correct or remove the link, or list it in .formworkignore",
            AssetError::Pattern(_) => "write a pattern as in .gitignore, such as `tests/` or `*.md`",
            AssetError::Unreadable { .. }
            | AssetError::UnreadableIgnoreFile { .. }
            | AssetError::UnusableIgnoreFile { .. }
            | AssetError::Name(_)
            | AssetError::Special(_) => "fix that, or list the file in .formworkignore",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_does_not_choose_the_advice() {
        let general = "fix that, or list the file in .formworkignore";
        assert_eq!(AssetError::Special("src/link-to outside the project root".into()).help(), general);
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(AssetError::unreadable("src/links.txt", denied).help(), general);
        assert_eq!(
            AssetError::LinkLoop("a".into()).help(),
            "correct or remove the link, or list it in .formworkignore"
        );
        let outside = AssetError::OutsideRoot { link: "a".into(), target: "/b".into() };
        assert_eq!(outside.help(), "name a directory that contains both with `--project-root DIR`");
    }
}
