//! Folding ranges in the form of the protocol.

use formwork_ide::folding::{Fold, FoldKind};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoldingRange {
    start_line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

impl From<&Fold> for FoldingRange {
    fn from(fold: &Fold) -> FoldingRange {
        let kind = match fold.kind {
            FoldKind::Text => None,
            FoldKind::Comment => Some("comment"),
            FoldKind::Region => Some("region"),
        };
        FoldingRange { start_line: fold.start, end_line: fold.end, kind }
    }
}
