//! The warnings of a plan as diagnostics: FW1210 to FW1214.

use formwork_base::{Diagnostic, Span, codes, display};
use formwork_plan::{Action, Change, ChangeKind, Data, Place, Plan, Possible, ResourceChange, Shift};
use formwork_template::template::Section;

use crate::Compilation;

/// Diagnostics of the root templates of a plan, by the side in which their places are.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Diagnostics with places in the old template.
    pub old: Vec<Diagnostic>,
    /// Diagnostics with places in the new template.
    pub new: Vec<Diagnostic>,
}

impl Findings {
    /// Moves the diagnostics of the old template to the section `Resources` of the new one, with a note about their
    /// places: for an old template that is not a file, such as that of a stack.
    #[must_use]
    pub fn in_new(mut self, old: &Compilation, new: &Compilation) -> Findings {
        let (tree, sources) = (&new.tree, &old.sources);
        let key = tree.entries(new.template.root).find(|entry| tree.text(entry.key) == Section::Resources.name());
        let span = key.map_or(Span::NONE, |key| tree.span(key.key));
        self.new.extend(std::mem::take(&mut self.old).into_iter().map(|found| {
            let place = found.primary.as_ref().and_then(|label| sources.place(label.span));
            let words = place.map(|place| {
                let shown =
                    Place { file: sources.display(place.file).to_owned(), line: place.line, ..Place::default() };
                format!("it was at {}", shown.words())
            });
            words.into_iter().fold(found.at(span), Diagnostic::note)
        }));
        self
    }
}

/// Returns the warnings of a plan. Changes in nested stacks are reported at the line of the outermost stack.
pub fn findings(plan: &Plan<'_, '_>) -> Findings {
    let mut found = Findings::default();
    for shift in &plan.shifts {
        let outer = plan
            .changes
            .iter()
            .find(|change| change.stack.is_empty() && Some(change.id) == shift.stack.first().map(String::as_str));
        found.new.push(shifted(shift, outer));
    }
    for (change, resource) in plan.resources() {
        let outer = change
            .stack
            .first()
            .and_then(|stack| plan.changes.iter().find(|change| change.stack.is_empty() && change.id == stack));
        let (place, is_old) = place_of(outer.unwrap_or(change));
        let list = if is_old { &mut found.old } else { &mut found.new };
        let full = change.full_id();
        let gravest = resource.possible().filter(|one| one.data == Data::Lost).max_by_key(|one| one.action);
        if let Some(possible) = gravest.filter(|_| !resource.is_shifted) {
            list.push(lost(change, possible, &full).at(line(change, resource, outer.is_some()).unwrap_or(place)));
        }
        // Without facts about types nothing is claimed of what CloudFormation does.
        if let Some(blocked) = resource.blocked.as_ref().filter(|_| plan.table.is_some()) {
            let (code, title) = if blocked.reason == "type-changed" {
                (codes::TYPE_CHANGED, format!("the Type of {full} changes"))
            } else {
                (codes::OWN_NAME, format!("{full} cannot be replaced under its own name"))
            };
            let help = if blocked.reason == "type-changed" {
                "change the logical ID: the old resource is deleted and the new one created"
            } else {
                "change the name, or remove it: CloudFormation then generates one"
            };
            list.push(Diagnostic::new(code, title).at(place).quoting(&blocked.sentence).help(help));
        }
        if !resource.grants.is_empty() {
            list.push(broadened(resource, &full).at(place));
        }
    }
    found
}

fn span(place: &Place) -> Span {
    Span::new(place.span.0, place.span.1)
}

fn place_of(change: &Change<'_, '_>) -> (Span, bool) {
    match (&change.place, &change.old_place) {
        (Some(place), _) => (span(place), false),
        (None, Some(place)) => (span(place), true),
        (None, None) => (Span::NONE, false),
    }
}

