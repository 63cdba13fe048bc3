//! The stacks of a repository, and the links between them (reference/repository.md).
//!
//! Input is what each template exports and imports ([`Template`]), as far as its names are known ([`Name`]); output is
//! which export an import means ([`Links`]), an order of deployments ([`Links::order`]), and diagnostics ([`check()`]).
//! Nothing is guessed: a link is certain, possible, or leads outside of the repository.

pub mod check;
mod cycles;
mod link;
mod links;
mod name;
mod near;
mod order;
mod template;

pub use check::{Asked, check};
pub use link::{Certainty, Link};
pub use links::Links;
pub use name::{Name, Part};
pub use order::{Order, order_of_changes};
pub use template::{Export, Import, Kind, Template, WrongValue};
