//! References to resources that are absent for some values of the parameters
//! (reference/structure.md#absent-resources).

use std::collections::BTreeMap;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Goal, IdMap, Severity, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Symbol, Tree, View, flags, symbol};
use formwork_template::reference::{self, By};
use formwork_template::{PseudoParameter, Section};
use rustc_hash::FxHashSet;

use super::conditions::{Outcomes, Search, Witness};
use super::written::Variables;
use crate::Context;

/// The conditions on the path to a reference, each with the outcome under which it is reached.
type Way = BTreeMap<String, bool>;

struct ReferenceSite {
    target: Symbol,
    node: NodeId,
    variable: Option<u32>,
    way: Way,
}

struct Dangling<'c> {
    section: Section,
    member: Entry,
    target: &'c str,
    condition: &'c str,
    node: NodeId,
    way: &'c Way,
}

pub(super) fn check(cx: &mut Context<'_>) {
    if cx.goal != Goal::Check {
        return;
    }
    // Rules, a macro and the parent of a nested template may rule out the values that are found.
    let rules = cx.tree.get(cx.unrolled, symbol::RULES).is_some_and(|rules| !cx.tree.is_empty(rules));
    if rules || cx.parent.is_some() || cx.template.has_own_macros() {
        return;
    }
    let tree = cx.tree;
    let section =
        |section: Section| tree.get(cx.unrolled, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map);
    let (Some(conditions), Some(resources)) = (section(Section::Conditions), section(Section::Resources)) else {
        return;
    };
    // After an error in a condition its outcomes are not known.
    let place = tree.span(conditions);
    let is_in_conditions = |found: &Diagnostic| found.severity == Severity::Error && place.contains(found.span());
    if cx.diagnostics.iter().any(is_in_conditions) {
        return;
    }
    let targets: IdMap<Symbol, &str> = tree
        .entries(resources)
        .filter_map(|resource| Some((tree.symbol(resource.key), condition_of(tree, resource.value).ok()??)))
        .collect();
    if targets.is_empty() {
        return;
    }
    let outcomes = Outcomes::new(tree, conditions, cx.template);
    let mut search = Search::new(&outcomes);
    for (section, node) in [(Section::Resources, Some(resources)), (Section::Outputs, section(Section::Outputs))] {
        for member in node.into_iter().flat_map(|node| tree.entries(node)) {
            if cx.is_cancelled() {
                return;
            }
            check_member(cx, &targets, &mut search, (section, member));
        }
    }
}

fn check_member(
    cx: &mut Context<'_>,
    targets: &IdMap<Symbol, &str>,
    search: &mut Search<'_, '_>,
    (section, member): (Section, Entry),
) {
    let tree = cx.tree;
    let Ok(own) = condition_of(tree, member.value) else { return };
    let mut way = Way::new();
    way.extend(own.map(|condition| (condition.to_owned(), true)));
    let mut found = Vec::new();
    collect(tree, member.value, &mut way, targets, &mut found);
    let (mut done, mut variables) = (FxHashSet::default(), Variables::default());
    for reference in &found {
        let condition = targets[&reference.target];
        let place = match reference.variable {
            Some(number) => variables.span(tree, cx.sources, reference.node, number as usize),
            None => tree.span(reference.node),
        };
        // Reported for the values of this run.
        let is_known = cx.diagnostics.has(codes::ABSENT_RESOURCE, place, Severity::Error);
        if done.contains(&reference.target) || is_known || reference.way.get(condition) == Some(&true) {
            continue;
        }
        let mut wanted = reference.way.clone();
        wanted.insert(condition.to_owned(), false);
        let Some(witness) = search.witness(&wanted) else { continue };
        done.insert(reference.target);
        let target = tree.name(reference.target);
        let dangling = Dangling { section, member, target, condition, node: reference.node, way: &reference.way };
        let others = found.iter().filter(|other| other.target == reference.target && other.node != reference.node);
        let others: Vec<Span> = others.map(|other| tree.span(other.node)).collect();
        let diagnostic = report(tree, &dangling, &witness, &others);
        cx.push(diagnostic, Severity::Warning);
    }
}

