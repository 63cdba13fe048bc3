//! Parameter values against their declarations (reference/parameters.md#constraints).

mod existence;
mod nested;

use formwork_base::display::{MASK, shown};
use formwork_base::{Advice, Diagnostic, Fact, IdSet, Severities, Severity, Span, codes, suggest};
use formwork_evaluate::constraints::{Failure, failure};
use formwork_evaluate::{AccountData, Argument};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::parameter_type::{self, Base};
use formwork_template::template::Parameter;
use formwork_template::{ParameterType, Template, parameter_option};

use crate::Context;
use crate::checks::foreign_names;

/// Limit in bytes.
const MOST_VALUE: usize = 4096;

/// Validates passed values and, depending on the command, Defaults. All parameters are checked; of one parameter the
/// first failure is reported. Returns `false` when one of them is invalid: then the rules are not evaluated.
pub fn check(cx: &mut Context<'_>, arguments: &[Argument], facts: &AccountData) -> bool {
    let before = cx.diagnostics.error_count();
    match cx.parent {
        Some(parent) => nested::check(cx, parent),
        None => undeclared(cx, arguments),
    }
    missing(cx, arguments);
    let parameters = cx.template.parameters.clone();
    for parameter in &parameters {
        unknown_type(cx, parameter);
        let given = arguments.iter().rev().find(|argument| argument.name == parameter.name);
        let is_default_checked = cx.severity_of_code(codes::DEFAULT_CONSTRAINT).is_some();
        if let Some(argument) = given {
            validate(cx, parameter, argument.value, true, facts);
        } else if let Some(default) = parameter.default.filter(|_| is_default_checked) {
            validate(cx, parameter, default, false, facts);
        }
    }
    cx.diagnostics.error_count() == before
}

/// Reports required parameters without a value, all in one sentence.
fn missing(cx: &mut Context<'_>, arguments: &[Argument]) {
    let Some(severity) = Severities::Required.at(cx.goal) else { return };
    let has_value = |parameter: &Parameter| {
        parameter.default.is_some() || arguments.iter().any(|argument| argument.name == parameter.name)
    };
    if let Some(diagnostic) = missing_values(cx.tree, cx.template, has_value) {
        cx.push(diagnostic, severity);
    }
}

/// Builds the diagnostic of the declared parameters without a value; `None` when all have one.
pub fn missing_values(tree: &Tree, template: &Template, has_value: impl Fn(&Parameter) -> bool) -> Option<Diagnostic> {
    let found: Vec<&Parameter> = template.parameters.iter().filter(|parameter| !has_value(parameter)).collect();
    let first = found.first()?;
    let names: Vec<String> = found.iter().map(|parameter| shown(tree.name(parameter.name))).collect();
    let what = if found.len() == 1 { "has" } else { "have" };
    let words: Vec<&str> = names.iter().take(5).map(String::as_str).collect();
    let more = if names.len() > 5 { format!(" and {} more", names.len() - 5) } else { String::new() };
    let message = format!(
        "{}{more} {what} no value and no Default: `Parameters: [{}] must have values`",
        words.join(", "),
        names.join(", ")
    );
    let mut diagnostic = Diagnostic::new(codes::VALUE_MISSING, message).at(tree.span(first.key));
    for parameter in &found[1..] {
        diagnostic = diagnostic.related(tree.span(parameter.key), "also has no value");
    }
    let option = parameter_option(&names[0], false);
    Some(diagnostic.help(Advice::to_pass_value(format!("pass a value: `{option}`"))))
}

fn undeclared(cx: &mut Context<'_>, arguments: &[Argument]) {
    let Some(severity) = cx.severity_of_code(codes::NOT_DECLARED) else { return };
    let mut known: IdSet<Symbol> = cx.template.parameters.iter().map(|parameter| parameter.name).collect();
    for argument in arguments.iter().filter(|argument| !argument.is_optional) {
        if !known.insert(argument.name) {
            continue;
        }
        let name = shown_name(cx.tree.name(argument.name));
        let names = cx.template.parameters.iter().map(|parameter| cx.tree.name(parameter.name));
        let near = cx.diagnostics.suggester().nearest(&name, names).map(str::to_owned);
        let mut diagnostic = Diagnostic::new(
            codes::NOT_DECLARED,
            format!(
                "a value is passed for {name}, which is not declared: `Parameters: [{name}] do not exist in the template`"
            ),
        );
        diagnostic = diagnostic.fact(Fact::Name(cx.tree.name(argument.name).to_owned()));
        let written = cx.tree.span(argument.value);
        diagnostic = if written.is_none() {
            // A value from the command line has no place: that of the declarations is reported.
            diagnostic.at(declarations(cx)).label(format!("{name} is not declared"))
        } else {
            diagnostic.at(written)
        };
        diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("declare it under Parameters, or remove the value"),
        };
        cx.push(diagnostic, severity);
    }
}

/// Returns the place of the key of the section Parameters; without the section, that of the first key of the template.
fn declarations(cx: &Context<'_>) -> Span {
    let section = cx.tree.member(cx.template.root, symbol::PARAMETERS);
    let first = || cx.tree.entries(cx.template.root).next();
    section.or_else(first).map_or(Span::NONE, |entry| cx.tree.span(entry.key))
}

