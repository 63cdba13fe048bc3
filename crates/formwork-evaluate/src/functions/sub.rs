//! `Fn::Sub`: known variables are inserted, the others stay (reference/functions.md#sub,
//! reference/values.md#loop-variables).

use std::borrow::Cow;

use formwork_base::display::shown;
use formwork_base::{Fact, IdMap, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Symbol};
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::{self, SubText};
use rustc_hash::FxHashSet;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Visibility;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let (text, map) = match ev.tree.items(argument) {
        [] if ev.tree.is_scalar(argument) => (argument, None),
        // The result of a macro or an include in the map is not known here.
        &[text, map] if ev.tree.is_scalar(text) && ev.tree.argument_of(map, Known::Transform).is_some() => {
            return Outcome::Residual(call);
        }
        &[text, map] if ev.tree.is_scalar(text) && ev.tree.kind(map) == Kind::Map => (text, Some(map)),
        _ => {
            let diagnostic = ev.layout(call, Known::Sub, "Fn::Sub takes a string, or a string and a map of variables");
            return ev.wrong(diagnostic);
        }
    };
    if let Some(map) = map.filter(|&map| !ev.tree.is_generated(map)) {
        warn_of_map(ev, text, map);
    }
    if map.is_none() && ev.visibility == Visibility::Constant && is_open(ev.tree.text_form(text)) {
        return Outcome::Residual(call);
    }
    let mut variables = match map.map(|map| variables(ev, call, map)) {
        None => Vec::new(),
        Some(Ok(variables)) => variables,
        Some(Err(outcome)) => return outcome,
    };
    let source = ev.tree.text_form(text).to_owned();
    let Some(mut filled) = fill(ev, call, text, &source, &mut variables) else { return Outcome::Poison };
    let is_known = filled.text.open == 0 && filled.secret == 0;
    let kept = (!is_known).then(|| {
        let filled_text = filled.has_values.then_some(&mut filled.text.kept);
        rebuilt(ev, call, argument, text, map, filled_text, &mut variables)
    });
    match kept {
        Some(kept) if filled.text.open > 0 => Outcome::Residual(kept),
        Some(kept) => match ev.text_in_place(&filled.text.plain, call) {
            Outcome::Known(value) => Outcome::Secret { value, kept },
            other => other,
        },
        None => ev.text_in_place(&filled.text.plain, call),
    }
}

/// Returns `true` if a string has variables and all of them have names. Such a string stays as it is where no value is
/// visible.
fn is_open(text: &str) -> bool {
    let mut variables = sub_string::parts(text).filter_map(Part::variable).peekable();
    variables.peek().is_some() && variables.all(sub_string::is_variable_name)
}

/// Warns of a map of variables that has no effect, or one that looks like a call.
fn warn_of_map(ev: &mut Evaluator<'_>, text: NodeId, map: NodeId) {
    if ev.tree.is_empty(map) {
        let message = "the map of variables of Fn::Sub is empty and has no effect";
        let diagnostic = ev.error(codes::FUNCTION_LAYOUT, map, message).severity(Severity::Warning);
        return ev.report(diagnostic.help("write the string alone"));
    }
    let [entry] = ev.tree.entries(map).collect::<Vec<_>>()[..] else { return };
    let name = ev.tree.text(entry.key);
    let is_used = sub_string::parts(ev.tree.text_form(text)).any(|part| part == Part::Variable(name));
    if (name == Known::Ref.long() || name.starts_with("Fn::")) && !is_used {
        let message = format!("{} is the name of a variable here, but the string does not use it", shown(name));
        let diagnostic = ev
            .error(codes::FUNCTION_LAYOUT, map, message)
            .severity(Severity::Warning)
            .note("the second element of Fn::Sub is a map of variables, not a function")
            .help("name the variable: `{Name: {...}}`, and write `${Name}` in the string");
        ev.report(diagnostic);
    }
}

struct Variable {
    entry: Entry,
    outcome: Outcome,
    filled: bool,
}

fn variables(ev: &mut Evaluator<'_>, call: NodeId, map: NodeId) -> Result<Vec<Variable>, Outcome> {
    let entries: Vec<Entry> = ev.tree.entries(map).collect();
    let mut variables = Vec::with_capacity(entries.len());
    for entry in entries {
        let name = |ev: &Evaluator<'_>| shown(ev.tree.text(entry.key));
        if ev.tree.kind(entry.value) == Kind::Null {
            let name = name(ev);
            let diagnostic = ev.layout(call, Known::Sub, &format!("the variable {name} of Fn::Sub has a null value"));
            return Err(ev.wrong(diagnostic));
        }
        let outcome = ev.resolve(entry.value);
        let bad = match outcome {
            Outcome::Poison => return Err(Outcome::Poison),
            Outcome::Omit(_) => Some("is AWS::NoValue"),
            // The content of an object may be unknown: it is an object all the same.
            Outcome::Residual(left) if ev.tree.kind(left) == Kind::Map => Some("is an object"),
            outcome => match outcome.value().map(|value| ev.tree.kind(value)) {
                Some(Kind::Map) => Some("is an object"),
                Some(Kind::Null) => Some("is null"),
                _ => None,
            },
        };
        if let Some(what) = bad {
            let name = name(ev);
            let diagnostic = ev.layout(call, Known::Sub, &format!("the variable {name} of Fn::Sub {what}"));
            let literal = ev.tree.kind(entry.value) != Kind::Call;
            return Err(if literal { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) });
        }
        variables.push(Variable { entry, outcome, filled: false });
    }
    Ok(variables)
}

