//! `formwork check` (reference/command-line.md#checks).

use std::path::{Path, PathBuf};

use formwork::{Fixed, Goal, Values};

use super::timings::{Spent, Timings};
use crate::args::CheckArgs;
use crate::failure::{Failure, FileFailure};
use crate::inputs::Input;
use crate::live::Live;
use crate::many::in_parallel_again;
use crate::report::{Rendered, Reporter};
use crate::surroundings::Surroundings;
use crate::templates::{Content, Templates};
use crate::terminal::{self, Form};
use crate::{Status, inputs, nested, output, process_end};

/// What became of one template.
struct Checked {
    reports: Vec<Rendered>,
    fixed: Option<Fixed>,
    spent: Spent,
}

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    let templates = Templates::find(&args.template)?;
    let fixes_stdin = args.fixes.fix && templates.files.iter().any(|file| file == Path::new("-"));
    let prints_other = args.fixes.diff || fixes_stdin;
    let mut reporter =
        if prints_other { Reporter::beside_output(&args.report) } else { Reporter::on_output(&args.report) };
    let renderer = reporter.renderer();
    let mut is_unread = !templates.missing.is_empty();
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let is_alone = templates.files.len() < 2;
    let surroundings = Surroundings::default();
    let check = |live: &mut Live, (template, content): (&Path, &Content)| -> Result<Checked, Failure> {
        let timings = Timings::new(args.report.timings);
        let arguments = (&args.inputs, &args.report);
        let mut input =
            inputs::read_in(&surroundings, (template, content.take()), "check", Values::Resolve, arguments)?;
        args.selection.apply_to(&mut input.options);
        let fixes = args.fixes.fix || args.fixes.diff;
        let fixed = if fixes { Some(fix(args, template, &input, live)?) } else { None };
        let compiled = nested::compile(live, &input, Goal::Check, Some(&|name| timings.begin(name)))?;
        timings.begin("report");
        let reports = compiled.1.iter().map(|report| renderer.render(report)).collect();
        if is_alone {
            process_end::leave((compiled, input));
        }
        Ok(Checked { reports, fixed, spent: timings.spent() })
    };
    let mut spent = Spent::default();
    let mut print = |checked: Result<Checked, Failure>| -> Result<(), Failure> {
        let Some(checked) = reporter.readable(checked)? else {
            is_unread = true;
            return Ok(());
        };
        spent.add(&checked.spent);
        if let Some(fixed) = &checked.fixed {
            reporter.count_fixed(fixed.applied.len());
            tell_of(fixed, args.report.verbose);
        }
        if !args.fixes.diff {
            checked.reports.into_iter().for_each(|one| reporter.add(one));
        }
        if let Some(fixed) = checked.fixed.filter(|_| prints_other) {
            print_fixed(args, &fixed)?;
        }
        Ok(())
    };
    let all = templates.files.iter().map(PathBuf::as_path).zip(&templates.contents);
    if args.inputs.live.live || is_alone {
        // One account answers for all of them.
        let mut live = Live::new(&args.inputs)?;
        for template in all {
            print(check(&mut live, template))?;
        }
        live.write_record()?;
    } else {
        let check_alone = |template| check(&mut Live::new(&args.inputs)?, template);
        in_parallel_again(all.map(|template| (template.1.reader, template)), check_alone, print)?;
    }
    if args.report.timings {
        spent.print();
    }
    let summary = if args.fixes.diff {
        let would = reporter.summary().fixed_sentence("Would fix");
        if !would.is_empty() {
            terminal::say_line(&would);
        }
        reporter.summary()
    } else {
        reporter.finish_output()?
    };
    let is_wrong = summary.errors > 0 || args.fixes.diff && summary.fixed > 0;
    Ok(if is_unread {
        Status::Trouble
    } else if is_wrong && !args.selection.exit_zero {
        Status::Errors
    } else {
        Status::Done
    })
}

/// Fixes a template, and writes it unless it is only to be shown.
fn fix(args: &CheckArgs, template: &Path, input: &Input, live: &mut Live) -> Result<Fixed, Failure> {
    let (analysis, _) = live.analyze(input, Goal::Check, None)?;
    let fixed = analysis.fix(args.fixes.unsafe_fixes);
    let is_stdin = template == Path::new("-");
    if !args.fixes.diff && !is_stdin && fixed.before != fixed.after {
        let unwritten = |why| FileFailure::unfit(template, why).of_template();
        output::writable(template).map_err(|error| unwritten(output::failed(template, &error)))?;
        output::write(Some(template), |out| out.write_all(&fixed.bytes)).map_err(unwritten)?;
    }
    Ok(fixed)
}

/// Prints the fixes that were not applied, and with `--verbose` those that were.
fn tell_of(fixed: &Fixed, is_verbose: bool) {
    for one in &fixed.refused {
        let fix = one.finding.fix.as_ref().map_or("", |fix| &fix.message);
        terminal::say_line(&format!("{}: not fixed ({fix}): {}", place_of(&one.finding), one.reason));
    }
    for one in fixed.applied.iter().filter(|_| is_verbose) {
        let fix = one.fix.as_ref().map_or("", |fix| &fix.message);
        terminal::say_line(&format!("{}: fixed {}: {fix}", place_of(one), one.code));
    }
}

fn place_of(finding: &formwork::Finding) -> String {
    let place = &finding.place;
    let file = place.file.as_deref().unwrap_or_default();
    format!("{file}:{}:{}", place.line.unwrap_or_default(), place.column.unwrap_or_default())
}

/// Prints the fixed template of standard input, or what the fixes change.
fn print_fixed(args: &CheckArgs, fixed: &Fixed) -> Result<(), Failure> {
    if !args.fixes.diff {
        return Ok(output::write(None, |out| out.write_all(&fixed.bytes))?);
    }
    if fixed.before == fixed.after {
        return Ok(());
    }
    let file = fixed.applied.first().and_then(|one| one.place.file.clone()).unwrap_or_default();
    let text = super::line_diff::unified(&file, &fixed.before, &fixed.after);
    Ok(terminal::print(&text, Form::Plain)?)
}