/// Returns a passed name as messages show it. A string with a space or a mark of YAML and JSON is not a name: it may be
/// a piece of a broken file, with values in it.
fn shown_name(name: &str) -> String {
    let is_piece = name.contains(|c: char| c.is_whitespace() || "\"'{}[],=".contains(c));
    if is_piece { MASK.to_owned() } else { shown(name) }
}

fn unknown_type(cx: &mut Context<'_>, parameter: &Parameter) {
    let Some(node) = cx.tree.get(parameter.node, symbol::TYPE) else { return };
    let is_from_macro = cx.tree.argument_of(node, Known::Transform).is_some();
    if parameter.kind.base != Base::Unknown || cx.template.is_module || is_from_macro {
        return;
    }
    let text = shown(cx.tree.text(node));
    let known = ["String", "Number", "CommaDelimitedList", "List<Number>", "List<String>"];
    let near = suggest::nearest(&text, known);
    let parts = known.into_iter().chain(parameter_type::AWS_SPECIFIC).chain([parameter_type::SSM_NAME]);
    let inner = ParameterType::inner(cx.tree.text(node));
    if near.is_none() && inner.is_some_and(|inner| suggest::slip(inner, parts).is_none()) {
        let message = format!("undocumented parameter type {text}");
        let diagnostic = Diagnostic::new(codes::WRONG_KIND, message)
            .at(cx.tree.span(node))
            .note("CloudFormation takes any type in these brackets, and checks no values of one that it does not know");
        return cx.push(diagnostic.help("write `String` in the place of what is in the brackets"), Severity::Warning);
    }
    let what = if text.is_empty() {
        "the Type of a parameter is empty".to_owned()
    } else {
        format!("unknown parameter type {text}")
    };
    let mut diagnostic = Diagnostic::new(
        codes::WRONG_KIND,
        format!("{what}: `Template format error: Unrecognized parameter type: {text}`"),
    )
    .at(cx.tree.span(node));
    diagnostic = match near {
        Some(near) => {
            diagnostic.help(format!("did you mean `{near}`?")).fix("change the type", cx.tree.span(node), near)
        }
        None if ["List", "Array", "list", "array", "List<string>", "StringList"].contains(&text.as_str()) => {
            diagnostic.help("write `Type: CommaDelimitedList`")
        }
        None => diagnostic.help(match meant_type(&text) {
            Some(meant) => format!("write `Type: {meant}`"),
            None => "write `Type: String`, or another supported type".to_owned(),
        }),
    };
    cx.push(diagnostic, cx.as_written());
}

/// Returns the intended type for a name of another tool, or for one whose parts are combined otherwise.
fn meant_type(text: &str) -> Option<String> {
    if let Some(meant) = foreign_names::parameter_type(text) {
        return Some(meant.to_owned());
    }
    let missing = text.matches('<').count().saturating_sub(text.matches('>').count());
    if missing > 0 && ["List<", "AWS::SSM::Parameter::Value<"].iter().any(|start| text.starts_with(start)) {
        return Some(format!("{text}{}", ">".repeat(missing)));
    }
    if let Some(inner) = text.strip_prefix("AWS::SSM::Parameter<").or_else(|| text.strip_prefix("SSM<")) {
        return Some(format!("AWS::SSM::Parameter::Value<{}>", inner.trim_end_matches('>')));
    }
    let mut head = ["AWS::SSM::Parameter::Value<", "AWS::SSM::Parameter::Value<List<"].into_iter().rev();
    if let Some((head, inner)) = head.find_map(|head| Some((head, text.strip_prefix(head)?))) {
        let known = parameter_type::AWS_SPECIFIC;
        let near = suggest::nearest(inner.trim_end_matches('>'), known)?;
        return Some(format!("{head}{near}{}", ">".repeat(head.matches('<').count())));
    }
    let letters = |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    let (is_list, one) = match text.strip_prefix("List<") {
        Some(inner) => (true, letters(inner)),
        None => (false, letters(text)),
    };
    let is_meant = |known: &&str| letters(known).eq_ignore_ascii_case(&one);
    let known = parameter_type::AWS_SPECIFIC.into_iter().find(is_meant)?;
    Some(if is_list { format!("List<{known}>") } else { known.to_owned() })
}

fn validate(cx: &mut Context<'_>, parameter: &Parameter, value: NodeId, is_given: bool, facts: &AccountData) {
    let name = cx.tree.name(parameter.name).to_owned();
    let members = members(cx.tree, &parameter.kind, value);
    if members.iter().map(String::len).sum::<usize>() > MOST_VALUE {
        // The declaration's own check reports a Default.
        if !is_given {
            return;
        }
        let failure = Failure { sentence: too_long(&name), constraint: None, what: "is too long" };
        return report(cx, parameter, value, is_given, &failure);
    }
    match failure(cx.tree, parameter, &name, &members) {
        Ok(None) => existence::check(cx, parameter, &members, value, facts),
        Ok(Some(failure)) => report(cx, parameter, value, is_given, &failure),
        Err(unchecked) => {
            let mut diagnostic = *unchecked;
            diagnostic.severity = Severity::Warning;
            cx.diagnostics.push(diagnostic);
        }
    }
}

