//! Prints the errors that prevent a refactor, at their lines.

use formwork::{Diagnostic, codes};
use formwork_refactor::{Difference, Refusal, ResourceId, Section, WrongMapping};
use formwork_report::{Notice, printable};

use super::stack::{self, RefactoredStack};
use crate::reporter::DeployReporter;

/// Prints an error with advice at the place of a resource, if it has one.
pub fn print_at(
    message: &str,
    help: Option<&str>,
    at: Option<&ResourceId>,
    stacks: &mut [RefactoredStack],
    reporter: &mut DeployReporter<'_>,
) {
    let mut found = Diagnostic::new(codes::REFACTOR, printable(message).into_owned());
    if let Some(help) = help {
        found = found.help(printable(help).into_owned());
    }
    print_found(found, at, stacks, reporter);
}

/// Prints a diagnostic at the place of a resource, if it has one.
pub fn print_found(
    mut found: Diagnostic,
    at: Option<&ResourceId>,
    stacks: &mut [RefactoredStack],
    reporter: &mut DeployReporter<'_>,
) {
    if let Some(origin) = at.and_then(|id| stack::origin(stacks, id)) {
        found = found.at(origin.span).label(origin.items.clone());
    }
    let first = stacks.first().map(|stack| stack.sides.stack.clone()).unwrap_or_default();
    let about = at.map_or(first.as_str(), |id| id.stack.as_str());
    if let Some(compilation) = stack::compilation(stacks, about) {
        reporter.more_diagnostics(std::slice::from_ref(&found), compilation);
    }
}

/// Prints the errors in the renames and moves of the command line.
pub fn print_wrong(wrong: &[WrongMapping], stacks: &mut [RefactoredStack], reporter: &mut DeployReporter<'_>) {
    for one in wrong {
        let (message, help, at) = match one {
            WrongMapping::UnknownStack(name) => (
                format!("stack {name} is not among the stacks of the refactor"),
                Some("name it with `--stack NAME=TEMPLATE`".to_owned()),
                None,
            ),
            WrongMapping::UnknownSource(id) => {
                let deployed = stack::named(stacks, &id.stack).map(|stack| deployed_ids(stack)).unwrap_or_default();
                let near = formwork::suggest::nearest(&id.logical_id, deployed.iter().map(String::as_str));
                (
                    format!("stack {} has no resource {}", id.stack, id.logical_id),
                    near.map(|near| format!("did you mean `{near}`?")),
                    None,
                )
            }
            WrongMapping::DoubledSource(id) => {
                (format!("{id} would get two names"), Some("name it once".to_owned()), None)
            }
            WrongMapping::TakenDestination(id) => (
                format!("stack {} has a resource {} already", id.stack, id.logical_id),
                Some(format!("rename that one, too: `--map {id}=...`")),
                Some(id),
            ),
            WrongMapping::DoubledDestination(id) => (
                format!("two resources would get the name {id}"),
                Some("use another name for one of them".to_owned()),
                Some(id),
            ),
            WrongMapping::DifferentTypes { mapping, deployed, authored } => (
                format!("{} is of type {deployed}, and {} of {authored}", mapping.source, mapping.destination),
                None,
                Some(&mapping.destination),
            ),
            WrongMapping::Same(id) => (format!("{id} would keep its name"), Some("leave it out".to_owned()), Some(id)),
        };
        print_at(&message, help.as_deref(), at, stacks, reporter);
    }
}

fn deployed_ids(stack: &RefactoredStack) -> Vec<String> {
    let resources = stack.sides.deployed.get("Resources").and_then(serde_json::Value::as_object);
    resources.into_iter().flatten().map(|(id, _)| id.clone()).collect()
}

/// Prints why CloudFormation would reject a refactor.
pub fn print_refused(refused: &[Refusal], stacks: &mut [RefactoredStack], reporter: &mut DeployReporter<'_>) {
    for one in refused {
        match one {
            Refusal::TooManyStacks(count) => {
                let message = format!("the refactor is about {count} stacks, and at most 5 are allowed");
                print_at(&message, Some("move resources in several refactors"), None, stacks, reporter);
            }
            Refusal::Empty(name) => {
                let message = format!("stack {name} would have no resources");
                print_at(&message, Some("keep a resource in it: no stack may become empty"), None, stacks, reporter);
            }
            Refusal::OwnValue { mapping, name } => {
                let message = format!(
                    "{} uses {name}, which has another value in stack {}",
                    mapping.source, mapping.destination.stack
                );
                let help = "deploy it with the value of now in its place first";
                print_at(&message, Some(help), Some(&mapping.destination), stacks, reporter);
            }
            Refusal::NewStack { stack, section } => {
                let message = format!("stack {stack} is created by the refactor, and its template has {section}");
                print_at(&message, Some("leave them out until the stack exists"), None, stacks, reporter);
            }
            Refusal::Edited(difference) => {
                let message = format!("{} is {}, which no refactor may do", words(difference), difference.change);
                let at = ResourceId::new(&difference.stack, &difference.name);
                let is_there = difference.section == Section::Resources;
                let help = "deploy it before or after the refactor: a move may change nothing else";
                if is_there {
                    print_at(&message, Some(help), Some(&at), stacks, reporter);
                } else {
                    print_section(&message, help, difference, stacks, reporter);
                }
            }
        }
    }
}

/// Prints an error at an entry of another section than `Resources`.
fn print_section(
    message: &str,
    help: &str,
    difference: &Difference,
    stacks: &[RefactoredStack],
    reporter: &mut DeployReporter<'_>,
) {
    let found = Diagnostic::new(codes::REFACTOR, printable(message).into_owned()).help(help.to_owned());
    if let Some(compilation) = stack::compilation(stacks, &difference.stack) {
        reporter.more_diagnostics(std::slice::from_ref(&found), compilation);
    }
}

/// Names an entry by section and name: `output Url of stack shop`.
fn words(difference: &Difference) -> String {
    let what = difference.section.name().trim_end_matches('s').to_ascii_lowercase();
    format!("{what} {} of stack {}", difference.name, difference.stack)
}

/// Lists in a note the author's other edits, which the next deployment applies.
pub fn print_held_back(held_back: &[Difference], stacks: &mut [RefactoredStack], reporter: &mut DeployReporter<'_>) {
    if held_back.is_empty() {
        return;
    }
    let line = |difference: &Difference, stacks: &mut [RefactoredStack]| {
        let id = ResourceId::new(&difference.stack, &difference.name);
        let is_resource = difference.section == Section::Resources;
        let place = is_resource.then(|| stack::origin(stacks, &id)).flatten();
        let place = place.map_or_else(String::new, |origin| format!(" ({})", crate::places::words(&origin)));
        format!("{} is {}{place}", words(difference), difference.change)
    };
    let lines: Vec<String> = held_back.iter().map(|difference| line(difference, stacks)).collect();
    let count = lines.len();
    let noun = if count == 1 { "edit is" } else { "edits are" };
    let mut notice = Notice::note(format!("{count} other {noun} held back: a refactor only renames"));
    for line in lines {
        notice = notice.because(printable(&line).into_owned());
    }
    reporter.print(&notice.help("deploy them with the next `formwork deploy`"), None);
}
