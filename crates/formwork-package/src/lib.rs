//! Packaging, the pure part: which local files a template names, what their objects are called, the
//! bytes of their archives, and the template that names the objects (reference/packaging.md).
//!
//! [`fn@plan`] finds what is to be uploaded, in every iteration of every loop. A driver looks at the
//! files, computes their names with [`mod@asset_key`] and their bytes with [`mod@archive`], and passes
//! [`fn@rewrite`] where they will be. Nothing here reads a disk. Begin reading in [`mod@plan`].

pub mod archive;
pub mod asset_key;
pub mod build_facts;
mod call;
mod dependency_layers;
mod fixed_collections;
mod found;
pub mod image;
mod includes;
mod location;
mod lookup;
mod mapping;
mod mapping_faults;
mod mapping_name;
pub mod nested;
mod output;
mod passing;
mod place;
pub mod plan;
mod record;
mod relocate;
mod rewrite;
mod target;
mod value;
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
