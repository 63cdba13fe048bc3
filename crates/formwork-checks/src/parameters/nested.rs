//! Parameters that a template passes to a nested one, by their names (reference/packaging.md#nested).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Severities, codes};

use rustc_hash::FxHashSet;

use crate::{Context, Parent};

/// Reports parameters that are passed and not declared, and required parameters that are not passed. Where they are
/// passed, nothing else can set them.
pub(super) fn check(cx: &mut Context<'_>, parent: Parent<'_>) {
    let (Some(names), Some(severity)) = (parent.names, Severities::Thorough.at(cx.goal)) else { return };
    let declared: FxHashSet<&str> = cx.template.parameters.iter().map(|known| cx.tree.name(known.name)).collect();
    for (name, span) in names.iter().filter(|(name, _)| !declared.contains(name.as_str())) {
        let known = cx.template.parameters.iter().map(|parameter| cx.tree.name(parameter.name));
        let near = cx.diagnostics.suggester().nearest(name, known).map(str::to_owned);
        let name = shown(name);
        let message = format!(
            "{} passes {name}, which {} does not declare: `Parameters: [{name}] do not exist in the template`",
            shown(parent.resource),
            shown(parent.path),
        );
        let diagnostic = Diagnostic::new(codes::NOT_DECLARED, message).at(*span).fact(Fact::Name(name.clone()));
        let diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => {
                diagnostic.help(format!("declare it under Parameters of {}, or remove it here", shown(parent.path)))
            }
        };
        cx.push(diagnostic, severity);
    }
    let passed: FxHashSet<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    for parameter in &cx.template.parameters {
        let name = cx.tree.name(parameter.name);
        if parameter.default.is_some() || passed.contains(name) {
            continue;
        }
        let (name, resource) = (shown(name), shown(parent.resource));
        let message =
            format!("{name} has no Default, and {resource} passes no value: `Parameters: [{name}] must have values`");
        let diagnostic = Diagnostic::new(codes::VALUE_MISSING, message)
            .at(cx.tree.span(parameter.key))
            .related(parent.key, "it passes no value")
            .help(format!("write `{name}: VALUE` under Parameters of {resource}, or add a Default here"));
        cx.push(diagnostic, severity);
    }
}
