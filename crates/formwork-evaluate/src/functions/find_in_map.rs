//! `Fn::FindInMap`, with computed keys and `DefaultValue` (reference/functions.md#find-in-map).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Severity, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, flags, symbol};
use formwork_template::{Section, template};

use super::possible_keys::{mapping, no_such_entry};
use crate::blocker::{self, Blocker};
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Visibility;

const PARTS: [&str; 3] = ["the map name", "the top-level key", "the second-level key"];

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let count = ev.tree.len(argument);
    if ev.tree.kind(argument) != Kind::List || !(3..=4).contains(&count) {
        let diagnostic = ev.layout(call, Known::FindInMap, "Fn::FindInMap takes a map name and two keys");
        return ev.wrong(diagnostic);
    }
    let options = ev.tree.items(argument).get(3).copied();
    if options.is_some_and(|options| ev.tree.kind(options) != Kind::Map) {
        let diagnostic = ev.layout(
            call,
            Known::FindInMap,
            "the fourth argument of Fn::FindInMap is not an object with a DefaultValue",
        );
        return ev.wrong(diagnostic);
    }
    let default = options.and_then(|options| ev.tree.get(options, symbol::DEFAULT_VALUE));
    if let Some(options) = options.filter(|_| default.is_none()) {
        let message = "the fourth argument of Fn::FindInMap has no DefaultValue and no effect";
        let diagnostic = ev.error(codes::FUNCTION_LAYOUT, options, message);
        let slip =
            ev.tree.entries(options).find(|entry| suggest::slip(ev.tree.text(entry.key), ["DefaultValue"]).is_some());
        let diagnostic = match slip.filter(|_| ev.settings.looks_at_all) {
            Some(entry) => diagnostic.at(ev.tree.span(entry.key)).help("did you mean `DefaultValue`?"),
            None => diagnostic.severity(Severity::Warning).help("write `{DefaultValue: ...}`, or remove the argument"),
        };
        ev.report(diagnostic);
    }
    let mut keys = Vec::with_capacity(3);
    for at in 0..3 {
        let item = ev.tree.items(argument)[at];
        let outcome = ev.resolve(item);
        match check_key(ev, call, at, item, outcome) {
            Ok(()) => keys.push(outcome),
            Err(failed) => return failed,
        }
    }
    let is_excluded = leads_nowhere(ev, &keys);
    if !is_excluded && keys.iter().any(|key| key.value().is_none()) || may_get_entry(ev, &keys) {
        return waiting(ev, call, argument, &keys, default);
    }
    let found = if is_excluded { None } else { look_up(ev, &keys) };
    let secret = keys.iter().any(|key| key.is_secret());
    if let Some(default) = default.filter(|_| found.is_some()) {
        ev.look_at_unused(default);
    }
    match found {
        Some(value) if ev.is_no_value(value) => Outcome::Omit(value),
        Some(value) if secret => Outcome::Secret { value, kept: rebuilt(ev, call, argument, &keys, default) },
        Some(value) => Outcome::Known(ev.value_in_place(value, call)),
        None => match default {
            Some(_) if secret => Outcome::Residual(rebuilt(ev, call, argument, &keys, default)),
            Some(default) => {
                report_misspelt(ev, argument);
                ev.resolve(default)
            }
            None => {
                let diagnostic = no_entry(ev, call, &keys);
                refuse(ev, call, argument, &keys, diagnostic)
            }
        },
    }
}

