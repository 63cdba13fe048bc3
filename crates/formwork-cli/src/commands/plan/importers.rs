//! Looks for the templates that import a changed export (reference/plan.md#exports).

use std::path::Path;
use std::sync::Arc;

use formwork::disk::is_same_file;
use formwork::planning::{self, Compiled, Follower, Importer, Plan, Settings, Sides, Worlds};
use formwork::repository::{Kind, Name, Template};
use formwork::{FileBytes, Goal, Serverless, SourceFile, Values};
use formwork_run::links::{self, Reading, Shared};
use formwork_run::repository::around;
use formwork_run::stacks::Stack;

use super::sides::Compared;
use crate::args::PlanArgs;
use crate::failure::Failure;
use crate::inputs;
use crate::live::Live;
use crate::surroundings::Surroundings;

/// Adds the importers of changed exports that are in the repository of the template, with what follows in them. Nothing is
/// read when no export changes.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn add(
    plan: &mut Plan<'_, '_>,
    compared: &Compared,
    (args, settings): (&PlanArgs, Settings<'_>),
    shared: Option<&Shared>,
) -> Result<(), Failure> {
    let changed = || plan.changes.iter().any(|change| change.export.is_some());
    let Some(old) = compared.old.root.as_deref().filter(|_| changed()) else { return Ok(()) };
    let own = compared.template.as_path();
    // Values of the command line are for the template of the plan.
    let inputs = args.inputs.of_others();
    let reading = Reading::of("plan", &inputs);
    let read;
    let shared = if let Some(shared) = shared {
        shared
    } else {
        let Some(directory) = around(own) else { return Ok(()) };
        read = links::read(&[directory], reading)?;
        &read
    };
    let side = old.links(&compared.old_options().pseudo);
    // The stage of the plan is that of the stack with its name.
    let named = |stack: &Template| stack.stack.is_some() && stack.stack == side.stack;
    let stage = shared.templates.iter().find(|one| named(one)).and_then(|one| one.stage.clone());
    let side = Template { stage, ..side };
    for change in plan.changes.iter_mut().filter(|change| change.stack.is_empty()) {
        let owner = change.old_id.unwrap_or(change.id);
        let Some(export) = &mut change.export else { continue };
        let name = side.exports.iter().find(|known| known.kind == Kind::Export && known.owner == owner);
        let Some(name) = name.map(|known| &known.name) else { continue };
        let mut importers = Vec::new();
        for (other, stack) in shared.templates.iter().zip(&shared.stacks) {
            if is_same_file(Path::new(&other.path), own) || !other.may_be_beside(&side) {
                continue;
            }
            let mut found: Vec<Importer> = importers_in(other, name).collect();
            if found.iter().any(|importer| importer.is_certain)
                && let Some(name) = name.text()
            {
                let followers = followers((shared, stack, other), name, (reading, settings))?;
                attach(&mut found, followers);
            }
            importers.extend(found);
        }
        export.importers = Some(importers);
    }
    Ok(())
}

/// Adds each property to the import in its line, or else to the first one.
fn attach(importers: &mut [Importer], followers: Vec<Follower>) {
    for follower in followers {
        let in_line = importers.iter().position(|importer| Some(importer.line) == follower.line);
        if let Some(importer) = importers.get_mut(in_line.unwrap_or_default()) {
            importer.followers.push(follower);
        }
    }
}

/// Returns the properties that follow an import: the differences between two values of it.
fn followers(
    (shared, stack, template): (&Shared, &Stack, &Template),
    name: &str,
    (reading, settings): (Reading<'_>, Settings<'_>),
) -> Result<Vec<Follower>, Failure> {
    let Some(file) = shared.files.files.get(stack.template) else { return Ok(Vec::new()) };
    let imports = template.imports.iter().filter(|import| import.kind == Kind::Export);
    let imports: Vec<&str> = imports.filter_map(|import| import.name.text()).collect();
    let inputs = stack.inputs(reading.args);
    let compile = |value: &str| -> Result<Compiled, Failure> {
        let export = |import: &&str| ((*import).to_owned(), if *import == name { value } else { *import }.into());
        let exports: serde_json::Map<String, serde_json::Value> = imports.iter().map(export).collect();
        let snapshot = serde_json::json!({"FormworkAccountSnapshot": "1", "Exports": exports});
        let mut input =
            inputs::read_in(&Surroundings::default(), file, reading.command, Values::Keep, (&inputs, false))?;
        input.options.serverless = Serverless::Output;
        input.options.allow_unresolved = true;
        input.options.accounts.push(SourceFile {
            path: "<exports>".to_owned(),
            display: "<exports>".to_owned(),
            bytes: FileBytes::from(snapshot.to_string()),
        });
        let report = Live::new(&inputs)?.compile(&input, Goal::Resolve, None)?;
        Ok(Compiled { root: Some(Arc::clone(report.compilation())), ..Compiled::default() })
    };
    let (old, new) = (compile("formwork-old")?, compile("formwork-new")?);
    let has_errors = |side: &Compiled| side.root.iter().any(|root| root.has_errors());
    if has_errors(&old) || has_errors(&new) {
        return Ok(Vec::new());
    }
    let worlds = Worlds::of(&old, &new);
    Ok(planning::followers(&Sides::new(&old, &new, &worlds).plan(settings)))
}

fn importers_in<'t>(template: &'t Template, name: &'t Name) -> impl Iterator<Item = Importer> + 't {
    template.imports.iter().filter(move |import| import.kind == Kind::Export && import.name.may_be(name)).map(
        |import| Importer {
            file: import.file.clone(),
            line: import.line,
            stack: template.stack.clone(),
            is_certain: import.name.is_same(name),
            followers: Vec::new(),
        },
    )
}
