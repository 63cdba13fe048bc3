//! Findings about names that the stacks of a check share (reference/repository.md#findings).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use formwork::repository::{Asked, Checked as Judged, Kind, Template as Links, check};
use formwork::{Diagnostic, Report, codes};
use formwork_project::Failure;

use super::CheckArgs;
use crate::links::{Reading, of_stack};
use crate::live::Live;
use crate::many::on_all;
use crate::stacks::{self, Stack};
use crate::surroundings::Surroundings;
use crate::templates::Templates;
use crate::terminal;

/// Returns the findings about links, by the number of the template. Templates that share no names are not looked at, and
/// `shared` has what the others share with the values of the check, and whether it is a module.
///
/// # Errors
/// When the stacks cannot be read.
pub(super) fn judge_links(
    surroundings: &Surroundings,
    live: &mut Live,
    templates: &Templates,
    (args, shared): (&CheckArgs, Vec<(Links, bool)>),
) -> Result<Vec<(usize, Report)>, Failure> {
    let (mut links, is_module): (Vec<Links>, Vec<bool>) = shared.into_iter().unzip();
    let is_module = |at: usize| is_module.get(at).copied().unwrap_or_default();
    let stacks = stacks::find(templates, &is_module, &args.inputs, &args.stages)?;
    // An output is shared when a template reads outputs of stacks.
    let reads_outputs = links.iter().any(|one| one.imports.iter().any(|import| import.kind == Kind::Output));
    let shares = |links: &Links| if reads_outputs { !links.exports.is_empty() } else { !links.is_alone() };
    let reading = Reading {
        is_strict: args.report.strict,
        stages: &args.stages,
        selection: Some(&args.selection),
        ..Reading::of("check", &args.inputs)
    };
    let of = |live: &mut Live, stack: &Stack| -> Result<Option<(Report, Links)>, Failure> {
        let Some(file) = templates.files.get(stack.template) else { return Ok(None) };
        of_stack(surroundings, live, (file, stack), reading).map(Some)
    };
    let wanted: Vec<bool> =
        links.iter().map(|links| shares(links) || !links.imports.is_empty() || links.is_broken).collect();
    let is_wanted = |stack: &Stack| {
        let has_values = stack.settings.has_values() && !is_module(stack.template);
        has_values || wanted.get(stack.template).copied().unwrap_or_default()
    };
    let compiled: Vec<&Stack> = stacks.iter().filter(|stack| !stack.is_plain() && is_wanted(stack)).collect();
    let read = on_all(compiled, |stack| {
        let read = of(&mut Live::new(&args.inputs)?, stack)?;
        Ok::<_, Failure>(read.map(|(report, links)| if report.has_errors() { broken(links, stack) } else { links }))
    });
    let mut read = read.into_iter();
    let (mut all, mut owners) = (Vec::new(), Vec::new());
    for stack in stacks.iter().filter(|stack| is_wanted(stack)) {
        let own = if stack.is_plain() {
            links.get_mut(stack.template).map(|own| if stack.is_named() { own.clone() } else { std::mem::take(own) })
        } else {
            read.next().transpose()?.flatten()
        };
        let Some(mut own) = own else { continue };
        // One with errors for all values is reported by itself.
        let is_new = !stack.is_plain() && links.get(stack.template).is_some_and(|base| !base.is_broken);
        if own.is_broken && is_new && !args.report.quiet {
            terminal::say_line(&format!(
                "note: {} has errors with the values of stack {}, and what it exports is not known",
                own.path,
                stack.shown()
            ));
        }
        if own.stage.is_none() {
            own.stage.clone_from(&stack.stage);
        }
        all.push(own);
        owners.push(stack);
    }
    let asked = Asked {
        is_closed: args.stacks_closed,
        unused: args.selection.select.iter().any(|pattern| pattern.matches(codes::UNUSED_EXPORT)),
    };
    let Judged { found, outside } = check(&all, asked);
    if outside > 0 && !args.report.quiet {
        let verb = if outside == 1 { "name comes" } else { "names come" };
        terminal::say_line(&format!("note: {outside} imported {verb} from outside of these templates"));
    }
    let mut reports = Vec::new();
    for (stack, found) in joined(found, &owners) {
        let Some((report, _)) = of(live, stack)? else { continue };
        reports.push((stack.template, Report::of_findings(Arc::clone(report.compilation()), found)));
    }
    Ok(reports)
}

/// Returns what is known of a stack with errors: nothing but where it is.
fn broken(links: Links, stack: &Stack) -> Links {
    let Links { path, stack: name, region, account, .. } = links;
    let stage = stack.stage.clone();
    Links { path, stack: name, stage, region, account, is_broken: true, ..Links::default() }
}

/// Joins findings that several stacks of a template have at one place, with the words of the first of them. One that
/// some of the stages do not have names those that do.
fn joined<'s>(found: Vec<(usize, Diagnostic)>, owners: &[&'s Stack]) -> Vec<(&'s Stack, Vec<Diagnostic>)> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for stack in owners {
        *counts.entry(stack.template).or_default() += 1;
    }
    // For each finding the numbers of its stacks, in the order of the first ones.
    let mut all: Vec<(usize, Diagnostic, Vec<usize>)> = Vec::new();
    let (mut known, mut nths) = (HashMap::new(), HashMap::new());
    for (number, found) in found {
        let Some(stack) = owners.get(number) else { continue };
        // Names differ from stage to stage; values of one stack have one place.
        let own = if found.code == codes::STACK_VALUES { Some(found.message.clone()) } else { None };
        let nth = nths.entry((number, found.code, found.span())).or_insert(0_usize);
        *nth += usize::from(own.is_none());
        let at = *known.entry((stack.template, found.code, found.span(), own, *nth)).or_insert(all.len());
        match all.get_mut(at) {
            Some((.., stacks)) => stacks.push(number),
            None => all.push((number, found, vec![number])),
        }
    }
    let mut reports: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    for (first, mut found, stacks) in all {
        let of = |number: &usize| owners.get(*number).copied();
        let count = of(&first).and_then(|stack| counts.get(&stack.template)).copied().unwrap_or_default();
        let stages: Vec<&str> = stacks.iter().filter_map(of).filter_map(|stack| stack.stage.as_deref()).collect();
        if stacks.len() < count && !stages.is_empty() && found.code != codes::STAGE_EXPORT {
            let word = if stages.len() == 1 { "stage" } else { "stages" };
            found = found.note(format!("with the values of {word} {}", stages.join(", ")));
        }
        reports.entry(first).or_default().push(found);
    }
    reports.into_iter().filter_map(|(number, found)| Some((owners.get(number).copied()?, found))).collect()
}
