//! Detects changes that only rename a resource (reference/deploy.md#renames).

use formwork::{Format, Limits};
use formwork_refactor::{Pairing, Sides, pair};
use formwork_report::{Notice, printable};

use super::places::Sources;

const NAMED: usize = 5;

/// Returns a note about `formwork refactor` when removed and added resources are only renamed. `deployed` is the
/// processed template of the stack.
pub fn note(stack: &str, deployed: &str, sources: &Sources) -> Option<Notice> {
    let root = sources.root();
    if root.template().has_other_transforms() {
        return None;
    }
    let deployed = formwork::reformat(deployed, Format::Json, &Limits::default())?;
    let sides = Sides {
        stack: stack.to_owned(),
        deployed: serde_json::from_str(&deployed).ok()?,
        authored: sources.expanded()?,
    };
    let Pairing { mappings, ambiguous } = pair(&[sides], &[], None);
    let pairs = mappings.iter().map(|one| format!("{} -> {}", one.source.logical_id, one.destination.logical_id));
    let groups = ambiguous.iter().map(|one| {
        let list = |ids: &[formwork_refactor::ResourceId]| {
            ids.iter().take(NAMED).map(|id| id.logical_id.clone()).collect::<Vec<_>>().join(", ")
        };
        format!("{} -> {}", list(&one.sources), list(&one.destinations))
    });
    let words: Vec<String> = pairs.chain(groups).collect();
    if words.is_empty() {
        return None;
    }
    let mut shown = words.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    if words.len() > NAMED {
        shown = format!("{shown}; and {} more", words.len() - NAMED);
    }
    let notice = Notice::note(format!("only logical IDs change: {}", printable(&shown)));
    let notice = notice.because("CloudFormation deletes what has the old ID, and creates a new resource");
    Some(notice.help(format!("rename without replacement: `formwork refactor --stack-name {stack} --dry-run`")))
}
