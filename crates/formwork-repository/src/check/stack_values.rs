//! FW1514: values of a stack that its template does not have, and parameters without a value.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};

use super::Found;
use crate::template::Template;

pub(super) fn check(templates: &[Template], found: &mut Vec<Found>) {
    for (number, template) in templates.iter().enumerate() {
        for wrong in &template.values {
            let (name, source) = (shown(&wrong.parameter), shown(&wrong.source));
            let diagnostic = match wrong.missing {
                Some(declaration) => {
                    Diagnostic::new(codes::STACK_VALUES, format!("parameter `{name}` has no value in a stack"))
                        .at(declaration)
                        .note(format!("the stack of {source} passes none, and the parameter has no `Default`"))
                        .help(format!("add `{name}` to the `parameters` of the stack"))
                }
                None => Diagnostic::new(
                    codes::STACK_VALUES,
                    format!("a stack passes `{name}`, which the template does not declare"),
                )
                .at(wrong.span)
                .note(format!("the stack of {source} has the value"))
                .help(match &wrong.near {
                    Some(near) => format!("did you mean `{}`?", shown(near)),
                    None => "declare the parameter, or remove the value".to_owned(),
                }),
            };
            found.push((number, diagnostic));
        }
    }
}
