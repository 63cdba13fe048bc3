//! The lines of `explain` about imports: which template of the repository exports the name (reference/repository.md#links).

use std::fmt::Write as _;
use std::path::Path;

use formwork::repository::{Export, Template};
use formwork::{Answer, Compilation, PseudoParameter};
use formwork_report::printable;
use formwork_run::args::InputArgs;
use formwork_run::links::{Reading, read};
use formwork_run::repository::around;

use crate::failure::Failure;

/// The most exports of a name that are listed.
const SHOWN: usize = 5;

/// Lines about the imports at the path of an answer; empty without imports, and outside of a repository.
///
/// # Errors
/// When the templates of the repository cannot be read.
pub(super) fn lines(
    (args, template): (&InputArgs, &Path),
    pseudo: &[(PseudoParameter, String)],
    result: &Compilation,
    answer: &Answer,
) -> Result<String, Failure> {
    let imports = result.imports_at(&answer.path, pseudo);
    if imports.is_empty() {
        return Ok(String::new());
    }
    let Some(directory) = args.project_root.clone().or_else(|| around(template)) else { return Ok(String::new()) };
    let inputs = args.of_others();
    let shared = read(&[directory], Reading::of("explain", &inputs))?;
    let mut text = String::new();
    for import in &imports {
        let exports = shared.templates.iter().flat_map(|other| other.exports.iter().map(move |export| (other, export)));
        let mut found: Vec<(&Template, &Export)> =
            exports.filter(|(_, export)| export.kind == import.kind && export.name.may_be(&import.name)).collect();
        let is_same = |(_, export): &(&Template, &Export)| export.name.is_same(&import.name);
        let is_certain = found.iter().any(is_same);
        found.retain(|one| !is_certain || is_same(one));
        let verb = if is_certain { "exports" } else { "may export" };
        for (other, export) in found.iter().take(SHOWN) {
            let stack = other.stack.as_ref().map(|stack| format!(" in stack {stack}")).unwrap_or_default();
            let (file, line) = (&export.file, export.line);
            let line = format!("{}: {file}:{line} {verb} it{stack} as {}", import.name, export.value);
            let _ = writeln!(text, "  {}", printable(&line));
        }
        if found.is_empty() {
            let _ = writeln!(text, "  {}", printable(&format!("{}: no template here exports it", import.name)));
        } else if found.len() > SHOWN {
            let _ = writeln!(text, "  and {} more", found.len() - SHOWN);
        }
    }
    Ok(text)
}
