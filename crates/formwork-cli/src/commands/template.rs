//! What `expand` and `resolve` share: a template in, a template out.

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use formwork::{Choices, Format, Goal, Values};

use crate::args::{FormatArg, InputArgs, OutputArgs, ReportArgs};
use crate::failure::Failure;
use crate::live::Live;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::{Status, inputs, output, terminal};

/// Compiles a template and prints the result, unless there are errors.
pub(super) fn run(
    template: &Path,
    command: &str,
    goal: Goal,
    values: Values,
    inputs: &InputArgs,
    output: &OutputArgs,
    report: &ReportArgs,
) -> Result<Status, Failure> {
    let timings = Timings::new();
    let folder = inputs::folder(template);
    let named = [("-o", output.output.as_deref()), ("--source-map", output.source_map.as_deref())];
    let outputs = Outputs::new(&named, Some(inputs));
    outputs.check(&inputs.named_files(template))?;
    let mut input = inputs::read(template, command, values, inputs, report)?;
    let loader = input.host.loader().clone();
    input.options.modules = Choices { metrics: output.metrics, metadata_source_map: output.metadata_source_map };
    let observer = |name| timings.begin(name);
    let report_of = Live::new(inputs)?.compile(&input, goal, Some(&observer))?;
    let result = report_of.compilation();
    let mut reporter = Reporter::new(report);
    reporter.print(&report_of);
    let result = match result.output() {
        Ok(result) if !report_of.has_errors() => result,
        _ => {
            reporter.finish("; no template was written");
            return Ok(Status::Errors);
        }
    };
    outputs.keep_inputs(&loader)?;
    timings.begin("emit");
    let format = output.format.map(|format| match format {
        FormatArg::Yaml => Format::Yaml,
        FormatArg::Json => Format::Json,
    });
    let mut map = None;
    output::write(output.output.as_deref(), |out| {
        let mut failed = Ok(());
        let mut sink = |part: &[u8]| {
            if failed.is_ok() {
                failed = out.write_all(part);
            }
        };
        if output.source_map.is_some() {
            let path =
                output.output.as_deref().map_or_else(|| "stdout".to_owned(), |path| inputs::from_folder(path, folder));
            map = result.write_with_map(format, &path, &mut sink);
        } else {
            result.write_bytes(format, &mut sink);
        }
        failed
    })?;
    if let (Some(path), Some(map)) = (&output.source_map, map) {
        output::write(Some(path), |out| out.write_all(map.as_bytes()))?;
    }
    reporter.finish("");
    if report.timings {
        timings.print();
    }
    Ok(Status::Done)
}

/// How long each stage took.
pub(super) struct Timings {
    stages: RefCell<Vec<(&'static str, Instant)>>,
}

impl Timings {
    pub(super) fn new() -> Timings {
        Timings { stages: RefCell::new(vec![("read", Instant::now())]) }
    }

    pub(super) fn begin(&self, name: &'static str) {
        self.stages.borrow_mut().push((name, Instant::now()));
    }

    pub(super) fn print(&self) {
        let end = Instant::now();
        let stages = self.stages.borrow();
        for (at, (name, start)) in stages.iter().enumerate() {
            let next = stages.get(at + 1).map_or(end, |(_, next)| *next);
            terminal::say_line(&format!("{name:>10} {:8.3} ms", (next - *start).as_secs_f64() * 1e3));
        }
    }
}
