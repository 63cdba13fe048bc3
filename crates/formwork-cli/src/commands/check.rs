//! `formwork check` (reference/command-line.md#checks).

use formwork::{Goal, Values};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::live::Live;
use crate::many::in_parallel;
use crate::report::{Rendered, Reporter};
use crate::templates::Templates;
use crate::{Status, inputs, nested};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    let templates = Templates::find(&args.template)?;
    let mut reporter = Reporter::on_output(&args.report);
    let renderer = reporter.renderer();
    let mut is_unread = !templates.missing.is_empty();
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let check = |live: &mut Live, template: &std::path::Path| -> Result<Vec<Rendered>, Failure> {
        let input = inputs::read(template, "check", Values::Resolve, &args.inputs, &args.report)?;
        let reports = nested::compile(live, &input, Goal::Check)?.1;
        Ok(reports.iter().map(|report| renderer.render(report)).collect())
    };
    let mut print = |checked: Result<Vec<Rendered>, Failure>| -> Result<(), Failure> {
        match reporter.readable(checked)? {
            Some(rendered) => rendered.into_iter().for_each(|one| reporter.add(one)),
            None => is_unread = true,
        }
        Ok(())
    };
    if args.inputs.live.live || templates.files.len() < 2 {
        // One account answers for all of them.
        let mut live = Live::new(&args.inputs)?;
        for template in &templates.files {
            print(check(&mut live, template))?;
        }
        live.write_record()?;
    } else {
        let check_alone = |template: &std::path::PathBuf| check(&mut Live::new(&args.inputs)?, template);
        in_parallel(&templates.files, check_alone, print)?;
    }
    let summary = reporter.finish_output()?;
    Ok(match summary.errors {
        _ if is_unread => Status::Trouble,
        0 => Status::Done,
        _ => Status::Errors,
    })
}
