//! Looks for the templates that import a changed export (reference/plan.md#exports).

use std::path::{Path, PathBuf};

use formwork::disk::{is_same_file, project_root};
use formwork::planning::{Importer, Plan};
use formwork::repository::{Kind, Name, Template};
use formwork_run::args::InputArgs;

use super::sides::Compared;
use crate::args::PlanArgs;
use crate::failure::Failure;
use crate::{inputs, links};

/// Adds the importers of changed exports that are in the repository of the template. Nothing is read when no export
/// changes.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn add(plan: &mut Plan<'_, '_>, compared: &Compared, args: &PlanArgs) -> Result<(), Failure> {
    let changed = || plan.changes.iter().any(|change| change.export.is_some());
    let Some(old) = compared.old.root.as_deref().filter(|_| changed()) else { return Ok(()) };
    let own = compared.template.as_path();
    let Some(directory) = repository_of(own) else { return Ok(()) };
    // Values of the command line are for the template of the plan.
    let inputs = InputArgs { project_root: args.inputs.project_root.clone(), ..InputArgs::default() };
    let shared = links::read(&[directory], "plan", (&inputs, false))?;
    let exports = old.links(&compared.old_options().pseudo).exports;
    for change in plan.changes.iter_mut().filter(|change| change.stack.is_empty()) {
        let owner = change.old_id.unwrap_or(change.id);
        let Some(export) = &mut change.export else { continue };
        let name = exports.iter().find(|known| known.kind == Kind::Export && known.owner == owner);
        let Some(name) = name.map(|known| &known.name) else { continue };
        let others = shared.templates.iter().filter(|other| !is_same_file(Path::new(&other.path), own));
        export.importers = Some(others.flat_map(|other| importers(other, name)).collect());
    }
    Ok(())
}

fn importers<'t>(template: &'t Template, name: &'t Name) -> impl Iterator<Item = Importer> + 't {
    template.imports.iter().filter(move |import| import.kind == Kind::Export && import.name.may_be(name)).map(
        |import| Importer {
            file: import.file.clone(),
            line: import.line,
            stack: template.stack.clone(),
            is_certain: import.name.is_same(name),
        },
    )
}

/// Returns the root of the repository that a template is in, as a path from the working directory; `None` for standard
/// input, and outside of a repository.
fn repository_of(template: &Path) -> Option<PathBuf> {
    if template == Path::new("-") {
        return None;
    }
    let root = project_root(inputs::folder(template)).canonicalize().ok()?;
    let working = std::env::current_dir().ok()?.canonicalize().ok()?;
    let up = working.strip_prefix(&root).map(|below| below.components().map(|_| "..").collect::<PathBuf>());
    let shown = match up {
        Ok(up) if up.as_os_str().is_empty() => PathBuf::from("."),
        Ok(up) => up,
        Err(_) => root.clone(),
    };
    root.join(".git").exists().then_some(shown)
}
