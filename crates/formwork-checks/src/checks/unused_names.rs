//! Parameters, mappings and conditions that are not used (reference/structure.md#unused).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes};
use formwork_syntax::{Kind, flags, function, symbol};
use formwork_template::Section;
use formwork_template::uses::Uses;

use super::cdk;
use crate::Context;

/// Checks the template as its author wrote it, with its modules and includes. After an error, the use may be the error.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::UNUSED_NAME) else { return };
    // A macro of the author sees every parameter and the whole template, and the content of an include from elsewhere
    // may use any name.
    let has_macros = cx.template.has_own_macros() || cx.tree.has(cx.template.root, flags::HAS_TRANSFORM);
    if has_macros || cx.diagnostics.has_errors() || cdk::wrote(cx) {
        return;
    }
    let mut roots = vec![cx.document.root, cx.template.root];
    roots.dedup();
    let uses: Vec<Uses> = roots.into_iter().map(|root| Uses::of_template(cx.tree, root)).collect();
    for section in [Section::Parameters, Section::Mappings, Section::Conditions] {
        let declared = cx.tree.get(cx.document.root, section.symbol());
        let Some(node) = declared.filter(|&node| cx.tree.kind(node) == Kind::Map) else { continue };
        for entry in cx.tree.entries(node).collect::<Vec<_>>() {
            if cx.is_cancelled() {
                return;
            }
            let name = cx.tree.text(entry.key);
            if function::loop_name(name).is_some()
                || name.starts_with("Fn::")
                || name.contains('$')
                || cdk::has_hash(name)
            {
                continue;
            }
            let of_type = cx.tree.get(entry.value, symbol::TYPE).map_or("", |kind| cx.tree.text_form(kind));
            if uses.iter().any(|uses| uses.has(section, name, of_type)) {
                continue;
            }
            let what = match section {
                Section::Parameters => "parameter",
                Section::Mappings => "mapping",
                _ => "condition",
            };
            let diagnostic = Diagnostic::new(codes::UNUSED_NAME, format!("nothing uses {what} {}", shown(name)))
                .at(cx.tree.span(entry.key))
                .help("use it, or remove it")
                .fact(Fact::Name(name.to_owned()));
            cx.push(diagnostic, severity);
        }
    }
}
