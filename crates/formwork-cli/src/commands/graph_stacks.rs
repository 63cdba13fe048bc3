//! `formwork graph --stacks` (reference/graph.md#stacks).

use std::path::{Path, PathBuf};

use crate::Status;
use crate::args::{GraphArgs, GraphFormatArg};
use crate::failure::Failure;
use crate::output::Outputs;
use crate::report::Reporter;
use formwork_run::links::{self, Reading};

pub(super) fn run(args: &GraphArgs, format: Option<GraphFormatArg>) -> Result<Status, Failure> {
    let directory = args.template.clone().unwrap_or_else(|| PathBuf::from("."));
    let shared = links::read(std::slice::from_ref(&directory), reading(args))?;
    let paths: Vec<&Path> = shared.templates.iter().map(|template| Path::new(&template.path)).collect();
    let outputs = Outputs::new(&[("--output", args.output.as_deref())], args.inputs.live.record_account.as_deref());
    outputs.check(&[paths, args.inputs.named_files(directory.as_path())].concat())?;
    if !shared.wrong.is_empty() {
        let mut reporter = Reporter::new(&args.report);
        shared.wrong.iter().for_each(|report| reporter.print(report));
        reporter.finish(", nothing is drawn");
        return Ok(Status::Errors);
    }
    let drawn = formwork::stack_graph(&shared.templates);
    let help = "draw the stacks of one directory: `formwork graph --stacks DIR`";
    let is_drawn = super::draw::write(args, &drawn, format, (&directory, help))?;
    Ok(if !is_drawn || drawn.edges.iter().any(|edge| edge.is_cycle) { Status::Errors } else { Status::Done })
}

fn reading(args: &GraphArgs) -> Reading<'_> {
    Reading { is_strict: args.report.strict, stages: &args.stages, ..Reading::of("graph", &args.inputs) }
}