/// Reports a literal name of a mapping, or a literal key, that is nearly an existing one: only the `DefaultValue` is
/// ever used.
fn report_misspelt(ev: &mut Evaluator<'_>, argument: NodeId) {
    let (tree, template) = (&*ev.tree, ev.template);
    let &[name, top, second, ..] = tree.items(argument) else { return };
    let (Some(written), Some(section)) = (tree.string(name), template.mappings) else { return };
    if !ev.settings.looks_at_all {
        return;
    }
    let Some(map) = tree.symbols().get(written).and_then(|name| mapping(ev, name)) else {
        let names = tree.entries(section).map(|entry| tree.text(entry.key));
        let near = ev.diagnostics.suggester().nearest(written, names).map(shown);
        return report_slip(ev, name, &format!("mapping {}", shown(written)), near);
    };
    let slip = |map: NodeId, key: NodeId| {
        let written = tree.string(key).filter(|key| tree.get_text(map, key).is_none())?;
        let keys =
            tree.entries(map).map(|entry| tree.text(entry.key)).filter(|key| suggest::has_same_digits(key, written));
        suggest::slip(written, keys).map(shown)
    };
    let near_top = slip(map, top);
    if near_top.is_some() {
        return report_slip(ev, top, &format!("key {} of mapping {}", shown(tree.text(top)), shown(written)), near_top);
    }
    // A computed first key may be any.
    let of_top = |key: NodeId| tree.string(key).map(|key| tree.get_text(map, key).into_iter().collect());
    let entries: Vec<NodeId> = of_top(top).unwrap_or_else(|| tree.entries(map).map(|entry| entry.value).collect());
    let near: Vec<Option<String>> = entries.iter().map(|&entries| slip(entries, second)).collect();
    let is_known =
        entries.iter().any(|&entries| tree.string(second).is_none_or(|key| tree.get_text(entries, key).is_some()));
    if let Some(Some(near)) = near.into_iter().find(Option::is_some).filter(|_| !is_known) {
        let what = format!("key {} of mapping {}", shown(tree.text(second)), shown(written));
        report_slip(ev, second, &what, Some(near));
    }
}

fn report_slip(ev: &mut Evaluator<'_>, at: NodeId, what: &str, near: Option<String>) {
    let Some(near) = near else { return };
    let message = format!("{what} does not exist, and DefaultValue is always used");
    // CloudFormation deploys it, with the default: only a check rejects it.
    let is_check = ev.settings.value_missing != Severity::Error;
    let severity = if is_check { Severity::Error } else { Severity::Warning };
    let diagnostic = ev.error(codes::NO_MAPPING_ENTRY, at, &message).severity(severity);
    ev.report(diagnostic.help(format!("did you mean `{near}`?")));
}

/// Checks that a key is a string. One that depends on a parameter keeps the call; one known only at deployment is an
/// error, with a default too.
fn check_key(ev: &mut Evaluator<'_>, call: NodeId, at: usize, item: NodeId, outcome: Outcome) -> Result<(), Outcome> {
    let literal = ev.tree.kind(item) != Kind::Call;
    match outcome {
        Outcome::Poison => Err(Outcome::Poison),
        Outcome::Known(value) | Outcome::Secret { value, .. } if ev.tree.is_scalar(value) => Ok(()),
        Outcome::Known(_) | Outcome::Secret { .. } | Outcome::Omit(_) => {
            let diagnostic =
                ev.layout(call, Known::FindInMap, &format!("{} of Fn::FindInMap is not a string", PARTS[at]));
            Err(if literal { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) })
        }
        Outcome::Residual(node) => {
            let causes = blocker::blockers(ev.tree, &ev.parameters, node);
            let is_sub = ev.tree.argument_of(node, Known::Sub).is_some() && ev.visibility == Visibility::Full;
            let may_wait = !is_sub || waits_for_value(ev, &causes);
            if may_wait && causes.iter().all(Blocker::is_value) {
                return Ok(());
            }
            let cause = causes.iter().find(|cause| !cause.is_value()).or(causes.first());
            // A name that exists nowhere is reported as such.
            if let Some(Blocker::Resource(name)) = cause
                && ev.settings.looks_at_all
                && !ev.names_something(name)
            {
                return Err(Outcome::Residual(call));
            }
            let cause = cause.map(|cause| cause.text(ev.tree)).unwrap_or_default();
            let diagnostic = ev
                .layout(call, Known::FindInMap, &format!("{} of Fn::FindInMap depends on {cause}", PARTS[at]))
                .note("keys of a mapping must be known before resources are created")
                .help("use only strings, parameters and conditions in the keys");
            Err(ev.fail(call, diagnostic))
        }
    }
}

/// Returns `true` if values that could be passed to the run are all that is missing.
fn waits_for_value(ev: &Evaluator<'_>, causes: &[Blocker]) -> bool {
    causes.iter().all(|cause| match cause {
        Blocker::Parameter(name) | Blocker::Pseudo(name) => {
            ev.parameters.get(*name).is_some_and(|bound| bound.value.is_none())
        }
        Blocker::NoEcho(_) | Blocker::Condition(_) => true,
        _ => false,
    })
}

fn look_up(ev: &Evaluator<'_>, keys: &[Outcome]) -> Option<NodeId> {
    let mut found = None;
    for key in keys {
        let name = ev.tree.symbols().get(ev.tree.text_form(key.value()?))?;
        found = Some(match found {
            None => mapping(ev, name)?,
            Some(node) => ev.tree.get(node, name)?,
        });
    }
    let node = found?;
    (ev.tree.kind(node) != Kind::Null).then_some(node)
}