/// Returns the strings that constraints apply to: each item of a list.
fn members(tree: &Tree, kind: &ParameterType, value: NodeId) -> Vec<String> {
    if tree.kind(value) == Kind::List {
        return tree.items(value).iter().map(|&item| tree.text_form(item).to_owned()).collect();
    }
    members_of_text(kind, tree.text_form(value))
}

fn members_of_text(kind: &ParameterType, text: &str) -> Vec<String> {
    // For SSM types the constraints apply to the name, which is one string.
    if kind.is_list && !kind.is_ssm_value {
        ParameterType::split(text).map(str::to_owned).collect()
    } else {
        vec![text.to_owned()]
    }
}

/// Returns CloudFormation's sentence for a value that breaks the constraints of its parameter, which never quotes it;
/// `None` for one that keeps them.
pub fn refusal(tree: &Tree, parameter: &Parameter, value: &str) -> Option<String> {
    let name = tree.name(parameter.name);
    let members = members_of_text(&parameter.kind, value);
    if value.len() > MOST_VALUE {
        return Some(too_long(name));
    }
    let failure = failure(tree, parameter, name, &members).ok()??;
    Some(shown_failure(tree, parameter, &failure))
}

fn too_long(name: &str) -> String {
    format!("Template format error: Parameter '{name}' value length is greater than 4096.")
}

fn shown_failure(tree: &Tree, parameter: &Parameter, failure: &Failure) -> String {
    match tree.get(parameter.node, symbol::CONSTRAINT_DESCRIPTION) {
        Some(description) if failure.constraint.is_some() => {
            let name = shown(tree.name(parameter.name));
            format!("Parameter {name} failed to satisfy constraint: {}", shown(tree.text_form(description)))
        }
        _ => shown_sentence(&failure.sentence),
    }
}

fn report(cx: &mut Context<'_>, parameter: &Parameter, value: NodeId, is_given: bool, failure: &Failure) {
    let name = shown(cx.tree.name(parameter.name));
    let sentence = shown_failure(cx.tree, parameter, failure);
    let what = if parameter.no_echo { MASK.to_owned() } else { format!("\"{}\"", brief(&display(cx.tree, value))) };
    let (code, who) =
        if is_given { (codes::CONSTRAINT, "the value") } else { (codes::DEFAULT_CONSTRAINT, "the Default") };
    let mut diagnostic =
        Diagnostic::new(code, format!("{who} {what} of parameter {name} {}: `{sentence}`", failure.what));
    let place = cx.tree.span(value);
    let is_passed = is_given && cx.parent.is_some();
    diagnostic = if is_passed {
        diagnostic.at(cx.tree.span(parameter.key)).related(place, "the value is passed here")
    } else if place.is_none() || parameter.no_echo {
        diagnostic.at(cx.tree.span(parameter.key))
    } else {
        diagnostic.at(place)
    };
    if let Some(constraint) = failure.constraint {
        diagnostic = diagnostic.related(cx.tree.span(constraint), "the constraint");
        if sentence != failure.sentence {
            diagnostic =
                diagnostic.note(format!("without its ConstraintDescription: `{}`", shown_sentence(&failure.sentence)));
        }
    }
    // Elements of a list that is a secret may be among the allowed values.
    let is_secret = parameter.no_echo && parameter.kind.is_list;
    let help = failure.constraint.filter(|_| !is_secret).and_then(|node| allowed(cx.tree, node));
    diagnostic = diagnostic.help(help.unwrap_or_else(|| {
        let advice = match is_given {
            true if is_passed => "pass another value, or change",
            true => "pass another value, or change",
            false => "change the Default, or",
        };
        format!("{advice} the declaration of parameter {name}")
    }));
    cx.diagnostics.push(diagnostic.severity(Severity::Error));
}

/// Returns `None` for other constraints, whose sentence contains the values.
fn allowed(tree: &Tree, constraint: NodeId) -> Option<String> {
    const SHOWN: usize = 5;
    let values = (tree.kind(constraint) == Kind::List).then(|| tree.items(constraint))?;
    let mut texts: Vec<String> =
        values.iter().take(SHOWN).map(|&value| format!("\"{}\"", brief(tree.text_form(value)))).collect();
    if values.len() > SHOWN {
        texts.push(format!("and {} more", values.len() - SHOWN));
    }
    Some(format!("the allowed values are {}", texts.join(", ")))
}

/// Shortens a value for the first line of a message.
fn brief(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => shown(&text[..end]) + "…",
        None => shown(text),
    }
}

/// A sentence with a pattern in it is never shortened: people search for it.
fn shown_sentence(sentence: &str) -> String {
    sentence
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect()
}

fn display(tree: &Tree, value: NodeId) -> String {
    if tree.kind(value) == Kind::List {
        return tree.items(value).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(",");
    }
    tree.text_form(value).to_owned()
}
