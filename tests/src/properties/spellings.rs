//! A template in YAML and the same in JSON: one result, and the same reports.
//!
//! Holds reference/reading.md#format.

use std::collections::BTreeSet;

use formwork::{Code, Compilation, Goal, Options, Severity, codes};

use super::{Verdict, compile, same_data, text_of};

/// The law for two spellings of one template.
///
/// # Errors
/// In words.
pub fn spellings(yaml: &str, json: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
        let (one, other) = (compile(yaml, &Options::default(), stage), compile(json, &Options::default(), stage));
        let (a, b) = (said(&one), said(&other));
        if a != b {
            let name = stage.name();
            return Err(format!(
                "{name} reports {a:?} for the YAML and {b:?} for the JSON\n--- yaml\n{yaml}\n--- json\n{json}"
            ));
        }
        if stage != Goal::Check && !one.has_errors() {
            same_data(&format!("{} of\n{yaml}", stage.name()), &text_of(&one, None)?, &text_of(&other, None)?)?;
        }
    }
    Ok(())
}

/// The codes, but for those about sizes: the two have different ones.
fn said(result: &Compilation) -> BTreeSet<(Code, Severity)> {
    let all = result.diagnostics().iter().map(|found| (found.code, found.severity));
    all.filter(|(code, _)| *code != codes::QUOTA_BYTES).collect()
}
