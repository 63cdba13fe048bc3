//! Documents with rules: the template and constraint documents (reference/rules.md#constraints).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Document, Kind, NodeId, Tree};
use formwork_template::{Section, Template};

use super::model::{Rule, RuleSet};
use super::reader::Reader;
use super::unsupported;

/// Reads the rules of a template and of constraint documents; `None` after an error in them, which is reported. The
/// names of pseudo parameters have to be interned already.
pub fn read(
    tree: &Tree,
    template: &Template,
    document: Document,
    constraints: &[Document],
    diagnostics: &mut Diagnostics,
) -> Option<RuleSet> {
    let mut reader = Reader { tree, template, diagnostics, failed: false, requirement: String::new() };
    let mut rules: Vec<Rule> = Vec::new();
    let mut names: Vec<Name> = Vec::new();
    if let Some(section) = tree.get(template.root, Section::Rules.symbol()) {
        if tree.kind(section) == Kind::Map {
            names.extend(tree.entries(section).map(|entry| Name { key: entry.key, of_template: true }));
            rules.extend(read_section(&mut reader, section, document));
        } else if tree.argument_of(section, Known::Transform).is_none() {
            let message = "Rules is not an object";
            let help = "write rules under their names";
            reader.error(codes::RULES_STRUCTURE, section, message.to_owned(), help);
        }
    }
    for constraint in constraints {
        let Some(section) = constraint_section(&mut reader, constraint.root) else { continue };
        let before = names.len();
        for entry in tree.entries(section) {
            if let Some(first) = names[..before].iter().find(|other| tree.text(other.key) == tree.text(entry.key)) {
                clash(&mut reader, first, entry.key);
            }
            names.push(Name { key: entry.key, of_template: false });
        }
        rules.extend(read_section(&mut reader, section, *constraint));
    }
    (!reader.failed).then_some(RuleSet { rules })
}

struct Name {
    key: NodeId,
    of_template: bool,
}

fn read_section(reader: &mut Reader<'_>, section: NodeId, document: Document) -> Vec<Rule> {
    if let Some((diagnostic, _)) = unsupported::find(reader.tree, section) {
        reader.diagnostics.push(diagnostic.severity(Severity::Error));
        reader.failed = true;
    }
    reader.section(section, document.file)
}

fn constraint_section(reader: &mut Reader<'_>, root: NodeId) -> Option<NodeId> {
    let tree = reader.tree;
    let wrong = |reader: &mut Reader<'_>, node, message: String| {
        reader.error(codes::CONSTRAINT_DOCUMENT, node, message, "write `{\"Rules\": {...}}`");
    };
    if tree.kind(root) != Kind::Map {
        wrong(reader, root, "the constraint document is not an object".to_owned());
        return None;
    }
    for entry in tree.entries(root).collect::<Vec<_>>() {
        if tree.text(entry.key) != "Rules" {
            let name = shown(tree.text(entry.key));
            wrong(reader, entry.key, format!("a constraint document contains only the section Rules, not {name}"));
        }
    }
    match tree.get_text(root, "Rules") {
        Some(section) if tree.kind(section) == Kind::Map => Some(section),
        Some(section) => {
            wrong(reader, section, "Rules is not an object".to_owned());
            None
        }
        None => {
            wrong(reader, root, "the constraint document has no Rules".to_owned());
            None
        }
    }
}

fn clash(reader: &mut Reader<'_>, first: &Name, second: NodeId) {
    let name = shown(reader.tree.text(second));
    let message = if first.of_template {
        let sentence =
            format!("Template error: rule name [{name}] is used both in the template and in a constraint document");
        format!("duplicate rule name {name}: `{sentence}`")
    } else {
        format!("rule name {name} is used in two constraint documents")
    };
    let diagnostic = Diagnostic::new(codes::CONSTRAINT_DOCUMENT, message)
        .at(reader.tree.span(second))
        .related(reader.tree.span(first.key), "the other one")
        .help("rename one of them");
    reader.diagnostics.push(diagnostic.severity(Severity::Error));
    reader.failed = true;
}