/// Returns `true` if an unknown key is assumed to be none of the keys of the mapping.
fn leads_nowhere(ev: &Evaluator<'_>, keys: &[Outcome]) -> bool {
    let &[map, top, second] = keys else { return false };
    let symbol = |key: Outcome| ev.tree.symbols().get(ev.tree.text_form(key.value()?));
    let Some(map) = symbol(map).and_then(|name| mapping(ev, name)) else { return false };
    let is_none_of = |key: Outcome, map: NodeId| {
        let Outcome::Residual(node) = key else { return false };
        let name = ev.tree.argument_of(node, Known::Ref).and_then(|name| ev.tree.string(name));
        let name = name.and_then(|name| ev.tree.symbols().get(name));
        let keys = || ev.tree.entries(map).map(|entry| ev.tree.symbol(entry.key));
        name.is_some_and(|name| keys().all(|key| ev.parameters.excludes(name, key)))
    };
    match symbol(top) {
        None if top.value().is_none() => is_none_of(top, map),
        row => row.and_then(|row| ev.tree.get(map, row)).is_some_and(|row| is_none_of(second, row)),
    }
}

fn may_get_entry(ev: &Evaluator<'_>, keys: &[Outcome]) -> bool {
    if !ev.template.may_get_entries(ev.tree, Section::Mappings)
        && !ev.template.mappings.is_some_and(|mappings| ev.tree.has(mappings, flags::HAS_TRANSFORM))
    {
        return false;
    }
    let mut found = None;
    for key in keys {
        let is_open = match found {
            None => ev.template.may_get_entries(ev.tree, Section::Mappings),
            Some(node) => template::may_get_entries(ev.tree, node),
        };
        let name = key.value().and_then(|value| ev.tree.symbols().get(ev.tree.text_form(value)));
        let next = name.and_then(|name| match found {
            None => mapping(ev, name),
            Some(node) => ev.tree.get(node, name),
        });
        match next {
            Some(next) => found = Some(next),
            None => return is_open,
        }
    }
    false
}

/// Reports a missing entry. If its keys are literal strings it never exists, whatever the values are.
fn refuse(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId, keys: &[Outcome], diagnostic: Diagnostic) -> Outcome {
    let missing = missing_key(ev, keys).0;
    let is_literal = |&item: &NodeId| ev.tree.kind(ev.tree.authored(item)) != Kind::Call;
    if ev.mode.lenient > 0
        && let Some(diagnostic) = no_such_entry(ev, argument, keys, true)
    {
        return ev.wrong(diagnostic);
    }
    let is_never = ev.settings.looks_at_all && ev.tree.items(argument).iter().take(missing + 1).all(is_literal);
    if is_never { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) }
}

/// Returns the index of the first missing key, and the node that should have it.
fn missing_key(ev: &Evaluator<'_>, keys: &[Outcome]) -> (usize, Option<NodeId>) {
    let mut node = ev.template.mappings;
    let mut missing = 0;
    for (at, key) in keys.iter().enumerate() {
        missing = at;
        let name = key.value().and_then(|value| ev.tree.symbols().get(ev.tree.text_form(value)));
        let next = name.and_then(|name| match at {
            0 => mapping(ev, name),
            _ => ev.tree.get(node?, name),
        });
        match next {
            Some(next) if at + 1 < keys.len() => node = Some(next),
            Some(_) => {}
            None => break,
        }
    }
    (missing, node)
}

/// Keeps a call with an unknown key, unless the known keys rule an entry out.
fn waiting(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    argument: NodeId,
    keys: &[Outcome],
    default: Option<NodeId>,
) -> Outcome {
    let known: Vec<Outcome> = keys.iter().copied().take_while(|key| key.value().is_some()).collect();
    if default.is_none() && !known.is_empty() && look_up(ev, &known).is_none() && !may_get_entry(ev, &known) {
        let diagnostic = no_entry(ev, call, &known);
        return refuse(ev, call, argument, &known, diagnostic);
    }
    if let Some(diagnostic) = default.is_none().then(|| no_such_entry(ev, argument, keys, false)).flatten() {
        return ev.wrong(diagnostic);
    }
    Outcome::Residual(rebuilt(ev, call, argument, keys, default))
}

