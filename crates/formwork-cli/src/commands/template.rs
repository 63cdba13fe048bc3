//! What `expand` and `resolve` share: a template in, a template out.

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use formwork::{Compiler, Format, Stage, Values};

use crate::args::{FormatArg, InputArgs, OutputArgs, ReportArgs};
use crate::report::Reporter;
use crate::{Status, inputs, output};

/// Compiles a template and prints the result, unless there are errors.
pub(super) fn run(
    template: &Path,
    command: &str,
    stage: Stage,
    values: Values,
    inputs: &InputArgs,
    output: &OutputArgs,
    report: &ReportArgs,
) -> Result<Status, String> {
    let timings = Timings::new();
    let input = inputs::read(template, command, values, inputs, report)?;
    let observer = |name| timings.begin(name);
    let result =
        Compiler::new(&input.host, input.options).observed_by(&observer).compile_bytes(input.path, input.bytes, stage);
    let mut reporter = Reporter::new(report);
    reporter.print(&result);
    if result.has_errors() {
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    }
    timings.begin("emit");
    let format = output.format.map(|format| match format {
        FormatArg::Yaml => Format::Yaml,
        FormatArg::Json => Format::Json,
    });
    output::write(output.output.as_deref(), |out| {
        let mut failed = Ok(());
        result.write_bytes(format, &mut |part| {
            if failed.is_ok() {
                failed = out.write_all(part);
            }
        });
        failed
    })?;
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

    fn print(&self) {
        let end = Instant::now();
        let stages = self.stages.borrow();
        for (at, (name, start)) in stages.iter().enumerate() {
            let next = stages.get(at + 1).map_or(end, |(_, next)| *next);
            eprintln!("{name:>10} {:8.3} ms", (next - *start).as_secs_f64() * 1e3);
        }
    }
}
