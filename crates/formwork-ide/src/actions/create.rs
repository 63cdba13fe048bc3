//! Declares names that are used and missing.

use formwork::query::SymbolKind;

use super::candidates::{Candidate, Candidates};
use super::entry::insert;
use crate::actions::{Action, ActionKind, Spot};
use crate::{Edit, FileEdits};

/// Creates the parameter, the condition or the module file that is missing at the place.
pub(super) fn add(spot: &Spot<'_, '_>, candidates: &mut Candidates<'_, '_, '_>) {
    let Some(index) = spot.ide.file(spot.file) else { return };
    for missing in spot.ide.project().missing(spot.file) {
        if candidates.are_enough() {
            return;
        }
        let is_name = !missing.name.is_empty() && missing.name.chars().all(|c| c.is_ascii_alphanumeric());
        if !spot.touches(&(missing.range.start..missing.range.end)) {
            continue;
        }
        let edit = match missing.kind {
            SymbolKind::Parameter if is_name => {
                insert(index, "Parameters", &missing.name, &["Type: String"], "{\"Type\": \"String\"}")
            }
            SymbolKind::Condition if is_name => {
                let json = "{\"Fn::Equals\": [{\"Ref\": \"AWS::Region\"}, \"us-east-1\"]}";
                insert(index, "Conditions", &missing.name, &["Fn::Equals: [!Ref AWS::Region, us-east-1]"], json)
            }
            SymbolKind::File => {
                // The module is another file, so no diagnostic of this one gets worse.
                if let Some(action) = module_file(spot, &missing.name) {
                    candidates.add(Candidate::proved(action));
                }
                None
            }
            _ => None,
        };
        let word = if missing.kind == SymbolKind::Condition { "condition" } else { "parameter" };
        if let Some(edit) = edit {
            let action = spot.action(format!("create {word} {}", missing.name), ActionKind::QuickFix, vec![edit]);
            candidates.add(Candidate::adding_nothing(action));
        }
    }
}

fn module_file(spot: &Spot<'_, '_>, source: &str) -> Option<Action> {
    let is_local = !source.contains("://") && !source.starts_with(['$', '/']) && !source.contains(".zip");
    let file = spot.file.sibling(source);
    let is_template = file.extension().is_some_and(|extension| matches!(extension, "yaml" | "yml" | "template"));
    let exists = spot.ide.snapshot().source(&file).is_ok();
    if !is_local || !is_template || exists || file.as_str().starts_with("..") {
        return None;
    }
    let edits = vec![FileEdits { file, is_new: true, edits: vec![Edit::insert(0, "Resources: {}\n")] }];
    let title = format!("create {source}");
    Some(Action { title, kind: ActionKind::QuickFix, is_preferred: false, is_proved: true, edits, fixes: None })
}
