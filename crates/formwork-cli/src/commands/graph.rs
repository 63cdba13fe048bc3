//! `formwork graph` (reference/graph.md)

use std::path::Path;
use std::sync::Arc;

use formwork::graph::select::Selection;
use formwork::graph::{Graph, Parts, graph};
use formwork::nested::PathErrors;
use formwork::planning::Compiled;
use formwork::{Goal, Report, Serverless, Severity, Values, codes, suggest};
use formwork_report::printable;

use super::draw;
use crate::args::{GraphArgs, GraphFormatArg, StageArg, WithArg};
use crate::failure::Failure;
use crate::live::Live;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::terminal::say_line;
use crate::{Status, default_template, inputs};

pub(crate) fn run(args: &GraphArgs) -> Result<Status, Failure> {
    let format = args.format.or_else(|| args.output.as_deref().and_then(GraphFormatArg::of_file));
    if let Some(picture) = args.output.as_deref().filter(|_| format.is_none()).and_then(picture) {
        return Err(no_picture(&picture).into());
    }
    if args.stacks {
        return super::graph_stacks::run(args, format);
    }
    let template = default_template::named_or_own(args.template.as_ref())?;
    let outputs = Outputs::new(&[("--output", args.output.as_deref())], args.inputs.live.record_account.as_deref());
    outputs.check(&args.inputs.named_files(template.as_path()))?;
    let goal = match args.stage {
        StageArg::Resolve => Goal::Resolve,
        StageArg::Expand => Goal::Expand,
    };
    let mut input = inputs::read(&template, "graph", Values::Keep, &args.inputs, args.report.strict)?;
    input.options.serverless = Serverless::Output;
    let mut live = Live::new(&args.inputs)?;
    let (analysis, mut report) = live.analyze(&input, goal, None)?;
    let mut reporter = Reporter::new(&args.report);
    // A graph with a cycle is drawn, too: the cycle is probably what the user wants to see.
    if report.has_errors() && !only_cycles(&report) {
        reporter.print(&report);
        reporter.finish(", nothing is drawn");
        return Ok(Status::Errors);
    }
    live.write_record()?;
    let mut compiled = Compiled { root: Some(Arc::clone(report.compilation())), ..Compiled::default() };
    if args.nested {
        compiled.nested = analysis.session().compile_nested(report.compilation(), goal, PathErrors::LeftToPackaging);
        if let Some(wrong) = compiled.nested.templates.iter().find(|template| template.has_errors()) {
            report = Report::from(Arc::clone(wrong));
            reporter.print(&report);
            reporter.finish(", nothing is drawn");
            return Ok(Status::Errors);
        }
    }
    let resolved = (goal == Goal::Expand).then(|| analysis.compile(Goal::Resolve)).filter(|it| !it.has_errors());
    let whole = graph(&compiled, resolved.as_deref(), parts(args));
    let has_cycle = print_cycles(&whole, &report, &mut reporter);
    let drawn = selection(args).apply(&whole).map_err(|unknown| no_such_id(&whole, &unknown.0))?;
    if drawn.nodes.is_empty() && !whole.nodes.is_empty() && !args.report.quiet {
        say_line("warning: --focus, --type, --only and --hide leave nothing to draw");
    }
    let drawn = args.collapse.apply(drawn);
    let help = "draw a part: `--focus ID --depth 2`, `--type GLOB`, `--only GLOB`";
    let is_drawn = draw::write(args, &drawn, format, (&template, help))?;
    Ok(if has_cycle || !is_drawn { Status::Errors } else { Status::Done })
}

/// The extension of an output file that only Graphviz can produce: an image or a document.
fn picture(output: &Path) -> Option<String> {
    let ending = output.extension()?.to_str()?.to_ascii_lowercase();
    ["png", "jpg", "jpeg", "gif", "webp", "pdf", "ps", "eps"].contains(&ending.as_str()).then_some(ending)
}

fn no_picture(ending: &str) -> String {
    format!(
        "a graph is not drawn as {ending}\n  help: write `-o NAME.svg`, or let Graphviz draw it: `formwork graph | dot -T{ending} > NAME.{ending}`"
    )
}

/// Prints the cycles of a graph; returns `true` if it has any.
fn print_cycles(graph: &Graph, report: &Report, reporter: &mut Reporter) -> bool {
    let cycles = graph.cycles();
    let known: Vec<_> = report.diagnostics().iter().filter(|found| found.code == codes::DEPENDENCY_CYCLE).collect();
    for found in &known {
        reporter.print_one(&(*found).clone().severity(Severity::Error), report.compilation());
    }
    // Those of nested stacks, and those that `expand` leaves to the deployment.
    for cycle in cycles.iter().filter(|_| known.is_empty()) {
        let names = printable(&cycle.join(", ")).into_owned();
        say_line(&format!("error[{}]: {names} depend on each other", codes::DEPENDENCY_CYCLE));
    }
    !cycles.is_empty()
}

fn only_cycles(report: &Report) -> bool {
    let mut errors = report.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    errors.all(|found| found.code == codes::DEPENDENCY_CYCLE)
}

fn parts(args: &GraphArgs) -> Parts {
    let has = |part: WithArg| args.with.contains(&part);
    Parts {
        parameters: has(WithArg::Parameters),
        outputs: has(WithArg::Outputs),
        conditions: has(WithArg::Conditions),
        imports: has(WithArg::Imports),
    }
}

fn selection(args: &GraphArgs) -> Selection {
    Selection {
        focus: args.focus.clone(),
        depth: args.depth,
        direction: Some(args.direction),
        types: args.types.clone(),
        only: args.only.clone(),
        hide: args.hide.clone(),
    }
}

fn no_such_id(graph: &Graph, id: &str) -> String {
    const MOST: usize = 5;
    let ids = || graph.nodes.iter().map(|node| node.id.as_str());
    let help = match suggest::nearest(id, ids()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if graph.nodes.is_empty() => "the graph is empty".to_owned(),
        None => {
            let more = if graph.nodes.len() > MOST { ", ..." } else { "" };
            format!("it has {}{more}", ids().take(MOST).collect::<Vec<_>>().join(", "))
        }
    };
    format!("{id} is not in the graph\n  help: {help}")
}
