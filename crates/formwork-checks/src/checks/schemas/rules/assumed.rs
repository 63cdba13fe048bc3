//! Rules for the values that a parameter is declared to have: `AllowedValues`, and a `Default`.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_schemas::Clause;
use formwork_syntax::{Kind, NodeId};
use formwork_template::template::Parameter;

use super::super::partial::declared_values;
use super::super::scalar::is_placeholder;
use super::super::walk::{At, Walk};
use super::super::words;
use super::super::words::quoted;
use super::judge;

/// Further values of a parameter are not judged.
const MOST: usize = 32;

/// Judges a clause with each value of each parameter that decides a value of it. Without one, nothing was found.
pub(super) fn judge(walk: &mut Walk<'_>, clause: &Clause, at: At) {
    let tree = walk.tree;
    if let Some(parameter) = walk.parameter_of(at.node) {
        return with(walk, clause, at, (parameter, at.node));
    }
    if tree.kind(at.node) != Kind::Map || !walk.is_plain_object(at.node) {
        return;
    }
    let values: Vec<NodeId> = tree.entries(at.node).map(|entry| entry.value).collect();
    for node in values {
        if let Some(parameter) = walk.parameter_of(node) {
            with(walk, clause, at, (parameter, node));
        }
    }
}

fn with<'w>(walk: &mut Walk<'w>, clause: &Clause, at: At, (parameter, node): (&'w Parameter, NodeId)) {
    let tree = walk.tree;
    // A condition may keep the value away from the property. The schema may have found a value of it before.
    if walk.is_in_conditions(tree.text(parameter.key)) || walk.has_finding_at(node) {
        return;
    }
    let before = walk.found.len();
    for (text, source) in declared_values(tree, parameter).take(MOST) {
        if is_placeholder(text) {
            continue;
        }
        walk.values.assumed = Some((parameter.key, text));
        judge::clause(walk, clause, at, &mut Vec::new());
        walk.values.assumed = None;
        let mut found = walk.found.split_off(before).into_iter();
        if let Some((first, _)) = found.find(|(_, severity)| *severity != Severity::Note) {
            return report(walk, &first, (parameter, node), (text, source));
        }
    }
}

/// Reports what a rule finds with a value of a parameter, at the reference to it.
fn report<'w>(
    walk: &mut Walk<'w>,
    found: &Diagnostic,
    (parameter, node): (&'w Parameter, NodeId),
    (text, source): (&str, &str),
) {
    let Some(severity) = walk.warning() else { return };
    let (tree, value) = (walk.tree, quoted(text));
    let name = shown(tree.text(parameter.key));
    let is_of_value = found.code != codes::COMBINATION && found.span() == tree.span(node);
    let (title, note) = if is_of_value {
        let subject = words::subject(&walk.path, tree.text(walk.id));
        (format!("parameter {name} allows {value}, which {subject} does not"), Some(found.message.clone()))
    } else {
        (format!("parameter {name} allows {value}, with which {}", found.message), None)
    };
    let mut diagnostic = Diagnostic::titled(found.code, title).at(tree.span(node));
    for note in note.into_iter().chain(found.notes.iter().map(ToString::to_string)) {
        diagnostic = diagnostic.note(note);
    }
    let help = if source == "AllowedValues" {
        format!("remove {value} from AllowedValues")
    } else {
        "change the Default".to_owned()
    };
    walk.push(diagnostic.help(help), severity, tree.text(parameter.key));
}
