//! The consequences of a misspelt section or function: one mistake is one error.

use std::collections::HashSet;

use formwork_base::{Code, Diagnostic, Diagnostics, Fact, Severity, SourceMap, Span, codes, suggest};
use formwork_syntax::{Entry, Kind, NodeId, Tree};
use formwork_template::Section;
use formwork_template::template::MODULE_SECTIONS;

use super::lost_names::{LostReferences, Namespace};

/// Codes of diagnostics about a value that is not a call.
const OF_VALUES: [Code; 3] = [codes::FUNCTION_LAYOUT, codes::CONDITION_LAYOUT, codes::WRONG_KIND];

pub(super) fn leave_out(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    leave_out_of_sections(tree, root, sources, diagnostics);
    leave_out_of_functions(sources, diagnostics);
    leave_out_of_strings(diagnostics);
    leave_out_of_misquoted(sources, diagnostics);
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
    let strings = diagnostics.iter().filter(|found| [codes::PLAIN_SUB, codes::FORGOTTEN_SUB].contains(&found.code));
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
    let section = |entry: Entry| Section::ALL.into_iter().find(|section| section.symbol() == tree.symbol(entry.key));
    let lost = tree.lost_of(root).filter_map(|entry| Some((section(entry)?, entry)));
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
    let near = suggest::nearest(name, known()).filter(|near| *near != name && tree.get_text(root, near).is_none())?;
    Section::ALL.iter().copied().find(|section| section.name() == near)
}

/// Leaves out errors about a value that is an object because its function is misspelt.
fn leave_out_of_functions(sources: &SourceMap, diagnostics: &mut Diagnostics) {
    const MOST: usize = 200;
    let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let unknown = errors.filter(|one| one.facts.contains(&Fact::UnknownFunction) && !one.span().is_none());
    let unknown: Vec<(Span, String)> =
        unknown.take(MOST).map(|one| (one.span(), sources.slice(one.span()).to_owned())).collect();
    if unknown.is_empty() {
        return;
    }
    diagnostics.retain(|found| {
        let span = found.span();
        let is_about_it = |(place, name): &(Span, String)| {
            let is_here = span.start() <= place.start() && place.end() <= span.end();
            is_here || name.starts_with('!') && found.message.contains(name.as_str())
        };
        // The argument of the function is not a plain string.
        let is_argument = |(place, _): &(Span, String)| {
            let is_plain = matches!(found.code, codes::FORGOTTEN_SUB | codes::FORGOTTEN_REF);
            let is_behind = is_plain && place.end() < span.start() && span.start() - place.end() <= 4;
            is_behind
                && sources.slice(Span::new(place.end(), span.start())).trim_matches(['"', '\'', ':', ' ']).is_empty()
        };
        let is_of_value = OF_VALUES.contains(&found.code) && unknown.iter().any(is_about_it);
        span.is_none() || !(is_of_value || unknown.iter().any(is_argument))
    });
}
