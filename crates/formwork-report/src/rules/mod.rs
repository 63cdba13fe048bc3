//! Reports about rules: outcomes, values that were found, truth tables.

mod check;
mod solve;
mod table;

pub use check::{json as check_json, text as check_text};
pub use solve::{json as solve_json, text as solve_text};
pub use table::{json as table_json, text as table_text};

/// A JSON document, which ends in a line break.
fn document(value: &impl serde::Serialize) -> String {
    crate::machine(serde_json::to_string_pretty(value)) + "\n"
}
