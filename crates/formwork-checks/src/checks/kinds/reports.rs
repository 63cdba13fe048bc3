//! Diagnostics of values of the wrong kind.

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Span, codes};
use formwork_evaluate::layout_sentence;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Style, View, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::value_kinds::{KindsOf, ValueKinds};

use super::Misfit;
use super::positions::ValuePosition;
use crate::Context;
use crate::checks::written;

pub(super) fn report(cx: &mut Context<'_>, kinds: &KindsOf<'_>, misfit: &Misfit, span: Span) {
    let tree = cx.tree;
    let &Misfit { member, place, .. } = misfit;
    // A loop reports its generated values.
    let key = tree.span(member);
    if matches!(place, ValuePosition::Output | ValuePosition::Resource)
        && cx.diagnostics.is_reported(codes::NOT_AN_OBJECT, key)
    {
        return;
    }
    let mut diagnostic = Diagnostic::new(code(place, misfit.kinds), message(cx, misfit))
        .at(span)
        .frames(tree.frame_chain(tree.frame_of(member)));
    if let Some(reason) = reason(kinds, misfit) {
        diagnostic = diagnostic.note(reason);
    }
    if let Some(sentence) = sentence(cx, misfit) {
        diagnostic = diagnostic.quoting(&sentence);
    }
    let severity = cx.severity_of(member);
    cx.push(diagnostic.help(help(cx, misfit)), severity);
}

fn code(place: ValuePosition, kinds: ValueKinds) -> Code {
    match place {
        ValuePosition::Resource | ValuePosition::Output => codes::NOT_AN_OBJECT,
        ValuePosition::Description if kinds == ValueKinds::ANY => codes::FUNCTION_NOT_ALLOWED,
        ValuePosition::Argument { function: Known::Equals, .. } | ValuePosition::Condition(_) => {
            codes::CONDITION_LAYOUT
        }
        ValuePosition::Value(_) | ValuePosition::ExportName(_) if kinds == ValueKinds::OUTCOME => {
            codes::FUNCTION_NOT_ALLOWED
        }
        ValuePosition::Argument { .. } | ValuePosition::Variable { .. } => codes::FUNCTION_LAYOUT,
        _ => codes::WRONG_KIND,
    }
}

/// Describes the place in the words of its author.
fn subject(cx: &Context<'_>, misfit: &Misfit) -> String {
    let name = |node: NodeId| shown(cx.tree.text(node));
    let of = || name(misfit.member);
    match misfit.place {
        ValuePosition::Any => "the value".to_owned(),
        ValuePosition::Description => "Description".to_owned(),
        ValuePosition::Metadata => "Metadata".to_owned(),
        ValuePosition::Condition(key) => format!("condition {}", name(key)),
        ValuePosition::Resource => format!("resource {}", of()),
        ValuePosition::Attribute(key) | ValuePosition::Policy(key) | ValuePosition::DescriptionOf(key) => {
            format!("{} of {}", name(key), of())
        }
        ValuePosition::DependsOn => format!("DependsOn of {}", of()),
        ValuePosition::DependsOnElement => format!("an element of DependsOn of {}", of()),
        ValuePosition::Output => format!("output {}", of()),
        ValuePosition::Value(key) => format!("the Value of output {}", name(key)),
        ValuePosition::ExportName(key) => format!("the export name of output {}", name(key)),
        ValuePosition::Variable { key, .. } => format!("variable {} of Fn::Sub", name(key)),
        ValuePosition::Argument { function, rule, .. } => match &misfit.variable {
            Some((_, variable)) => format!("variable {} of Fn::Sub", shown(variable)),
            None => format!("{} of {}", rule.name, function.long()),
        },
    }
}

