//! Names that a parameter and a resource share (reference/structure.md#names).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_template::Section;

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let mut found = Vec::new();
    for resource in cx.judged(Section::Resources) {
        let Some(parameter) = cx.template.parameter(tree.symbol(resource.key)) else { continue };
        let name = shown(tree.text(resource.key));
        let diagnostic =
            Diagnostic::new(codes::SHARED_NAME, format!("{name} is the name of a resource and of a parameter"))
                .at(tree.span(resource.key))
                .related(tree.span(parameter.key), "the parameter")
                .frames(tree.frame_chain(tree.frame_of(resource.key)))
                .note("a `Ref` to it could mean either of them")
                .help("rename one of the two, and what refers to it");
        found.push((diagnostic, cx.severity_of(resource.key)));
    }
    for (diagnostic, severity) in found {
        cx.push(diagnostic, severity);
    }
}
