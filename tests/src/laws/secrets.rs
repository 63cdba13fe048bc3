//! The value of a `NoEcho` parameter is seen nowhere.

use formwork::{Stage, Values};
use formwork_report::{Context, human, json, short};

use super::{Verdict, compile, with_parameters};
use crate::generate::CANARY;

/// The law for one template with a parameter `Secret`.
///
/// # Errors
/// In words.
pub fn secrets(text: &str) -> Verdict {
    let given = with_parameters(&[("Secret", CANARY), ("Stage", "dev")]);
    for values in [Values::Keep, Values::Pin, Values::All] {
        for stage in [Stage::Expand, Stage::Resolve, Stage::Check] {
            let options = formwork::Options { values, ..given.clone() };
            let mut result = compile(text, &options, stage);
            let context = Context { sources: result.sources(), secrets: result.secrets(), color: false };
            let mut said = String::new();
            for diagnostic in result.diagnostics() {
                said.push_str(&human::render(diagnostic, &context));
                said.push_str(&short::render(diagnostic, &context));
                said.push_str(&json::render(diagnostic, &context));
            }
            if !result.has_errors() {
                said.push_str(&result.to_string(None));
                let map = result.write_with_map(None, stage, "out", &mut |_| {});
                said.push_str(&map.unwrap_or_default());
            }
            if said.contains(CANARY) {
                return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
            }
        }
    }
    Ok(())
}
