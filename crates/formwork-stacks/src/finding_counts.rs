//! Counts of findings, in words.

use formwork_deploy::Examination;

/// Returns the count of each kind of finding: `2 validation errors, 1 warning`.
pub fn counts(examination: &Examination) -> String {
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {one}s")),
    };
    let all = [
        count(examination.validation_errors(), "validation error"),
        count(examination.hook_errors(), "failed hook"),
        count(examination.warnings(), "warning"),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