struct Computed;

fn condition_of(tree: &Tree, member: NodeId) -> Result<Option<&str>, Computed> {
    let condition = if tree.kind(member) == Kind::Map { tree.get(member, symbol::CONDITION) } else { None };
    condition.map(|condition| tree.string(condition).ok_or(Computed)).transpose()
}

/// Collects the references to `targets` below a node, except those in `DependsOn`, on which CloudFormation does not
/// insist.
fn collect(tree: &Tree, node: NodeId, way: &mut Way, targets: &IdMap<Symbol, &str>, found: &mut Vec<ReferenceSite>) {
    if !tree.has(node, flags::HAS_CALL) {
        return;
    }
    let mut choices = Vec::new();
    let mut enter = |node: NodeId| {
        let is_choice = matches!(tree.view(node), View::Call(Function::Known(Known::If), _));
        if is_choice {
            choices.push(node);
        }
        !is_choice
    };
    reference::visit(tree, node, &mut enter, &mut |reference| {
        let is_of_resource = reference.by != By::DependsOn && !reference.inside.import;
        let name = tree.symbols().get(reference.name).filter(|name| is_of_resource && targets.contains_key(name));
        if let Some(target) = name
            && PseudoParameter::from_name(reference.name).is_none()
        {
            found.push(ReferenceSite { target, node: reference.node, variable: reference.variable, way: way.clone() });
        }
    });
    for choice in choices {
        let (_, argument) = tree.call(choice);
        let &[condition, holds, fails] = tree.items(argument) else { continue };
        let Some(condition) = tree.string(condition) else { continue };
        for (branch, outcome) in [(holds, true), (fails, false)] {
            match way.get(condition) {
                // The other branch is never taken.
                Some(known) if *known != outcome => {}
                Some(_) => collect(tree, branch, way, targets, found),
                None => {
                    way.insert(condition.to_owned(), outcome);
                    collect(tree, branch, way, targets, found);
                    way.remove(condition);
                }
            }
        }
    }
}

fn report(tree: &Tree, dangling: &Dangling<'_>, witness: &Witness, others: &[Span]) -> Diagnostic {
    const MOST_IN_MESSAGE: usize = 60;
    const MOST_RELATED: usize = 4;
    let Dangling { section, member, .. } = *dangling;
    let (name, condition) = (shown(dangling.target), shown(dangling.condition));
    let member_name = shown(tree.text(member.key));
    let sentence = match section {
        Section::Outputs => {
            format!("Unresolved resource dependencies [{name}] in the Outputs block of the template")
        }
        _ => format!(
            "Template format error: Unresolved resource dependencies [{name}] in the Resources block of the template"
        ),
    };
    let values = witness.values.join(" and ");
    let is_short = values.len() <= MOST_IN_MESSAGE;
    let when = if is_short { format!("if {values}") } else { "for some values of the parameters".to_owned() };
    let mut diagnostic = Diagnostic::new(codes::ABSENT_RESOURCE, format!("{name} does not exist {when}: `{sentence}`"))
        .at(tree.span(dangling.node))
        .frames(tree.frame_chain(tree.frame_of(member.key)))
        .path(format!("{}.{member_name}", section.name()));
    for &span in others.iter().take(MOST_RELATED) {
        diagnostic = diagnostic.related(span, format!("also refers to {name}"));
    }
    if !is_short {
        diagnostic = diagnostic.note(format!("for example if {values}"));
    }
    diagnostic =
        diagnostic.note(format!("condition {condition} of {name} is false then, and {member_name} refers to it"));
    let is_output = section == Section::Outputs;
    diagnostic.help(match (dangling.way.is_empty(), is_output) {
        (true, true) => format!("add `Condition: {condition}` to output {member_name}"),
        _ => format!("refer to {name} in a branch of `Fn::If` with {condition}, or add a condition to {member_name}"),
    })
}
