//! The pure part of packaging: finds the local files of a template, computes the keys of their objects and the bytes of
//! their archives, and rewrites the template to refer to the objects (reference/packaging.md). Nothing here reads a
//! disk; the driver is `formwork-upload`.
//!
//! 1. [`fn@plan`] finds every artifact property twice, in the authored template (`ArtifactSite`) and in the expanded
//!    one (`ArtifactValue`), and relates them by their authored keys and the loops in their frames. So a slot has the
//!    value of every iteration. Begin reading in [`mod@plan`].
//! 2. The driver reads the files and computes their names with [`mod@asset_key`] and their bytes with [`mod@archive`].
//! 3. [`fn@rewrite`] receives the location of each file, which follows from its content before anything is uploaded,
//!    and decides for each slot: it is kept, it gets one value, or it is looked up in a generated Mapping. It changes
//!    the linked tree only in those places, and the writer copies the rest.
//!
//! With modules, the authored template is the one after they are inlined. A key that a module generated is identified
//! by itself, else by its authored location and the context that it was generated in, so that two imports of a module
//! are two places.
//!
//! [`relocate`] uses the same plan for `expand -o` in another directory: it rewrites paths that are the same for all
//! values of the parameters, and warns about others. [`BuildFacts`] has the properties of a resource that a build needs
//! (runtime, architectures, metadata), computed from everything known; [`Passing`] has the values that are passed to a
//! nested stack. [`mod@image`] reads images: a tar archive is an index of extents, a `docker save` or OCI layout an
//! [`Image`] with its layers.

pub mod archive;
mod artifact_property;
pub mod asset_key;
pub mod build_facts;
mod call;
mod dependency_layers;
mod fixed_collections;
pub mod image;
mod includes;
mod location;
mod lookup;
mod mapping;
mod mapping_errors;
mod mapping_name;
pub mod nested;
mod output;
mod passing;
pub mod plan;
mod record;
mod relocate;
mod rewrite;
mod target;
mod value;
mod value_path;
mod variables;
mod warnings;

pub use archive::{Entry, EntryKind};
pub use asset_key::AssetKey;
pub use build_facts::{BuildFacts, Fact};
pub use dependency_layers::{DependencyLayers, STACK as DEPENDENCY_STACK};
pub use formwork_template::artifact::Treatment;
pub use image::{Image, ImageError};
pub use nested::nested;
pub use output::Output;
pub use passing::{NestedParameter, Passing};
pub use plan::{ArtifactRef, OpenParameters, Plan, Purpose, default_output, plan};
pub use relocate::{names_files, relocate};
pub use rewrite::{Rewritten, rewrite};
pub use target::Target;
