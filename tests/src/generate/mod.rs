//! Templates at random, for laws that hold for every template: from bytes, so that property tests and
//! fuzzers use the same ones and can make them smaller.

mod artifacts;
mod calls;
mod choices;
mod directories;
mod duplicates;
mod faults;
mod layout;
mod loops;
mod module;
mod mutants;
mod names;
mod parameters_file;
mod patterns;
mod placeholders;
mod projects;
mod render;
mod replaced_calls;
mod rooted;
mod rules;
mod sound;
mod template;
mod values;

pub use artifacts::artifacts;
pub use calls::calls;
pub use choices::Choices;
pub use directories::{Item, directory};
pub use duplicates::duplicates;
pub use faults::faults;
pub use layout::{layout, tokens};
pub use loops::{Loops, loops};
pub use module::{module_body, module_body_with_loop, module_literal, module_value};
pub use mutants::{Random, mutant};
pub use names::names;
pub use parameters_file::parameters_file;
pub use patterns::{Dialect, JAVA, PYTHON, pattern, value_of_pattern};
pub use placeholders::placeholders;
pub use projects::{Project, account, includes, modules};
pub use render::{json, yaml};
pub use replaced_calls::replaced_calls;
pub use rooted::{OUTPUTS as ROOTED_OUTPUTS, ROOT, rooted};
pub use rules::{ACCOUNT as RULES_ACCOUNT, DOMAINS as RULES_DOMAINS, rules};
pub use sound::sound;
pub use template::{CANARY, template};
pub use values::data;
