//! The result of a place in the output.

use formwork::{FileRange, VirtualPath};

use crate::Ide;
use crate::markdown::{span, words};
use crate::values::shown;

/// The value of a place in the output, or the reason why it is not known, per iteration.
pub(super) fn evaluated(ide: &Ide<'_>, file: &VirtualPath, range: &FileRange) -> Option<String> {
    let index = ide.file(file)?;
    let node = ide.project().node_at(file, range.start)?;
    if node.kind == formwork::query::NodeKind::Key {
        return None;
    }
    let resolved = ide.resolved().ok()?;
    let (line, column) = index.lines().line_column(index.text(), node.range.start);
    let answers = resolved.explain_line(file.as_str(), line, Some(column));
    let mut lines: Vec<String> = Vec::new();
    let paths: Vec<String> =
        answers.answers.iter().map(|answer| formwork::explain::path::dotted(&answer.path)).collect();
    let is_below =
        |path: &String, above: &String| path.strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('.'));
    // A call and its argument are one place, and so are a collection and its content.
    let is_shown = |path: &String| {
        let (parent, last) = path.rsplit_once('.').unwrap_or(("", path));
        let is_argument = last.starts_with("Fn::") && paths.iter().any(|other| other == parent);
        let has_more = paths.iter().any(|other| is_below(other, path) && !other.contains(".Fn::"));
        !is_argument && !has_more
    };
    let own = answers.answers.iter().zip(&paths).filter(|(_, path)| is_shown(path));
    for (answer, path) in own.take(10) {
        if answer.residual.is_empty() {
            let value = answer.value.as_ref().map(shown)?;
            lines.push(format!("{} = {}", span(path), span(&value)));
        } else {
            let reason = answer.residual.first().map(|why| format!("{} ({})", why.of, why.hint)).unwrap_or_default();
            lines.push(format!("{} is not known: {}", span(path), words(&reason)));
        }
    }
    // The share of shown nodes is assumed to be the same in further iterations as in the inspected ones.
    let shown_paths = paths.iter().filter(|path| is_shown(path)).count();
    let total = (answers.total * shown_paths).checked_div(paths.len()).unwrap_or(0);
    if total > lines.len() && !lines.is_empty() {
        lines.push(format!("and {} more", total - lines.len()));
    }
    (!lines.is_empty()).then(|| format!("**value**\n\n{}", lines.join("\n\n")))
}
