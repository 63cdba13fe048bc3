//! Templates at random, for laws that hold for every template: from bytes, so that property tests and
//! fuzzers use the same ones and can make them smaller.

mod artifacts;
mod calls;
mod choices;
mod loops;
mod module;
mod render;
mod rules;
mod template;
mod values;

pub use artifacts::artifacts;
pub use calls::calls;
pub use choices::Choices;
pub use loops::{Loops, loops};
pub use module::module_body;
pub use render::{json, yaml};
pub use rules::{ACCOUNT as RULES_ACCOUNT, DOMAINS as RULES_DOMAINS, rules};
pub use template::{CANARY, template};
