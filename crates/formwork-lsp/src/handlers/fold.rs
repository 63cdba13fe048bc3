//! A range that can be folded.

use formwork_ide::folding::{Fold, FoldKind};
use serde_json::{Value, json};

/// A range as the protocol has it.
pub(crate) fn fold(fold: &Fold) -> Value {
    let mut made = json!({"startLine": fold.start, "endLine": fold.end});
    match fold.kind {
        FoldKind::Text => {}
        FoldKind::Comment => made["kind"] = json!("comment"),
        FoldKind::Region => made["kind"] = json!("region"),
    }
    made
}