fn message(cx: &Context<'_>, misfit: &Misfit) -> String {
    let subject = subject(cx, misfit);
    let expected = match misfit.place {
        ValuePosition::Resource => return format!("{subject} is a function, not an object with a Type"),
        ValuePosition::Output => return format!("{subject} is a function, not an object with a Value"),
        ValuePosition::Description if misfit.kinds == ValueKinds::ANY => {
            return format!("{subject} is a function, not a literal string");
        }
        ValuePosition::Condition(_) => "a condition function",
        ValuePosition::DependsOn => "a name or a list of names",
        ValuePosition::DependsOnElement => "a name",
        place => place.accepted(cx.language_extensions).name().unwrap_or("a list or an object"),
    };
    match misfit.kinds.name() {
        // A number is one of the kinds that CloudFormation takes as strings, but not as a name.
        Some(_) if misfit.kinds == ValueKinds::STRING && expected.starts_with("a name") => {
            format!("{subject} is {}, not {expected}", shown(cx.tree.text_form(misfit.node)))
        }
        Some(kind) => format!("{subject} is {kind}, not {expected}"),
        None => format!("{subject} is not {expected}"),
    }
}

fn reason(kinds: &KindsOf<'_>, misfit: &Misfit) -> Option<String> {
    let tree = kinds.tree;
    let parameter = |name: &str| {
        let parameter = kinds.template.parameter(tree.symbols().get(name)?)?;
        let kind = tree.get(parameter.node, symbol::TYPE)?;
        Some(format!("{} is a parameter of type {}", shown(name), shown(tree.text_form(kind))))
    };
    if let Some((_, name)) = &misfit.variable {
        return parameter(name).or_else(|| Some(format!("{name} is a list")));
    }
    if matches!(misfit.place, ValuePosition::Resource | ValuePosition::Output | ValuePosition::Description) {
        return None;
    }
    let View::Call(Function::Known(known), argument) = tree.view(misfit.node) else { return None };
    let kind = misfit.kinds.name()?;
    match known {
        Known::Ref => {
            let name = tree.string(argument)?;
            parameter(name).or_else(|| Some(format!("the Ref of {} is {kind}", shown(name))))
        }
        Known::FindInMap => Some(format!("what it looks up in the mapping is {kind}")),
        known => Some(format!("{} returns {kind}", known.long())),
    }
}

fn sentence(cx: &Context<'_>, misfit: &Misfit) -> Option<String> {
    let id = || shown(cx.tree.text(misfit.member));
    let name = |key: NodeId| shown(cx.tree.text(key));
    Some(match misfit.place {
        ValuePosition::Resource => format!("Template format error: [/Resources/{}] resource definition is malformed", id()),
        ValuePosition::Output => "`Template format error: Any Outputs member must be an object.`".to_owned(),
        ValuePosition::DependsOn | ValuePosition::DependsOnElement => {
            "Template format error: Every DependsOn member must be a string.".to_owned()
        }
        ValuePosition::Policy(key) => format!("Template format error: Every {} member must be a string.", name(key)),
        ValuePosition::Value(_) if misfit.kinds == ValueKinds::LIST => {
            "`Template format error: The Value field of every Outputs member must evaluate to a String and not a List.`"
                .to_owned()
        }
        ValuePosition::Value(_) => {
            "`Template format error: The Value field of every Outputs member must evaluate to a String.`".to_owned()
        }
        ValuePosition::Condition(_) => "Conditions can only be boolean operations".to_owned(),
        ValuePosition::Variable { .. } => {
            "Template error: every value of the context object of every Fn::Sub object must be a string or a function that returns a string".to_owned()
        }
        ValuePosition::Argument { function, .. } => match &misfit.variable {
            Some((_, variable)) => {
                format!("Template error: variable {variable} in Fn::Sub expression does not resolve to a string")
            }
            None => return layout_sentence(function, cx.language_extensions),
        },
        _ => return None,
    })
}

