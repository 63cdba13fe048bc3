//! Recognizes templates by their trees, however the keys are spelled (reference/command-line.md#templates).

use formwork_base::Diagnostics;
use formwork_base::suggest::nearest;
use formwork_syntax::function::Known;
use formwork_syntax::{Document, Kind, NodeId, Tree};

/// Sections that only templates have. The other sections are found in files of other kinds, too.
pub const TELLING_SECTIONS: [&str; 3] = ["AWSTemplateFormatVersion", "Resources", "Modules"];

/// Every section of a template.
pub const SECTIONS: [&str; 13] = [
    "AWSTemplateFormatVersion",
    "Resources",
    "Modules",
    "Parameters",
    "Mappings",
    "Conditions",
    "Rules",
    "Outputs",
    "Hooks",
    "Globals",
    "Transform",
    "Metadata",
    "Description",
];

/// Sections of the module language that [`SECTIONS`] does not have (reference/modules/README.md#sections).
const MODULE_SECTIONS: [&str; 3] = ["Constants", "Packages", "ParameterSchema"];

fn is_section(name: &str) -> bool {
    SECTIONS.contains(&name) || MODULE_SECTIONS.contains(&name)
}

/// Sections that other files have, too: by themselves they decide nothing.
const COMMON: [&str; 4] = ["Parameters", "Metadata", "Description", "Transform"];

/// Returns `true` when a file that a search found is a template: it has a section that other files do not have, a
/// transform of AWS, or nothing but sections.
pub fn is_template(tree: &Tree, root: NodeId) -> bool {
    let names = || tree.entries(root).map(|entry| tree.text(entry.key));
    if names().any(|name| TELLING_SECTIONS.contains(&name)) {
        return true;
    }
    let is_of_aws = |node: NodeId| tree.string(node).is_some_and(|name| name.starts_with("AWS::"));
    let mut transforms = tree.entries(root).filter(|entry| tree.text(entry.key) == "Transform");
    if transforms.any(|entry| is_of_aws(entry.value) || tree.items(entry.value).iter().any(|&item| is_of_aws(item))) {
        return true;
    }
    names().any(|name| SECTIONS.contains(&name) && !COMMON.contains(&name)) && names().all(is_section)
}

/// Returns `true` when a section that only templates have is at the beginning of a line, or at the top level of an
/// object.
pub fn is_plainly_template(text: &str) -> bool {
    let is_telling = |key: &str| TELLING_SECTIONS.contains(&key.trim_end().trim_matches(['"', '\'']));
    let begun = text.trim_start();
    match begun.strip_prefix('{') {
        Some(rest) => has_key(rest, &is_telling),
        None => text.lines().any(|line| is_telling(line.split(':').next().unwrap_or_default()) && line.contains(':')),
    }
}

/// Returns `true` when an object has a wanted key. `text` begins after its brace.
fn has_key(text: &str, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    let (mut depth, mut quote, mut is_escaped, mut start) = (0usize, None, false, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some('"'), '\\') => is_escaped = true,
            (Some(mark), _) if mark == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') if depth == 0 => return false,
            (None, '}' | ']') => depth -= 1,
            (None, ',') if depth == 0 => start = at + 1,
            (None, ':') if depth == 0 && is_wanted(text[start..at].trim_start()) => return true,
            _ => {}
        }
    }
    false
}

/// Returns `true` when a line of a file that is not well-formed begins with a section, or has a resource type.
fn mentions_section(text: &str) -> bool {
    let key = |line: &str| {
        line.split(':').next().unwrap_or_default().trim_matches([' ', '\t', '"', '\'', '{', ',']).to_owned()
    };
    text.lines().any(|line| line.contains(':') && is_section(&key(line)))
        || text.lines().any(|line| key(line) == "Type" && line.contains("AWS::"))
}

/// Returns `true` for a file with nothing but document markers and nulls.
fn is_blank(text: &str) -> bool {
    const MARKS: [&str; 7] = ["---", "...", "{}", "{", "}", "null", "~"];
    text.trim_start_matches('\u{feff}').split_whitespace().all(|word| MARKS.contains(&word))
}

/// Returns `true` when a file on the command line is meant to be a template, whatever its mistakes: it has something at
/// the top level that is, or is nearly, a section, a function or a resource. No other file is quoted.
pub fn is_meant_as_template(tree: &Tree, document: &Document, text: &str) -> bool {
    let root = document.root;
    // In a file that cannot be read to its end, the sections may be behind the error.
    if !document.is_well_formed && (is_plainly_template(text) || mentions_section(text)) {
        return true;
    }
    match tree.kind(root) {
        // A file of comments alone may be anything.
        Kind::Null => return document.is_well_formed && is_blank(text),
        // The whole template is included.
        Kind::Call => return tree.argument_of(root, Known::Transform).is_some(),
        Kind::Map => {}
        _ => return false,
    }
    let is_nearly_section = |name: &str| is_section(name) || nearest(name, SECTIONS).is_some();
    let has_type = |node: NodeId| {
        let mut members = tree.entries(node).filter(|entry| tree.text(entry.key) == "Type");
        members.any(|entry| tree.string(entry.value).is_some_and(|name| name.contains("::")))
    };
    let mut entries = tree.entries(root).peekable();
    (entries.peek().is_none() && is_blank(text))
        || entries.any(|entry| {
            let name = tree.text(entry.key);
            is_nearly_section(name)
                || name.starts_with("Fn::")
                || has_type(entry.value)
                || tree.entries(entry.value).any(|inner| has_type(inner.value))
        })
}

/// Returns the sentences of CloudFormation in the diagnostics of a file that is not quoted: they have locations, and no
/// content of it.
pub fn sentences(found: &Diagnostics) -> Option<String> {
    let mut texts = found.iter().flat_map(|one| one.notes.iter().chain(std::iter::once(&one.message)));
    let quoted = |text: &String| {
        let start = text.find("`Template format error: ")?;
        let sentence = text[start..].split_inclusive('`').take(2).collect::<String>();
        ["YAML", "JSON"]
            .iter()
            .any(|format| sentence.contains(&format!("{format} not well-formed.")))
            .then_some(sentence)
    };
    texts.find_map(quoted)
}