struct Filled {
    text: sub_text::Filled,
    /// Number of variables that are known and never written.
    secret: usize,
    has_values: bool,
}

fn fill(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    text: NodeId,
    source: &str,
    variables: &mut [Variable],
) -> Option<Filled> {
    let text_of_call = sub_text::Filled::with_room(source.len());
    let mut filled = Filled { text: text_of_call, secret: 0, has_values: false };
    let mut wrong: Vec<String> = Vec::new();
    let numbers = variables.iter().enumerate().rev().map(|(at, variable)| (ev.tree.symbol(variable.entry.key), at));
    let numbers: IdMap<Symbol, usize> = numbers.collect();
    let mut wrong_names: FxHashSet<&str> = FxHashSet::default();
    for part in sub_string::parts(source) {
        let Part::Variable(name) = part else {
            filled.text.push(part);
            continue;
        };
        if !sub_string::is_variable_name(name) {
            if wrong_names.insert(name) {
                wrong.push(shown(name));
            }
            continue;
        }
        let symbol = if variables.is_empty() { None } else { ev.tree.symbols().get(name) };
        let own = symbol.and_then(|name| numbers.get(&name).copied());
        let outcome = match own.and_then(|at| variables.get_mut(at)) {
            Some(variable) => {
                // A value that is not a string stays in the map, and its variable in the string.
                let has_text = variable.outcome.value().is_some_and(|value| as_text(ev, value).is_some());
                variable.filled = has_text && matches!(variable.outcome, Outcome::Known(_));
                variable.outcome
            }
            None => lookup(ev, call, name),
        };
        let Some(value) = outcome.value().and_then(|value| as_text(ev, value)) else {
            filled.text.push(part);
            continue;
        };
        let size = (filled.text.plain.len() + value.len()) as u64;
        if size > ev.settings.limits.text_bytes {
            drop(value);
            ev.charge(size, call);
            return None;
        }
        filled.has_values = true;
        if outcome.is_secret() {
            filled.text.push_hidden(&value, name);
            filled.secret += 1;
        } else {
            filled.text.push_value(&value);
        }
    }
    filled.text.kept.finish();
    report_names(ev, text, &wrong);
    wrong.is_empty().then_some(filled)
}

/// Returns the value of a variable that is not in the map: of a parameter or pseudo parameter. A name with a dot is an
/// attribute.
fn lookup(ev: &mut Evaluator<'_>, call: NodeId, name: &str) -> Outcome {
    let open = Outcome::Residual(call);
    if ev.visibility == Visibility::Constant {
        return open;
    }
    let Some(symbol) = ev.tree.symbols().get(name) else { return open };
    let Some(&bound) = ev.parameters.get(symbol) else { return open };
    ev.look(symbol);
    match bound.value {
        Some(value) if bound.secret => Outcome::Secret { value, kept: call },
        Some(value) => Outcome::Known(value),
        None => open,
    }
}

/// Returns a value as it appears inside `Fn::Sub`: lists are joined with commas.
fn as_text<'e>(ev: &'e Evaluator<'_>, value: NodeId) -> Option<Cow<'e, str>> {
    match ev.tree.kind(value) {
        Kind::List => {
            let items = ev.tree.items(value);
            items
                .iter()
                .all(|&item| ev.tree.is_scalar(item))
                .then(|| items.iter().map(|&item| ev.tree.text_form(item)).collect::<Vec<_>>().join(",").into())
        }
        Kind::Map | Kind::Call | Kind::Null => None,
        _ => Some(ev.tree.text_form(value).into()),
    }
}

/// Returns the spelling to write for a function in the place of a variable: `${Ref Name}`, `${ImportValue name}`.
fn function_in(name: &str) -> Option<String> {
    if name.starts_with("resolve:") {
        return Some(format!("write `{{{{{}}}}}`, a dynamic reference", shown(name)));
    }
    let (function, argument) = name.split_once(' ')?;
    let (function, argument) = (function.trim_start_matches("Fn::"), argument.trim());
    if matches!(function, "Ref" | "GetAtt") {
        return Some(format!("write `${{{}}}`", shown(argument)));
    }
    let known = Known::from_long(&format!("Fn::{function}"))?;
    let code = format!("!Sub [\"${{Value}}\", {{Value: !{} {}}}]", known.short(), shown(argument));
    Some(format!("write a variable, and the function as its value: `{code}`"))
}