fn help(cx: &Context<'_>, misfit: &Misfit) -> String {
    let tree = cx.tree;
    let &Misfit { node, place, kinds, .. } = misfit;
    let own = written::code(tree, cx.sources, node);
    let is_whole_argument = |call: NodeId| tree.call(call).1 == node && tree.style(call) == Style::Tag;
    let is_tagged = place.call().is_some_and(is_whole_argument);
    let name = |key: NodeId| shown(tree.text(key));
    match place {
        ValuePosition::Resource => match tree.view(node) {
            View::Call(Function::Known(Known::If), _) => {
                "write the resource itself, and choose with the attribute `Condition`".to_owned()
            }
            _ => "write an object with a `Type`; a function may be in its properties".to_owned(),
        },
        ValuePosition::Output => match own {
            Some(own) => {
                format!("write `{}`", written::entry(cx.document.format, &own, (&name(misfit.member), "Value")))
            }
            None => "write the function as the `Value` of the output".to_owned(),
        },
        ValuePosition::Condition(_) => "compare two values: `Fn::Equals: [value, value]`".to_owned(),
        ValuePosition::DependsOn | ValuePosition::DependsOnElement => depends_on(cx, misfit),
        ValuePosition::Description => "write one string; a long one can take several lines below `|`".to_owned(),
        ValuePosition::Metadata => "write an object: keys and their values".to_owned(),
        ValuePosition::Attribute(key) => format!("write an object below `{}:`", name(key)),
        ValuePosition::Policy(_) | ValuePosition::DescriptionOf(_) => "write a single string".to_owned(),
        _ if kinds == ValueKinds::OUTCOME => "declare it under Conditions and choose a string with `Fn::If`".to_owned(),
        ValuePosition::Argument { .. } if misfit.variable.is_some() => joined_variable(cx, misfit),
        _ if place.accepted(cx.language_extensions) == ValueKinds::LIST => match own {
            Some(own) if tree.kind(node) == Kind::Call => {
                format!(
                    "write `{}`",
                    written::call(
                        cx.document.format,
                        Known::Split,
                        &format!("\",\", {}", own.inner),
                        (&own, is_tagged)
                    )
                )
            }
            Some(own) => format!("write `[{}]`", own.inner),
            None => "write a list".to_owned(),
        },
        _ if kinds == ValueKinds::LIST => match own {
            Some(own) => {
                format!(
                    "write `{}`",
                    written::call(cx.document.format, Known::Join, &format!("\",\", {}", own.inner), (&own, is_tagged))
                )
            }
            None => "join the elements with `Fn::Join`, or choose one with `Fn::Select`".to_owned(),
        },
        _ => "write a single string".to_owned(),
    }
}

/// Lists the names that an object seems to mean.
fn depends_on(cx: &Context<'_>, misfit: &Misfit) -> String {
    let tree = cx.tree;
    let names: Vec<String> = match tree.kind(misfit.node) {
        Kind::Map => tree.entries(misfit.node).map(|entry| shown(tree.text(entry.key))).collect(),
        Kind::List => tree.items(misfit.node).iter().filter_map(|&item| Some(shown(tree.string(item)?))).collect(),
        _ => Vec::new(),
    };
    let resources = tree.get(cx.unrolled, symbol::RESOURCES);
    let are_resources = names.iter().all(|name| resources.is_some_and(|all| tree.get_text(all, name).is_some()));
    match &names[..] {
        [name] if are_resources => format!("write `DependsOn: {name}`"),
        [_, _, ..] if are_resources && matches!(misfit.place, ValuePosition::DependsOn) => {
            format!("write `DependsOn: [{}]`", names.join(", "))
        }
        _ => "write the logical ID of a resource, or a list of them".to_owned(),
    }
}

/// Advises a variable of its own for a list in the string of `Fn::Sub`.
fn joined_variable(cx: &Context<'_>, misfit: &Misfit) -> String {
    let Some((_, name)) = &misfit.variable else { return String::new() };
    let (text, name) = (cx.tree.text(misfit.node), shown(name));
    let has_variables = matches!(misfit.place, ValuePosition::Argument { call, .. } if cx.tree.kind(cx.tree.call(call).1) == Kind::List);
    const LONGEST: usize = 60;
    let is_plain =
        !name.contains(':') && text.len() <= LONGEST && text.lines().count() == 1 && !text.contains(['"', '\\']);
    let spelling = Spelling::of(cx.tree, cx.document.root);
    if has_variables || !is_plain {
        return "join the list in a variable of its own, with `Fn::Join`".to_owned();
    }
    match spelling {
        Spelling::Json => format!(
            "join the list: `{{\"Fn::Sub\": [\"{text}\", {{\"{name}\": {{\"Fn::Join\": [\",\", {{\"Ref\": \"{name}\"}}]}}}}]}}`"
        ),
        Spelling::Short => format!("join the list: `!Sub [\"{text}\", {{{name}: !Join [\",\", !Ref {name}]}}]`"),
        Spelling::Long => {
            format!("join the list: `Fn::Sub: [\"{text}\", {{{name}: {{Fn::Join: [\",\", {{Ref: {name}}}]}}}}]`")
        }
    }
}
