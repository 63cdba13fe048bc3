//! Writes graphs in their formats (reference/graph.md#formats).

use std::path::Path;

use formwork::graph::Graph;
use formwork::graph::render::{dot, json, mermaid, svg};
use formwork_report::printable;

use crate::args::{GraphArgs, GraphFormatArg};
use crate::failure::Failure;
use crate::terminal::{self, Form, say_line};

/// Writes a graph with its notes; returns `false` when it is too large for the format, for which `help` has advice.
///
/// # Errors
/// When the output cannot be written.
pub(super) fn write(
    args: &GraphArgs,
    drawn: &Graph,
    format: Option<GraphFormatArg>,
    (title, help): (&Path, &str),
) -> Result<bool, Failure> {
    let (text, notes) = match format.unwrap_or(GraphFormatArg::Dot) {
        GraphFormatArg::Dot => (dot::render(drawn), drawn.notes.clone()),
        GraphFormatArg::Json => (json::render(drawn), drawn.notes.clone()),
        GraphFormatArg::Svg => (svg::render(drawn, &title.display().to_string()), drawn.notes.clone()),
        GraphFormatArg::Mermaid => match mermaid::render(drawn) {
            Ok(drawn) => drawn,
            Err(why) => {
                say_line(&format!("error: {why}\n  help: {help}"));
                return Ok(false);
            }
        },
    };
    if !args.report.quiet {
        for note in &notes {
            say_line(&format!("note: {}", printable(note)));
        }
    }
    let form = if format == Some(GraphFormatArg::Json) { Form::Json } else { Form::Plain };
    terminal::write(args.output.as_deref(), &text, form)?;
    Ok(true)
}
