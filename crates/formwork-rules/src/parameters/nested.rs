//! The parameters that a template passes to a nested one, by their names
//! (reference/packaging.md#nested).

use formwork_base::{Diagnostic, Severities, codes, suggest};
use formwork_syntax::document::shown;

use crate::{Context, Parent};

/// Reports parameters that are passed and not declared, and parameters that need a value and get none.
/// Where they are passed, nothing else can give them a value.
pub(super) fn check(cx: &mut Context<'_>, parent: Parent<'_>) {
    let (Some(names), Some(severity)) = (parent.names, Severities::Thorough.at(cx.goal)) else { return };
    for (name, span) in names {
        let declared = cx.template.parameters.iter().map(|parameter| cx.tree.name(parameter.name));
        if declared.clone().any(|known| known == name) {
            continue;
        }
        let near = suggest::nearest(name, declared).map(str::to_owned);
        let name = shown(name);
        let message = format!(
            "{} passes {name}, which {} does not declare: `Parameters: [{name}] do not exist in the template`",
            shown(parent.resource),
            shown(parent.path),
        );
        let diagnostic = Diagnostic::new(codes::NOT_DECLARED, message).at(*span);
        let diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => {
                diagnostic.help(format!("declare it under Parameters of {}, or remove it here", shown(parent.path)))
            }
        };
        cx.push(diagnostic, severity);
    }
    for parameter in &cx.template.parameters.clone() {
        let name = cx.tree.name(parameter.name).to_owned();
        if parameter.default.is_some() || names.iter().any(|(passed, _)| *passed == name) {
            continue;
        }
        let (name, resource) = (shown(&name), shown(parent.resource));
        let message =
            format!("{name} has no Default, and {resource} passes no value: `Parameters: [{name}] must have values`");
        let diagnostic = Diagnostic::new(codes::VALUE_MISSING, message)
            .at(cx.tree.span(parameter.key))
            .related(parent.key, "it passes no value")
            .help(format!("write `{name}: VALUE` under Parameters of {resource}, or give it a Default here"));
        cx.push(diagnostic, severity);
    }
}
