//! The document and its top-level sections (reference/structure.md#sections).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, function, symbol};
use formwork_template::Section;
use formwork_template::template::MODULE_SECTIONS;

use super::foreign_names;
use crate::Context;

pub(super) fn document(cx: &mut Context<'_>) -> bool {
    let root = cx.template.root;
    if cx.tree.kind(root) == Kind::Map {
        return true;
    }
    let what = match cx.tree.kind(root) {
        Kind::List => "a list",
        Kind::Null => "empty",
        Kind::Call => "a function",
        _ => "a string",
    };
    let diagnostic = Diagnostic::new(
        codes::WRONG_KIND,
        format!("the template is {what}, not a mapping: `Template format error: unsupported structure.`"),
    )
    .at(cx.tree.span(root))
    .help("a template maps section names to their contents: `Resources: {...}`");
    cx.push(diagnostic, Severity::Error);
    false
}

pub(super) fn check(cx: &mut Context<'_>) {
    let has_macros = cx.template.has_own_macros();
    for entry in cx.tree.entries(cx.template.root).collect::<Vec<_>>() {
        let name = cx.tree.text(entry.key);
        let Some(section) = Section::from_symbol(cx.tree.symbol(entry.key)) else {
            // Loops are reported elsewhere. Sections of modules are still there if the file is not well-formed.
            let is_for_others = function::loop_name(name).is_some() || MODULE_SECTIONS.contains(&name);
            if !is_for_others && cx.tree.symbol(entry.key) != symbol::FN_TRANSFORM {
                unknown(cx, entry.key);
            }
            continue;
        };
        match section {
            Section::FormatVersion => format_version(cx, entry.value),
            Section::Globals if !cx.template.is_serverless() && !has_macros => unknown(cx, entry.key),
            Section::Parameters | Section::Mappings | Section::Conditions | Section::Outputs | Section::Rules => {
                let kind = cx.tree.kind(entry.value);
                if !matches!(kind, Kind::Map | Kind::Call | Kind::Null) {
                    let diagnostic = Diagnostic::new(
                        codes::WRONG_KIND,
                        format!(
                            "{} is not a mapping: `Template format error: Any {} member must be an object.`",
                            section.name(),
                            section.name()
                        ),
                    )
                    .at(cx.tree.span(entry.value))
                    .help(format!("write names below `{}:`, or remove the section", section.name()));
                    cx.push(diagnostic, cx.as_written());
                }
            }
            _ => {}
        }
    }
}

/// Returns `true` if a key begins as comments of JavaScript do.
pub(super) fn is_comment(text: &str) -> bool {
    text.starts_with("//") || text.starts_with("/*")
}

fn unknown(cx: &mut Context<'_>, key: formwork_syntax::NodeId) {
    if is_comment(cx.tree.text(key)) {
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_SECTION, "a comment in JSON is read as a key")
            .at(cx.tree.span(key))
            .note("neither JSON nor CloudFormation has comments of this form")
            .help("remove the comment, or write the template in YAML, where `#` begins one");
        return cx.push(diagnostic, Severity::Error);
    }
    let first = cx.tree.text(key).chars().next().filter(|c| !c.is_ascii() && !c.is_alphanumeric());
    if let Some(first) = first {
        let name = shown(cx.tree.text(key).trim_start_matches(|c: char| !c.is_ascii()));
        let title = format!("the line of {name} begins with U+{:04X}, which is not a space", u32::from(first));
        let help = format!("remove it, and indent `{name}` with spaces");
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_SECTION, title).at(cx.tree.span(key)).help(help);
        return cx.push(diagnostic, cx.as_written());
    }
    let name = shown(cx.tree.text(key));
    let known = Section::ALL.iter().map(|section| section.name()).chain(MODULE_SECTIONS);
    let near = suggest::nearest(&name, known);
    // A macro may use a section of its own.
    if near.is_none() && cx.template.has_own_macros() {
        return;
    }
    let what =
        if name.is_empty() { "the name of a section is empty".to_owned() } else { format!("unknown section {name}") };
    let mut diagnostic = Diagnostic::new(
        codes::UNKNOWN_SECTION,
        format!("{what}: `Template format error: Invalid template property or properties [{name}]`"),
    )
    .at(cx.tree.span(key));
    diagnostic = match near {
        Some(near) => {
            diagnostic.help(format!("did you mean `{near}`?")).fix("rename the section", cx.tree.span(key), near)
        }
        None => diagnostic.help(
            foreign_names::section(&name)
                .unwrap_or("put your own data under `Metadata`, and resources under `Resources`"),
        ),
    };
    // A function that only this engine knows cannot be left in an output.
    let is_ours = Known::from_long(&name).is_some_and(Known::is_local);
    let severity = if is_ours { Severity::Error } else { cx.as_written() };
    cx.push(diagnostic, severity);
}

fn format_version(cx: &mut Context<'_>, node: formwork_syntax::NodeId) {
    if cx.tree.kind(node) == Kind::Null || cx.tree.text(node) == "2010-09-09" {
        return;
    }
    let diagnostic = Diagnostic::new(
        codes::WRONG_KIND,
        "unsupported format version: `Template format error: unsupported value for AWSTemplateFormatVersion.`",
    )
    .at(cx.tree.span(node))
    .help("write `AWSTemplateFormatVersion: \"2010-09-09\"`");
    cx.push(diagnostic, cx.as_written());
}
