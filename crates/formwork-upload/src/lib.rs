//! The part of packaging that accesses disks: reads the files that templates refer to, creates archives, and passes
//! them to an [`Uploader`] (reference/packaging.md). The pure part is `formwork-package`.
//!
//! [`prepare()`] compiles a template and its nested stacks, resolves paths, lists and hashes files on all cores, names
//! every object by its content, and rewrites templates, children first: after it every error is known and nothing is
//! written. [`upload_all()`] creates the archives and uploads those that do not exist; [`DirectoryStore`] is the
//! [`Uploader`] for `file:DIR`. A file is hashed again while it is read, so that a key always matches the content.
//! Begin reading in [`mod@prepare`].
//!
//! [`survey()`](prepare::survey::survey) finds the same paths, and reports the same diagnostics, for a build.
//!
//! The [`Uploader`] for S3 is in `formwork_run::upload`: it is opened when the first object is certain, since the
//! Region of the bucket is part of the names of nested stacks.
//!
//! `images` finds local images (archives, the sockets of engines) while paths are resolved, names them once
//! repositories are known, and pushes them to an [`ImageRegistry`] together with the objects. `formwork_package::image`
//! reads the archives.
#![allow(clippy::disallowed_methods, reason = "the part of packaging that reads and writes disks")]

mod asset_error;
mod assets;
mod destination;
mod directory_store;
mod hashes;
mod images;
mod listing;
mod parallel;
mod paths;
mod payload;
pub mod prepare;
pub mod source_tree;
mod template;
mod upload_all;
mod upload_manifest;
mod uploader;
pub mod warnings;

pub use destination::Destination;
pub use directory_store::DirectoryStore;
pub use formwork_package::image::{Manifest, Repository};
pub use images::{Blob, ImageRegistry, Tagged};
pub use listing::Symlinks;
pub use parallel::in_parallel;
pub use payload::Payload;
pub use prepare::survey::{self, Survey};
pub use prepare::{Artifact, Mention, NamedImages, Object, Prepared, Repositories, Request, Unit, Where, prepare};
pub use source_tree::SourceTree;
pub use template::store_template;
pub use upload_all::{Progress, PushedImage, UploadFailure, UploadOptions, Uploaders, push_image, upload_all};
pub use upload_manifest::upload_manifest;
pub use uploader::{Presence, UploadError, Uploader};
