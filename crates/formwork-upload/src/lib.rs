//! Packaging, the part that touches disks: it reads what templates name, makes archives of it, and hands
//! them to an [`Uploader`] (reference/packaging.md).
//!
//! [`prepare()`] compiles a template and its nested stacks, looks at every path, and names every object
//! by its content; nothing is written yet, and everything that is wrong is known. [`upload_all()`] makes the
//! archives and uploads what is not there; images go to an [`ImageRegistry`]. Begin reading in [`mod@prepare`].
#![allow(clippy::disallowed_methods, reason = "the part of packaging that reads and writes disks")]

mod asset_error;
mod assets;
mod destination;
mod folder_store;
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
pub use folder_store::FolderStore;
pub use formwork_package::image::{Manifest, Repository};
pub use images::{Blob, ImageRegistry, Tagged};
pub use listing::Symlinks;
pub use parallel::in_parallel;
pub use payload::Payload;
pub use prepare::survey::{self, Survey};
pub use prepare::{Artifact, Mention, NamedImages, Object, Prepared, Repositories, Request, Unit, Where, prepare};
pub use source_tree::SourceTree;
pub use template::store_template;
pub use upload_all::{Fault, Progress, PushedImage, UploadOptions, Uploaders, push_image, upload_all};
pub use upload_manifest::upload_manifest;
pub use uploader::{Presence, UploadError, Uploader};
