//! Keys of `Globals`, the section of the serverless transform (reference/structure.md#globals).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes, suggest};
use formwork_syntax::{Kind, function, symbol};
use formwork_template::serverless_globals;

use crate::Context;

/// Reports keys that are near to a known one: the transform may get further ones.
pub(super) fn check(cx: &mut Context<'_>) {
    if !cx.template.is_serverless() || !cx.goal.is_thorough() {
        return;
    }
    let Some(globals) = cx.tree.get(cx.template.root, symbol::GLOBALS) else { return };
    if cx.tree.kind(globals) != Kind::Map {
        return;
    }
    for kind in cx.tree.entries(globals).collect::<Vec<_>>() {
        let name = cx.tree.text(kind.key);
        let Some(known) = serverless_globals::properties(name) else {
            unknown_kind(cx, kind.key);
            continue;
        };
        for property in cx.tree.entries(kind.value).collect::<Vec<_>>() {
            if cx.tree.text(property.key) == "Properties" {
                let title = format!("Globals.{} has the unknown key Properties", shown(name));
                let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, title)
                    .at(cx.tree.span(property.key))
                    .note("the serverless transform rejects it: `'Globals' section is invalid.`")
                    .help(format!("remove the line, and write its properties below `{}:`", shown(name)));
                cx.push(diagnostic, cx.as_written());
            } else if !known.contains(&cx.tree.text(property.key)) {
                let place = format!("Globals.{name}");
                key(cx, property.key, &place, &mut known.iter().copied());
            }
        }
    }
}

/// Reports a key of `Globals` that the transform does not know.
fn unknown_kind(cx: &mut Context<'_>, key: formwork_syntax::NodeId) {
    let name = cx.tree.text(key);
    if function::loop_name(name).is_some() || name.starts_with("Fn::") {
        return;
    }
    let near = suggest::nearest(name, serverless_globals::types()).or(match name.to_ascii_lowercase().as_str() {
        "lambda" | "functions" | "awslambda" | "aws::serverless::function" => Some("Function"),
        "apigateway" | "restapi" | "rest" => Some("Api"),
        "table" | "dynamodb" => Some("SimpleTable"),
        "stepfunctions" | "workflow" => Some("StateMachine"),
        _ => None,
    });
    let name = shown(name);
    let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("Globals has the unknown key {name}"))
        .at(cx.tree.span(key))
        .note(format!(
            "the serverless transform rejects it: `'Globals' section is invalid. '{name}' is not supported.`"
        ));
    let diagnostic = if let Some(near) = near {
        diagnostic.help(format!("did you mean `{near}`?")).unsafe_fix("rename the key", cx.tree.span(key), near)
    } else {
        let known: Vec<&str> = serverless_globals::types().collect();
        diagnostic.help(format!("the keys of Globals are {}", known.join(", ")))
    };
    cx.push(diagnostic, cx.as_written());
}

fn key(cx: &mut Context<'_>, key: formwork_syntax::NodeId, place: &str, known: &mut dyn Iterator<Item = &'static str>) {
    let name = cx.tree.text(key);
    if function::loop_name(name).is_some() || name.starts_with("Fn::") {
        return;
    }
    let Some(near) = suggest::nearest(name, known) else { return };
    let name = shown(name);
    let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("{place} has the unknown key {name}"))
        .at(cx.tree.span(key))
        .note(format!(
            "the serverless transform rejects it: `'Globals' section is invalid. '{name}' is not supported.`"
        ))
        .help(format!("did you mean `{near}`?"))
        .fix("rename the key", cx.tree.span(key), near);
    cx.push(diagnostic, cx.as_written());
}
