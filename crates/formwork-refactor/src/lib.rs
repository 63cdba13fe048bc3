//! Renames and moves of deployed resources (reference/refactor.md): pairs the resources of a deployed template with
//! those of an edited one, and computes the complete templates of a stack refactor.
//!
//! A [`Sides`] has the processed template of a stack and the expanded template of its author, both as JSON. [`pair`]
//! finds resources that have another logical ID or are in another stack: it begins with all pairs of one type and drops
//! those that are unequal until nothing changes, so that references between renamed resources are equal, too.
//! [`wrong_mappings`] checks mappings that people pass. [`intermediate`] computes the templates to send, and
//! [`refused`] lists reasons for which CloudFormation rejects a refactor.
//!
//! Nothing is read, called or printed here: `formwork_stacks::refactor` reads the stacks, asks, and goes through the
//! steps.

mod artifacts;
mod difference;
mod equality;
mod held_back;
mod intermediate;
mod limits;
mod mapping;
mod mapping_file;
mod mappings;
mod moves;
mod pair;
mod references;
mod sides;

pub use difference::Difference;
pub use formwork_template::Section;
pub use held_back::held_back;
pub use intermediate::{Intermediate, intermediate, renamed_template};
pub use limits::{Refusal, refused};
pub use mapping::{Mapping, ResourceId};
pub use mapping_file::{read_mappings, write_mappings};
pub use mappings::{WrongMapping, wrong_mappings};
pub use pair::{Ambiguity, Keys, Pairing, pair};
pub use sides::Sides;