/// Returns the advice for an index or a default of a parameter: `${Names[0]}`, `${Stage || 'dev'}`.
fn parameter_in(ev: &Evaluator<'_>, name: &str) -> Option<String> {
    let end = name.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (parameter, rest) = name.split_at_checked(end)?;
    let declared = ev.template.parameter(ev.tree.symbols().get(parameter)?)?;
    if let Some(index) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let is_index = declared.kind.is_list && !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        return is_index.then(|| {
            format!("select the element in a variable of its own: `!Sub [\"${{Item}}\", {{Item: !Select [{index}, !Ref {parameter}]}}]`")
        });
    }
    let has_default = ["||", "??", ":-", "| default"].iter().any(|mark| rest.trim_start().starts_with(mark));
    has_default.then(|| format!("write `${{{parameter}}}`, and the other value as the Default of the parameter"))
}

/// Reports placeholders of a string that name no variable, all of them in one diagnostic.
fn report_names(ev: &mut Evaluator<'_>, text: NodeId, names: &[String]) {
    let Some(first) = names.first() else { return };
    let mut diagnostic = ev.error(
        codes::SUB_VARIABLE,
        text,
        format!(
            "\"${{{first}}}\" is not a variable: `Template error: variable names in Fn::Sub syntax must contain only alphanumeric characters, underscores, periods, and colons`"
        ),
    );
    diagnostic = diagnostic.fact(Fact::Part(format!("${{{first}}}")));
    if names.len() > 1 {
        let others: Vec<String> = names[1..].iter().map(|name| format!("\"${{{name}}}\"")).collect();
        diagnostic = diagnostic.note(format!("the same string has {}", others.join(", ")));
    }
    if let Some(advice) = function_in(first).or_else(|| parameter_in(ev, first)) {
        return ev.report(diagnostic.help(advice));
    }
    let literal: Vec<String> = names.iter().map(|name| format!("`${{!{name}}}`")).collect();
    ev.report(diagnostic.help(format!("write {} for characters that are not a variable", literal.join(", "))));
}

/// Rebuilds a call that stays: constant variables in the string, the others in the map.
fn rebuilt(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    argument: NodeId,
    text: NodeId,
    map: Option<NodeId>,
    filled: Option<&mut SubText>,
    variables: &mut [Variable],
) -> NodeId {
    let (mut dollar, mut new_text) = (None, text);
    if let Some(filled) = filled {
        dollar = name_dollar(ev, filled, variables);
        let kept = filled.as_str();
        if kept != ev.tree.text_form(text) {
            if !ev.charge(kept.len() as u64, call) {
                return call;
            }
            let origin = Origin::Generated(text, ev.tree.frame_of(call));
            new_text = ev.tree.computed(kept, origin);
        }
    }
    let mut entries = Vec::new();
    for variable in variables.iter().filter(|variable| !variable.filled) {
        let value = variable.outcome.as_argument(variable.entry.value);
        entries.push(Entry { key: variable.entry.key, value });
    }
    if let Some(name) = dollar {
        let origin = Origin::Generated(text, ev.tree.frame_of(call));
        let key = ev.tree.key(&name, Style::Plain, origin);
        entries.push(Entry { key, value: ev.tree.computed("$", origin) });
    }
    if entries.is_empty() {
        return ev.kept(call, new_text);
    }
    let list = if let Some(map) = map {
        let unchanged = entries.len() == ev.tree.len(map) && ev.tree.entries(map).eq(entries.iter().copied());
        let new_map = if unchanged {
            map
        } else {
            let origin = Origin::Generated(map, ev.tree.frame_of(map));
            let style = ev.tree.style(map);
            ev.tree.map(&entries, style, origin)
        };
        ev.list_like(argument, &[new_text, new_map])
    } else {
        let origin = Origin::Generated(argument, ev.tree.frame_of(call));
        let new_map = ev.tree.map(&entries, Style::Plain, origin);
        ev.tree.list(&[new_text, new_map], Style::Plain, origin)
    };
    ev.kept(call, list)
}

/// Names the variable for a dollar sign that must be one. If the call has such a variable, it stays; else the new name
/// is returned.
fn name_dollar(ev: &Evaluator<'_>, kept: &mut SubText, variables: &mut [Variable]) -> Option<String> {
    if !kept.has_dollars() {
        return None;
    }
    let is_dollar = |one: &Variable| {
        let value = one.outcome.value().filter(|_| one.filled);
        value.and_then(|value| ev.tree.string(value)) == Some("$")
    };
    let own = variables.iter().position(is_dollar);
    let known = own.map(|own| ev.tree.text(variables[own].entry.key));
    let is_taken = |name: &str| variables.iter().any(|one| ev.tree.text(one.entry.key) == name);
    let name = kept.name_dollar(known, is_taken);
    match own {
        Some(own) => {
            variables[own].filled = false;
            None
        }
        None => name,
    }
}
