//! Collects renames and moves: those of the command line, and those that are detected.

use std::path::Path;

use formwork::{Format, Limits};
use formwork_project::{Failure, FileFailure};
use formwork_refactor::{Ambiguity, Mapping, Pairing, Sides, pair, read_mappings, wrong_mappings};
use formwork_report::{Notice, printable};
use formwork_run::Status;

use super::items::Items;
use super::refusals;
use super::stack::RefactoredStack;
use crate::Exit;
use crate::around::Connection;

/// Maximum size in bytes of a mapping file.
const BYTES: u64 = 1 << 22;

/// Reads the renames and moves of the command line. `stack` applies to IDs without a stack.
///
/// # Errors
/// When a mapping or the file is malformed.
pub fn given(words: &[String], file: Option<&Path>, stack: Option<&str>) -> Result<Vec<Mapping>, Failure> {
    let mut found = Vec::new();
    for word in words {
        let form = if stack.is_some() { "OLD=NEW" } else { "STACK.OLD=STACK.NEW" };
        let mapping = Mapping::read(word, stack);
        found.push(mapping.ok_or_else(|| format!("`--map {word}` is not a rename\n  help: write `--map {form}`"))?);
    }
    if let Some(path) = file {
        found.extend(of_file(path)?);
    }
    Ok(found)
}

fn of_file(path: &Path) -> Result<Vec<Mapping>, Failure> {
    let bytes = formwork::disk::read_named(path, BYTES).map_err(|error| FileFailure::unread(path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let json = formwork::reformat(&text, Format::Json, &Limits::default());
    let value = json.and_then(|json| serde_json::from_str(&json).ok());
    value.as_ref().and_then(read_mappings).ok_or_else(|| {
        FileFailure::unfit(path, format!("{} does not have mappings of a refactor", path.display()))
            .help("write the list that `aws cloudformation create-stack-refactor --resource-mappings` takes, or `{\"mappings\": [{\"resources\": {\"STACK.OLD\": \"STACK.NEW\"}}]}`")
            .into()
    })
}

/// Returns all renames and moves, those of the command line first, and the loop items of the deployed resources.
///
/// # Errors
/// When a mapping of the command line is invalid, or the matching resources are ambiguous.
pub fn found(
    given: &[Mapping],
    stacks: &mut [RefactoredStack],
    connection: &mut Connection<'_, '_>,
) -> Result<(Vec<Mapping>, Items), Exit> {
    let sides: Vec<Sides> = stacks.iter().map(|stack| stack.sides.clone()).collect();
    let wrong = wrong_mappings(&sides, given);
    if !wrong.is_empty() {
        refusals::print_wrong(&wrong, stacks, connection.reporter);
        return Err(Status::Failed.into());
    }
    // Only CloudFormation knows the output of macros.
    let macros: Vec<&str> = stacks.iter().filter(|one| one.has_macros()).map(|one| one.sides.stack.as_str()).collect();
    if !macros.is_empty() {
        let names = printable(&macros.join(", ")).into_owned();
        let notice = Notice::note(format!(
            "the template of stack {names} has macros: which resources they generate is not known"
        ))
        .help("name each rename: `--map OLD=NEW`, with the logical IDs of the deployed resources");
        connection.reporter.print(&notice, None);
        return Ok((given.to_vec(), Items::default()));
    }
    let mut pairing = pair(&sides, given, None);
    if pairing == Pairing::default() {
        return Ok((Vec::new(), Items::default()));
    }
    let items = Items::read(stacks, connection)?;
    if !pairing.ambiguous.is_empty() {
        pairing = pair(&sides, given, Some(&|id, is_deployed| items.words(id, is_deployed)));
    }
    let Pairing { mappings, ambiguous } = pairing;
    if ambiguous.is_empty() {
        return Ok((mappings, items));
    }
    for one in &ambiguous {
        print_ambiguous(one, stacks, connection);
    }
    Err(Status::Failed.into())
}

fn print_ambiguous(ambiguity: &Ambiguity, stacks: &mut [RefactoredStack], connection: &mut Connection<'_, '_>) {
    let is_single = stacks.len() == 1;
    let word = |id: &formwork_refactor::ResourceId| if is_single { id.logical_id.clone() } else { id.to_string() };
    let list = |ids: &[formwork_refactor::ResourceId]| {
        let words: Vec<String> = ids.iter().take(NAMED).map(word).collect();
        let more = ids.len().saturating_sub(NAMED);
        if more == 0 { words.join(", ") } else { format!("{}, and {more} more", words.join(", ")) }
    };
    let Ambiguity { sources, destinations } = ambiguity;
    let message = format!("which of {} is now which of {} is not known", list(sources), list(destinations));
    let pairs = sources.iter().zip(destinations).take(NAMED);
    let help: Vec<String> = pairs.map(|(old, new)| format!("--map {}={}", word(old), word(new))).collect();
    let help = format!("they are equal: name each of them, such as `{}`", help.join(" "));
    refusals::print_at(&message, Some(&help), destinations.first(), stacks, connection.reporter);
}

const NAMED: usize = 5;