fn line(change: &Change<'_, '_>, resource: &ResourceChange<'_>, is_nested: bool) -> Option<Span> {
    if is_nested || change.kind != ChangeKind::Changed {
        return None;
    }
    let paths = if resource.action == Action::Replace { &resource.replace_paths } else { &resource.may_replace_paths };
    let deciding = change.properties.iter().find(|property| paths.contains(&formwork_plan::dotted(&property.path)))?;
    deciding.place.as_ref().map(span)
}

fn lost(change: &Change<'_, '_>, possible: Possible<'_>, full: &str) -> Diagnostic {
    let (what, attribute) = match possible.action {
        Action::MayDelete => ("may be lost: it may be deleted", "DeletionPolicy"),
        Action::MayReplace => ("may be lost: it may be replaced", "UpdateReplacePolicy"),
        Action::Replace if change.old_id.is_some() => ("is lost: it is deleted and created", "DeletionPolicy"),
        Action::Replace => ("is lost: it is replaced", "UpdateReplacePolicy"),
        _ => ("is lost: it is deleted", "DeletionPolicy"),
    };
    let policy = possible.policy.unwrap_or("Delete");
    let depends_on = change.resource.iter().flat_map(|resource| &resource.depends_on);
    let mut diagnostic = Diagnostic::new(codes::DATA_LOST, format!("the data of {full} {what}"));
    for dependency in depends_on {
        let at = dependency.place.as_ref().map(|place| format!(" ({})", place.words())).unwrap_or_default();
        diagnostic = diagnostic.note(format!("if {}{at}", display::cut(&dependency.what, 200)));
    }
    diagnostic.note(format!("{attribute} is {policy}")).help(match attribute {
        // The policy of the deployed template applies.
        "DeletionPolicy" => format!("write `{attribute}: Retain`, and deploy that first"),
        _ => format!("write `{attribute}: Retain`"),
    })
}

fn broadened(resource: &ResourceChange<'_>, full: &str) -> Diagnostic {
    const NAMED: usize = 5;
    let title = format!("{full} may do more than before");
    let mut diagnostic = Diagnostic::new(codes::BROADENED, title);
    for grant in resource.grants.iter().take(NAMED) {
        diagnostic = diagnostic.note(display::cut(grant, 200).into_owned());
    }
    if resource.grants.len() > NAMED {
        diagnostic = diagnostic.note(format!("and {} more", resource.grants.len() - NAMED));
    }
    diagnostic.note("this compares text; it is not a proof")
}

fn shifted(shift: &Shift, outer: Option<&Change<'_, '_>>) -> Diagnostic {
    let title = format!("the IDs of loop {} follow the position of its items", shift.loop_name);
    // The place of a loop of a nested template is in another template.
    let place = match outer {
        Some(outer) => place_of(outer).0,
        None => shift.key_place.as_ref().map_or(Span::NONE, span),
    };
    let mut diagnostic = Diagnostic::new(codes::SHIFTED_IDS, title).at(place);
    if let Some(collection) = shift.collection_place.as_ref().filter(|_| outer.is_none()) {
        diagnostic = diagnostic.related(span(collection), "its items");
    }
    for (verb, items) in [("removed", &shift.removed), ("inserted", &shift.inserted)] {
        for (item, at) in items.iter().take(5) {
            diagnostic = diagnostic.note(format!("{verb}: {item}, item {}", at + 1));
        }
    }
    const NAMED: usize = 5;
    let pairs: Vec<String> =
        shift.pairs.iter().take(NAMED).map(|pair| format!("{} -> {}", pair.old, pair.new)).collect();
    let more = shift.pairs.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    diagnostic = diagnostic.note(format!("items that get another ID: {}{more}", pairs.join(", ")));
    if outer.is_some() {
        diagnostic.note(format!("in the nested stack {}", shift.stack.join("/")))
    } else if shift.instead.is_empty() || shift.instead == shift.key {
        diagnostic.help("`formwork plan --refactor DIR` writes a refactoring that renames them without replacement")
    } else {
        diagnostic.help(format!(
            "write the key `{}`; `formwork plan --refactor DIR` writes a refactoring that renames them without replacement",
            shift.instead
        ))
    }
}
