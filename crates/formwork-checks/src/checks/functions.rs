//! Functions that plain CloudFormation does not know, in a template that does not declare the
//! language transform (reference/transform.md#declare).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, flags, foreign_functions};
use formwork_template::{Section, supported};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    for section in [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs] {
        let Some(node) = cx.tree.get(cx.template.root, section.symbol()) else { continue };
        walk(cx, node);
    }
}

fn walk(cx: &mut Context<'_>, root: NodeId) {
    let looked_for = if cx.language_extensions { flags::HAS_OTHER } else { flags::HAS_OTHER | flags::HAS_CONSTRUCT };
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if cx.is_cancelled() {
            return;
        }
        if !cx.tree.has(node, looked_for) {
            continue;
        }
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items.iter().rev()),
            View::Map => pending.extend(cx.tree.entries(node).rev().map(|entry| entry.value)),
            View::Call(function, argument) => {
                let unsupported = match function {
                    Function::Known(known) => {
                        needs_transform(known) && !cx.language_extensions && !cx.template.has_own_macros()
                    }
                    Function::Other(_) => true,
                };
                if unsupported {
                    report(cx, node, function);
                }
                pending.push(argument);
            }
            _ => {}
        }
    }
}

fn short_name(name: &str) -> &str {
    name.trim_start_matches("Fn::")
}

/// Returns `true` if CloudFormation knows the function only with the language transform.
fn needs_transform(function: Known) -> bool {
    matches!(function, Known::Length | Known::ToJsonString)
}

/// Returns the loop that a key such as `Fn::Foreach::Nets` or `Fn::ForEach:Nets` means.
fn near_loop(key: &str) -> Option<String> {
    const NAME: &str = "ForEach";
    let rest = key.strip_prefix("Fn:")?.trim_start_matches(':');
    let (word, name) = rest.split_once(':').unwrap_or((rest, ""));
    let is_near = word.eq_ignore_ascii_case(NAME) || suggest::nearest(word, [NAME]).is_some();
    let name = name.trim_start_matches(':');
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_near && is_name).then(|| format!("Fn::{NAME}::{name}"))
}

fn report(cx: &mut Context<'_>, node: NodeId, function: Function) {
    let name = shown(cx.tree.function_name(function));
    let sentence = supported::unsupported_function(&name);
    let is_ours = matches!(function, Function::Known(_));
    let near = suggest::nearest(&name, Known::ALL.iter().map(|known| known.long())).map(str::to_owned);
    let near = near.or_else(|| near_loop(&name));
    // A macro may have functions of its own: those with names of their own.
    let is_slip =
        || suggest::nearest(short_name(&name), Known::ALL.iter().map(|known| short_name(known.long()))).is_some();
    if !is_ours && cx.template.has_own_macros() && !is_slip() {
        return;
    }
    let what =
        if is_ours { format!("{name} needs the language transform") } else { format!("unknown function {name}") };
    let mut diagnostic = Diagnostic::new(
        if is_ours { codes::TRANSFORM } else { codes::FUNCTION_NOT_ALLOWED },
        format!("{what}: `{sentence}`"),
    )
    .at(cx.tree.span(cx.tree.call_name(node)));
    if !is_ours {
        diagnostic = diagnostic.fact(Fact::UnknownFunction);
    }
    if is_ours {
        diagnostic = diagnostic.help("add `Transform: AWS::LanguageExtensions` to the template");
    } else if let Some(advice) = foreign_functions::advice(short_name(&name)) {
        diagnostic = diagnostic.help(advice);
    } else if let Some(near) = near {
        let is_undeclared = !cx.language_extensions
            && Known::ALL.iter().any(|&known| known.long() == near.as_str() && needs_transform(known));
        let with = if is_undeclared { " with `Transform: AWS::LanguageExtensions`" } else { "" };
        diagnostic = diagnostic.help(format!("did you mean `{near}`{with}?"));
    } else {
        diagnostic = diagnostic.help("write one of the supported functions; call your own macro with `Fn::Transform`");
    }
    cx.push(diagnostic, cx.as_written());
}
