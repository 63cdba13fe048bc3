//! Writes the refactoring that avoids replacements (reference/plan.md#refactor).

use std::path::Path;
use std::sync::Arc;

use formwork::planning::{Compiled, Plan, Refactor, Settings, Sides, Summary, Worlds, output as output_of};
use formwork::{Goal, MemoryHost, Options, Session, VirtualPath};

use super::sides::Compared;
use crate::args::{PlanArgs, StageArg};
use crate::failure::Failure;
use crate::output;
use crate::terminal::say_line;

/// Writes the refactoring that the arguments request; returns it and the remaining changes after it. `None` when none
/// is requested.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write(
    args: &PlanArgs,
    compared: &Compared,
    plan: &Plan<'_, '_>,
    settings: Settings<'_>,
) -> Result<Option<(Refactor, Summary)>, Failure> {
    let wanted = &args.refactor;
    if wanted.refactor.is_none() && wanted.refactor_map.is_none() {
        return Ok(None);
    }
    let Some(processed) = compared.processed(args)? else { return Ok(None) };
    let value = output_of(&processed);
    let refactor = Refactor::of(plan, &value, settings.facts, wanted.refactor_likely);
    if refactor.is_empty() {
        say_line("note: nothing is renamed, so no refactoring is written");
        return Ok(Some((refactor, Summary::of(plan))));
    }
    let stack = stack_name(args, compared);
    let text = refactor.template(&value);
    let after = left(args, compared, &text, settings);
    if let Some(directory) = &wanted.refactor {
        std::fs::create_dir_all(directory).map_err(|error| output::failed(directory, &error))?;
        if wanted.refactor_steps == 2 {
            let (first, second) = refactor.in_two_steps(&value);
            pair(
                directory,
                &format!("{stack}.1"),
                "resource-mappings.1",
                &first.template(&value),
                &first.mappings_json(&stack),
            )?;
            // The second one begins where the first one ended.
            pair(directory, &format!("{stack}.2"), "resource-mappings.2", &text, &second.mappings_json(&stack))?;
        } else {
            pair(directory, &stack, "resource-mappings", &text, &refactor.mappings_json(&stack))?;
        }
    }
    if let Some(file) = &wanted.refactor_map {
        put(file, &refactor.mappings_json(&stack))?;
    }
    Ok(Some((refactor, after)))
}

fn stack_name(args: &PlanArgs, compared: &Compared) -> String {
    let own = compared.recorded.as_ref().map(|recorded| recorded.name.clone());
    args.inputs.stack_name.clone().or(own).unwrap_or_else(|| "stack".to_owned())
}

fn pair(directory: &Path, template: &str, mappings: &str, text: &str, pairs: &str) -> Result<(), Failure> {
    put(&directory.join(format!("{template}.template.json")), text)?;
    put(&directory.join(format!("{mappings}.json")), pairs)
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    output::write(Some(path), |out| out.write_all(text.as_bytes()))
}

/// The changes of the stack that remain after the refactoring.
fn left(args: &PlanArgs, compared: &Compared, text: &str, settings: Settings<'_>) -> Summary {
    let path = VirtualPath::new("stack.template.json");
    let host = MemoryHost::new().with(path.as_str(), text.as_bytes().to_vec());
    let options = Options { display_prefix: String::new(), ..compared.old_options().clone() };
    let goal = match args.stage {
        StageArg::Resolve => Goal::Resolve,
        StageArg::Expand => Goal::Expand,
    };
    let root = Session::new(host, options).analyze(&path).compile(goal);
    let old = Compiled { root: Some(root), ..Compiled::default() };
    let new = Compiled { root: compared.new.root.as_ref().map(Arc::clone), ..Compiled::default() };
    let worlds = Worlds::of(&old, &new);
    let sides = Sides::new(&old, &new, &worlds);
    Summary::of(&sides.plan(settings))
}
