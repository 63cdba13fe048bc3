//! Migrates templates of other tools to the module language.

pub mod rain;
