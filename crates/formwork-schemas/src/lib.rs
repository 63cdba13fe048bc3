//! Facts about CloudFormation resource types.
//!
//! The facts of all public types are one table (`data/table.bin`, made by `cargo xtask schemas`), which is read block
//! by block: a service is decoded when the first of its types is asked for, once per process. Registry schemas of
//! private types ([`Schemas::add`]) win over it. What is not known is `None`; nothing is guessed. Properties of
//! templates are judged by `checks/schemas` of `formwork-rules`.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! use formwork_schemas::{Effect, Kind, Reason, Schemas};
//!
//! let schemas = Schemas::embedded();
//! let queue = schemas.resource_type("AWS::SQS::Queue").unwrap();
//! let name = queue.properties().property("QueueName").unwrap();
//! assert!(name.node.kinds().has(Kind::String));
//! assert_eq!(queue.effect(&["QueueName"]), Effect::Replace(Reason::CreateOnly));
//! assert!(queue.attribute("Arn").is_some());
//! assert!(schemas.resource_type("My::Own::Type").is_none());
//! # }
//! ```
//!
//! | question | answered by |
//! |---|---|
//! | is a type known | [`Schemas::resource_type`], [`Schemas::type_names`], [`Schemas::candidates`] |
//! | what a value may be | [`ResourceType::properties`], [`Node`] |
//! | what a change does | [`ResourceType::effect`], [`ResourceType::effect_within`], [`ResourceType::is_refactorable`] |
//! | what is lost with the resource | [`ResourceType::stateful`] |
//! | what broadens permissions | [`ResourceType::policies`] |
//! | `Ref` and `Fn::GetAtt` | [`ResourceType::reference`], [`ResourceType::attribute`], [`ResourceType::attributes`] |
//! | where and how long it exists | [`ResourceType::is_in`], [`ResourceType::lifecycle`], [`Schemas::runtime`] |
//!
//! `table` finds the block of a type, `block` decodes it, `registry` reads schemas of private types into the same form.

mod attributes;
mod block;
mod bytes;
mod date;
mod effect;
mod kinds;
mod node;
mod number;
mod path;
mod pattern;
mod pattern_cache;
mod registry;
mod resource_type;
mod runtime;
mod set;
mod table;

pub use attributes::Attribute;
#[cfg(feature = "write")]
pub use block::minimize;
pub use block::{Block, Facts, Lifecycle, Policy, ReplacementStrategy, Stage, Stateful};
pub use date::Date;
pub use effect::{Effect, Reason};
pub use kinds::{Kind, Kinds};
pub use node::{Node, Property, Values};
pub use number::Number;
pub use path::FactPath;
pub use pattern::{Pattern, translate};
#[cfg(feature = "write")]
pub use registry::unknown_keywords;
pub use registry::{Compiler, SchemaError, type_names};
pub use resource_type::ResourceType;
pub use runtime::Runtime;
pub use set::Schemas;
#[cfg(feature = "write")]
pub use table::write::{Contents, write};
pub use table::{Table, TableError};
