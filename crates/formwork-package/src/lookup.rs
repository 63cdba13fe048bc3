//! Properties that read generated Mappings.

use crate::plan::ArtifactSite;

/// A property whose value is looked up in a Mapping.
pub(crate) struct Lookup<'p> {
    pub(crate) slot: &'p ArtifactSite,
    /// The loops whose variables make the key, by their numbers.
    pub(crate) variables: Vec<usize>,
}
