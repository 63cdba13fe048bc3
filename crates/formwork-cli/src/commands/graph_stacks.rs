//! `formwork graph --stacks` (reference/graph.md#stacks).

use std::path::PathBuf;

use formwork::graph::render::{dot, json, mermaid, svg};
use formwork_report::printable;

use crate::args::{GraphArgs, GraphFormatArg};
use crate::failure::Failure;
use crate::report::Reporter;
use crate::terminal::{self, Form, say_line};
use crate::{Status, links};

pub(super) fn run(args: &GraphArgs, format: Option<GraphFormatArg>) -> Result<Status, Failure> {
    let directory = args.template.clone().unwrap_or_else(|| PathBuf::from("."));
    let shared = links::read(std::slice::from_ref(&directory), "graph", (&args.inputs, args.report.strict))?;
    if !shared.wrong.is_empty() {
        let mut reporter = Reporter::new(&args.report);
        shared.wrong.iter().for_each(|report| reporter.print(report));
        reporter.finish(", nothing is drawn");
        return Ok(Status::Errors);
    }
    let drawn = formwork::stack_graph(&shared.templates);
    let (text, notes) = match format.unwrap_or(GraphFormatArg::Dot) {
        GraphFormatArg::Dot => (dot::render(&drawn), drawn.notes.clone()),
        GraphFormatArg::Json => (json::render(&drawn), drawn.notes.clone()),
        GraphFormatArg::Svg => (svg::render(&drawn, &directory.display().to_string()), drawn.notes.clone()),
        GraphFormatArg::Mermaid => match mermaid::render(&drawn) {
            Ok(drawn) => drawn,
            Err(why) => {
                say_line(&format!(
                    "error: {why}\n  help: draw the stacks of one directory: `formwork graph --stacks DIR`"
                ));
                return Ok(Status::Errors);
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
    Ok(if drawn.edges.iter().any(|edge| edge.is_cycle) { Status::Errors } else { Status::Done })
}
