//! The lines of `explain` about imports: which template of the repository exports the name (reference/repository.md#links).

use std::fmt::Write as _;
use std::path::Path;

use formwork::repository::Template;
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
    // Values of the command line are for the explained template.
    let inputs = InputArgs { project_root: args.project_root.clone(), ..InputArgs::default() };
    let reading = Reading { command: "explain", args: &inputs, is_strict: false, stages: &[], selection: None };
    let shared = read(&[directory], reading)?;
    let mut text = String::new();
    for import in &imports {
        let same = |other: &&Template| other.exports.iter().any(|export| export.name.is_same(&import.name));
        let is_certain = shared.templates.iter().any(|other| same(&other));
        let mut count = 0;
        for other in &shared.templates {
            for export in other.exports.iter().filter(|export| export.kind == import.kind) {
                let fits =
                    if is_certain { export.name.is_same(&import.name) } else { export.name.may_be(&import.name) };
                if !fits {
                    continue;
                }
                count += 1;
                if count <= SHOWN {
                    let verb = if is_certain { "exports" } else { "may export" };
                    let stack = other.stack.as_ref().map(|stack| format!(" in stack {stack}")).unwrap_or_default();
                    let line = format!(
                        "{}: {}:{} {verb} it{stack} as {}",
                        import.name, export.file, export.line, export.value
                    );
                    let _ = writeln!(text, "  {}", printable(&line));
                }
            }
        }
        match count.saturating_sub(SHOWN) {
            0 if count == 0 => {
                let _ = writeln!(text, "  {}", printable(&format!("{}: no template here exports it", import.name)));
            }
            0 => {}
            more => {
                let _ = writeln!(text, "  and {more} more");
            }
        }
    }
    Ok(text)
}