fn rebuilt(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    argument: NodeId,
    keys: &[Outcome],
    default: Option<NodeId>,
) -> NodeId {
    let items = ev.tree.items(argument).to_vec();
    let mut arguments: Vec<NodeId> = items.iter().zip(keys).map(|(&item, &key)| key.as_argument(item)).collect();
    if let Some(&options) = items.get(3) {
        let mut kept = options;
        if let Some(default) = default {
            ev.mode.lenient += 1;
            let outcome = ev.resolve_optional(default, call);
            ev.mode.lenient -= 1;
            let value = outcome.as_argument(default);
            if value != default {
                let entries: Vec<_> = ev
                    .tree
                    .entries(options)
                    .map(|entry| formwork_syntax::Entry {
                        key: entry.key,
                        value: if entry.value == default { value } else { entry.value },
                    })
                    .collect();
                let origin = formwork_syntax::Origin::Generated(options, ev.tree.frame_of(options));
                let style = ev.tree.style(options);
                kept = ev.tree.map(&entries, style, origin);
            }
        }
        arguments.push(kept);
    }
    let list = ev.list_like(argument, &arguments);
    ev.kept(call, list)
}

fn name_in_module(ev: &Evaluator<'_>, call: NodeId) -> Option<String> {
    ev.import_name()?;
    let &name = ev.tree.items(ev.tree.call(call).1).first()?;
    let written = ev.tree.authored(name);
    ev.tree.is_scalar(written).then(|| shown(ev.tree.text_form(written)))
}

/// Builds the diagnostic of a missing entry. `keys` may end after the first missing one.
fn no_entry(ev: &Evaluator<'_>, call: NodeId, keys: &[Outcome]) -> Diagnostic {
    if ev.diagnostics.has(codes::NO_MAPPING_ENTRY, ev.tree.span(call), Severity::Error) {
        // Another iteration: it is only counted.
        return ev.error(codes::NO_MAPPING_ENTRY, call, "");
    }
    let text = |at: usize| keys.get(at).map_or_else(|| "?".to_owned(), |&key| ev.shown(key));
    let (map, top, second) = (text(0), text(1), text(2));
    let sentence = if ev.settings.language_extensions {
        let on =
            ev.resource.kind.map(|kind| format!(" on resourceType {}", shown(ev.tree.text(kind)))).unwrap_or_default();
        format!("Mappings not found in template for key /{top}/{second}{on}")
    } else {
        format!("Template error: Unable to get mapping for {map}::{top}::{second}")
    };
    let (missing, node) = missing_key(ev, keys);
    let what = match missing {
        0 => format!("mapping {map} does not exist"),
        1 => format!("mapping {map} has no key {top}"),
        _ => format!("mapping {map} has no entry {second} under {top}"),
    };
    let mut diagnostic = ev.sentence(codes::NO_MAPPING_ENTRY, call, &what, &sentence);
    diagnostic = diagnostic.fact(Fact::Name(text(missing)));
    if let Some(written) = name_in_module(ev, call) {
        diagnostic = diagnostic.note(match missing {
            0 => format!("`Mapping not found: {written}`"),
            _ => format!("`Mapping {written} has no entry {top}.{second}`"),
        });
    }
    let advice = "correct the name, or add it to Mappings";
    let mut near = None;
    if let Some(node) = node.filter(|&node| ev.tree.kind(node) == Kind::Map) {
        let names = || ev.tree.entries(node).map(|entry| ev.tree.text(entry.key));
        let wanted = keys
            .get(missing)
            .filter(|key| !key.is_secret())
            .and_then(|key| key.value())
            .map(|value| ev.tree.text_form(value));
        near = wanted.and_then(|wanted| ev.diagnostics.suggester().nearest(wanted, names()));
        if near.is_none() && !ev.tree.is_empty(node) {
            const SHOWN: usize = 5;
            let more = ev.tree.len(node).saturating_sub(SHOWN);
            let list = names().take(SHOWN).map(shown).collect::<Vec<_>>().join(", ");
            let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
            diagnostic = diagnostic.note(format!("the keys are {list}{tail}"));
        }
        if let Some(entry) = ev.template.mappings.filter(|_| missing > 0).and_then(|mappings| {
            let name = ev.tree.symbols().get(ev.tree.text_form(keys[0].value()?))?;
            ev.tree.member(mappings, name)
        }) {
            diagnostic = diagnostic.related(ev.tree.span(entry.key), "the mapping");
        }
    }
    diagnostic.help(near.map_or_else(|| advice.to_owned(), |near| format!("did you mean `{}`?", shown(near))))
}
