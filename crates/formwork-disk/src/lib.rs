//! Opens and writes all files of the disk (reference/command-line.md#project-root): every command reads its templates,
//! modules, configuration, lock file, snapshots, caches and artifacts through this crate.
//!
//! A file that a template or a directory refers to is attacker-controlled: it may be a link that leaves the project, a
//! pipe that never ends, or a device. So it is opened without blocking ([`open_regular`]), must be a regular file
//! inside the project root once links are followed ([`project_root`](fn@project_root)), and is read up to a limit,
//! whatever size it claims to have. A file on the command line may be anything that can be read, up to the same limit.
//!
//! [`Loader`] reads whole files and remembers what it read, so that no output replaces an input; a file that several
//! templates of a run refer to is read once ([`Loader::reading_once`]). Files are written whole, through a temporary
//! file: [`replace`].
#![allow(clippy::disallowed_methods, reason = "the place where files of a disk are read and written")]

mod contents;
mod file_id;
mod git_index;
mod links;
mod loader;
mod open;
mod owner;
mod project_root;
mod replace;
pub mod temporaries;
mod without_dots;

pub use file_id::FileId;
pub use git_index::{Tracked, git_directory, tracked};
pub use links::{Unlinked, make_below, refuse_links, refuse_links_to, remove_below};
pub use loader::{Loader, ReadFile, is_git, is_inside, is_same_file, read_file, read_inside, read_named};
pub use open::open_regular;
pub use owner::is_foreign;
pub use project_root::{
    InProject, ProjectConfiguration, in_project, project_configuration, project_root, project_root_from,
};
pub use replace::{check_replaceable, replace, replace_if_unchanged, replace_unless_same};
pub use without_dots::without_dots;
