//! The Transform section: order and form of its entries (reference/transform.md#declare).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::{Kind, NodeId, Tree, View, flags, function::Known, symbol};
use formwork_template::template::{LANGUAGE_EXTENSIONS, SERVERLESS};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let names: Vec<(String, NodeId)> =
        cx.template.transforms.iter().map(|transform| (transform.name.clone(), transform.node)).collect();
    for (name, node) in &names {
        if name.is_empty() && cx.tree.kind(*node) != Kind::Null {
            let diagnostic = Diagnostic::new(
                codes::TRANSFORM,
                "the name of a transform is not a literal string: `Key Name of transform definition must be a string.`",
            )
            .at(cx.tree.span(*node))
            .help(format!("write the name literally: `Transform: {LANGUAGE_EXTENSIONS}`"));
            cx.push(diagnostic, cx.as_written());
        }
    }
    for (name, node) in &names {
        unknown(cx, name, *node);
    }
    let position = |wanted: &str| names.iter().position(|(name, _)| name == wanted);
    if let (Some(ours), Some(serverless)) = (position(LANGUAGE_EXTENSIONS), position(SERVERLESS))
        && serverless < ours
    {
        let diagnostic =
            Diagnostic::new(codes::TRANSFORM, format!("{LANGUAGE_EXTENSIONS} is listed after {SERVERLESS}"))
                .at(cx.tree.span(names[ours].1))
                .related(cx.tree.span(names[serverless].1), "CloudFormation runs this one first")
                .note("CloudFormation runs transforms in order; Formwork expands the language extensions first anyway")
                .help(format!("write `Transform: [{LANGUAGE_EXTENSIONS}, {SERVERLESS}]`"));
        cx.push(diagnostic, Severity::Warning);
    }
    embedded(cx, cx.template.root);
}

/// Reports a transform of AWS that does not exist. Other names are those of macros in an account.
fn unknown(cx: &mut Context<'_>, name: &str, node: NodeId) {
    const OTHERS: [&str; 7] = [
        SERVERLESS,
        "AWS::CodeDeployBlueGreen",
        "AWS::CodeStar",
        "AWS::Include",
        "AWS::SecretsManager-2020-07-23",
        "AWS::SecretsManager-2024-09-16",
        "AWS::ServiceCatalog",
    ];
    let known = || OTHERS.into_iter().chain([LANGUAGE_EXTENSIONS]);
    if known().any(|known| known == name) {
        return;
    }
    // Other names may be transforms that are newer than this program, or macros of the account, unless one is the end
    // of a known name.
    let is_rest = |known: &&str| known.trim_start_matches("AWS::").eq_ignore_ascii_case(name.trim_start_matches(':'));
    let is_start = |known: &&str| name.len() > "AWS::".len() && known.starts_with(name);
    let is_of_aws = name.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("AWS"));
    let near = if is_of_aws {
        suggest::nearest(name, known()).or_else(|| known().find(is_start))
    } else {
        suggest::slip(name, known())
    };
    let near = near.or_else(|| known().find(is_rest));
    let Some(near) = near else { return };
    let without_date = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "0");
    if near != SERVERLESS && without_date(name) == without_date(near) {
        return;
    }
    let place = cx.tree.get(node, symbol::NAME).unwrap_or(node);
    let sentence = format!("No transform named {name} found.");
    let diagnostic = Diagnostic::new(codes::TRANSFORM, format!("unknown transform {}", shown(name)))
        .at(cx.tree.span(place))
        .quoting(&shown(&sentence))
        .help(format!("did you mean `{near}`?"))
        .unsafe_fix("change the name", cx.tree.span(place), near);
    cx.push(diagnostic, cx.as_written());
}

/// Reports the language transform in another section, where it cannot be embedded.
fn embedded(cx: &mut Context<'_>, node: NodeId) {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if !cx.tree.has(node, flags::HAS_TRANSFORM) {
            continue;
        }
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => pending.extend(cx.tree.entries(node).map(|entry| entry.value)),
            View::Call(_, argument) => {
                if let Some(name) = embedded_name(cx.tree, node) {
                    let diagnostic = Diagnostic::new(
                        codes::TRANSFORM,
                        format!("{LANGUAGE_EXTENSIONS} cannot be embedded with Fn::Transform"),
                    )
                    .at(cx.tree.span(name))
                    .help(format!("declare it at the top: `Transform: {LANGUAGE_EXTENSIONS}`"));
                    cx.push(diagnostic, Severity::Error);
                }
                pending.push(argument);
            }
            _ => {}
        }
    }
}

fn embedded_name(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let name = tree.get(tree.argument_of(node, Known::Transform)?, symbol::NAME)?;
    (tree.string(name) == Some(LANGUAGE_EXTENSIONS)).then_some(name)
}
