//! The consequences of a misspelt section or function: one mistake is one error.

use std::collections::{HashMap, HashSet};

use formwork_base::{Code, Diagnostic, Diagnostics, Fact, Severity, SourceMap, Span, codes, suggest};
use formwork_syntax::{Kind, NodeId, Tree, symbol};
use formwork_template::Section;
use formwork_template::template::MODULE_SECTIONS;

/// Codes of diagnostics about a name that is declared nowhere.
const OF_NAMES: [Code; 6] = [
    codes::UNRESOLVED_NAME,
    codes::NO_SUCH_ATTRIBUTE,
    codes::NO_MAPPING_ENTRY,
    codes::UNKNOWN_CONDITION,
    codes::COLLECTION,
    codes::ABSENT_RESOURCE,
];
/// Codes of diagnostics about a value that is not a call.
const OF_VALUES: [Code; 3] = [codes::FUNCTION_LAYOUT, codes::CONDITION_LAYOUT, codes::WRONG_KIND];

struct Misspelt {
    meant: &'static str,
    span: Span,
}

pub(super) fn leave_out(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    leave_out_of_sections(tree, root, sources, diagnostics);
    leave_out_of_functions(sources, diagnostics);
    leave_out_of_lost_sections(tree, root, sources, diagnostics);
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

/// Leaves out errors about names that are declared in a section that is lost, since a later one has its name.
fn leave_out_of_lost_sections(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let mut names = HashSet::new();
    for section in tree.lost_of(root) {
        let depth = match tree.symbol(section.key) {
            symbol::PARAMETERS | symbol::CONDITIONS | symbol::RESOURCES => 1,
            symbol::MAPPINGS => 3,
            _ => 0,
        };
        add_keys(tree, section.value, depth, &mut names);
    }
    if names.is_empty() {
        return;
    }
    diagnostics.retain(|found| {
        let span = found.span();
        let mut words = sources.slice(span).split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1);
        span.is_none() || !OF_NAMES.contains(&found.code) || !words.any(|word| names.contains(word))
    });
}

/// Adds the keys of an object and of the objects in it, down to a depth.
fn add_keys<'t>(tree: &'t Tree, object: NodeId, depth: usize, names: &mut HashSet<&'t str>) {
    if depth == 0 {
        return;
    }
    for entry in tree.entries(object) {
        names.insert(tree.text(entry.key));
        add_keys(tree, entry.value, depth - 1, names);
    }
}

/// Leaves out errors about names that a misspelt section declares, and about its content.
fn leave_out_of_sections(tree: &Tree, root: NodeId, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    if tree.kind(root) != Kind::Map || !diagnostics.iter().any(|found| found.code == codes::UNKNOWN_SECTION) {
        return;
    }
    let mut sections = Vec::new();
    let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
    // Nothing refers to an output by its name.
    let is_declaring = |meant: &str, code: Code| match code {
        codes::UNKNOWN_CONDITION => meant == "Conditions",
        codes::NO_MAPPING_ENTRY => meant == "Mappings",
        codes::COLLECTION => ["Parameters", "Mappings"].contains(&meant),
        codes::UNRESOLVED_NAME | codes::NO_SUCH_ATTRIBUTE | codes::ABSENT_RESOURCE => {
            ["Parameters", "Resources", "Conditions"].contains(&meant)
        }
        _ => false,
    };
    for entry in tree.entries(root) {
        let name = tree.text(entry.key);
        let known = || Section::ALL.iter().map(|section| section.name()).chain(MODULE_SECTIONS);
        let is_known = known().any(|known| known == name);
        let near = suggest::nearest(name, known()).filter(|near| !is_known && tree.get_text(root, near).is_none());
        let Some(meant) = near.filter(|near| !MODULE_SECTIONS.contains(near)) else { continue };
        let (key, value) = (tree.span(entry.key), tree.span(entry.value));
        sections.push(Misspelt { meant, span: Span::new(key.start(), value.end().max(key.end())) });
        for entry in tree.entries(entry.value) {
            names.entry(tree.text(entry.key)).or_default().push(meant);
        }
    }
    let is_in =
        |span: Span| sections.iter().any(|one| one.span.start() <= span.start() && span.end() <= one.span.end());
    let is_transform = sections.iter().any(|one| one.meant == tree.name(symbol::TRANSFORM));
    diagnostics.retain(|found| {
        let span = found.span();
        let follows = match found.code {
            codes::TRANSFORM => is_transform,
            codes::FUNCTION_NOT_ALLOWED => is_in(span),
            code => {
                let words = sources.slice(span).split(|c: char| !c.is_ascii_alphanumeric());
                let mut words = words.filter(|word| !word.is_empty());
                words.any(|word| names.get(word).is_some_and(|all| all.iter().any(|meant| is_declaring(meant, code))))
            }
        };
        span.is_none() || !follows
    });
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
