//! The consequences of a misspelt section or function: one mistake is one error.

use std::collections::HashSet;

use formwork_base::{Diagnostic, Diagnostics, Fact, Severity, SourceMap, Span, codes, suggest};
use formwork_syntax::{Entry, Kind, NodeId, Tree};
use formwork_template::Section;
use formwork_template::template::{LANGUAGE_EXTENSIONS, MODULE_SECTIONS};

use super::lost_names::{LostReferences, Namespace};

pub(super) fn leave_out(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    leave_out_of_sections(tree, root, sources, diagnostics);
    leave_out_of_transform(diagnostics);
    leave_out_of_variables(diagnostics);
    leave_out_of_functions(sources, diagnostics);
    leave_out_of_strings(diagnostics);
    leave_out_of_misquoted(sources, diagnostics);
}

/// Leaves out that the variable of a loop is unused if a key misspells it.
fn leave_out_of_variables(diagnostics: &mut Diagnostics) {
    let keys = diagnostics.iter().filter(|found| found.code == codes::PRODUCED_NAME);
    let advised: HashSet<String> = keys.flat_map(Diagnostic::advised_names).map(str::to_owned).collect();
    let is_used = |found: &Diagnostic| found.name().is_some_and(|name| advised.contains(name));
    diagnostics.retain(|found| found.code != codes::UNUSED_IDENTIFIER || !is_used(found));
}

/// Leaves out what needs the language transform if its name is misspelt.
fn leave_out_of_transform(diagnostics: &mut Diagnostics) {
    let is_misspelt = |found: &Diagnostic| {
        found.code == codes::TRANSFORM && found.advised_names().any(|name| name == LANGUAGE_EXTENSIONS)
    };
    if diagnostics.iter().any(is_misspelt) {
        diagnostics.retain(|found| found.code != codes::TRANSFORM || found.advised_names().next().is_some());
    }
}

/// Leaves out that a name is unused if a function in quotes has it: without the quotes, it is used.
fn leave_out_of_misquoted(sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let calls = diagnostics.iter().filter(|found| found.code == codes::MISQUOTED);
    let texts = calls.map(|found| sources.slice(found.span()));
    let used: HashSet<&str> = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric())).collect();
    leave_out_unused(diagnostics, |name| used.contains(name));
}

/// Leaves out that a name is unused if a string has it in other brackets, or in a placeholder without `Fn::Sub`: the
/// help of that diagnostic is to use it.
fn leave_out_of_strings(diagnostics: &mut Diagnostics) {
    let strings = diagnostics
        .iter()
        .filter(|found| [codes::PLAIN_SUB, codes::FORGOTTEN_SUB, codes::SUB_VARIABLE].contains(&found.code));
    let advised: HashSet<String> = strings.flat_map(Diagnostic::advised_names).map(str::to_owned).collect();
    leave_out_unused(diagnostics, |name| advised.contains(name));
}

fn leave_out_unused(diagnostics: &mut Diagnostics, is_used: impl Fn(&str) -> bool) {
    diagnostics.retain(|found| found.code != codes::UNUSED_NAME || !found.name().is_some_and(&is_used));
}

/// Leaves out what is found at references to names that are declared in a misspelt section, or in one that is lost, since a
/// later one has its name; and what is found of the content of a misspelt one.
fn leave_out_of_sections(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    if tree.kind(root) != Kind::Map {
        return;
    }
    let misspelt: Vec<(Section, Entry)> =
        tree.entries(root).filter_map(|entry| Some((meant(tree, root, entry)?, entry))).collect();
    let lost = tree.lost_of(root).filter_map(|entry| Some((Section::from_symbol(tree.symbol(entry.key))?, entry)));
    let mut names: HashSet<(Namespace, &str)> = HashSet::new();
    for (section, entry) in misspelt.iter().copied().chain(lost) {
        let namespaces: &[Namespace] = match section {
            Section::Parameters | Section::Resources => &[Namespace::Values],
            Section::Conditions => &[Namespace::Conditions, Namespace::Values],
            Section::Mappings => &[Namespace::Mappings],
            _ => &[],
        };
        let keys = || tree.entries(entry.value).map(|entry| tree.text(entry.key));
        names.extend(namespaces.iter().flat_map(|&namespace| keys().map(move |name| (namespace, name))));
    }
    if names.is_empty() && misspelt.is_empty() {
        return;
    }
    let places = LostReferences::find(tree, sources, root, &|namespace, name| names.contains(&(namespace, name)));
    let is_transform = misspelt.iter().any(|(section, _)| *section == Section::Transform);
    let is_in = |place: Span| {
        misspelt.iter().any(|(_, entry)| {
            let (key, value) = (tree.span(entry.key), tree.span(entry.value));
            key.start() <= place.start() && place.end() <= value.end().max(key.end())
        })
    };
    diagnostics.retain(|found| match found.code {
        codes::TRANSFORM if is_transform => false,
        codes::FUNCTION_NOT_ALLOWED if is_in(found.span()) => false,
        _ => found.severity < Severity::Error || !places.meet(found.span()),
    });
}

/// The section that a misspelt key means.
fn meant(tree: &Tree, root: NodeId, entry: Entry) -> Option<Section> {
    let name = tree.text(entry.key);
    let known = || Section::ALL.iter().map(|section| section.name()).chain(MODULE_SECTIONS);
    // Most keys are right: nothing is compared with them.
    if known().any(|section| section == name) {
        return None;
    }
    let near = suggest::nearest(name, known()).filter(|near| tree.get_text(root, near).is_none())?;
    Section::ALL.into_iter().find(|section| section.name() == near)
}

/// Leaves out what is found of the value of an unknown function: it is not what it was meant to be.
fn leave_out_of_functions(sources: &SourceMap, diagnostics: &mut Diagnostics) {
    const MOST: usize = 200;
    let is_unknown = |found: &Diagnostic| found.facts.contains(&Fact::UnknownFunction);
    let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error && is_unknown(one));
    let unknown: Vec<Span> = errors.map(Diagnostic::span).filter(|place| !place.is_none()).take(MOST).collect();
    if unknown.is_empty() {
        return;
    }
    diagnostics.retain(|found| {
        let span = found.span();
        let is_of_value = |place: &Span| span.start() <= place.start() && place.end() <= span.end();
        let is_argument = |place: &Span| {
            let is_behind = place.end() <= span.start() && span.start() - place.end() <= 4;
            is_behind
                && sources.slice(Span::new(place.end(), span.start())).trim_matches(['"', '\'', ':', ' ']).is_empty()
        };
        span.is_none() || is_unknown(found) || !unknown.iter().any(|place| is_of_value(place) || is_argument(place))
    });
}
