//! `formwork validate` (reference/deploy.md#validate).

use formwork::{Goal, Report, Values};
use formwork_run::excluded::Excluded;

use crate::args::ValidateArgs;
use crate::failure::Failure;
use crate::live::Live;
use crate::report::Reporter;
use crate::surroundings::Surroundings;
use crate::templates::{Search, Templates};
use crate::{Status, inputs, nested, schemas};

pub(crate) fn run(args: &ValidateArgs) -> Result<Status, Failure> {
    #[cfg(feature = "aws")]
    if args.change_set {
        return change_set(args);
    }
    let root = args.inputs.project_root.as_deref();
    let excluded = Excluded::new(&args.exclude)?;
    let search = Search { root, excluded: Some(&excluded), ..Search::default() };
    let templates = Templates::find(&args.template, search)?;
    let mut reporter = Reporter::on_output(&args.report);
    let mut live = Live::new(&args.inputs)?;
    let (mut status, mut is_unread) = (Status::Done, !templates.missing.is_empty());
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let surroundings = Surroundings::default();
    let schemas = schemas::read(&args.schemas)?;
    for file in &templates.files {
        let read = inputs::read_in(&surroundings, file, "validate", Values::Keep, (&args.inputs, args.report.strict));
        let Some(mut input) = reporter.readable(read)? else {
            is_unread = true;
            continue;
        };
        input.options.for_service = true;
        args.selection.apply_to(&mut input.options);
        input.options.schemas.clone_from(&schemas);
        let (analysis, results) = nested::compile(&mut live, &input, Goal::Check, None)?;
        for result in &results {
            reporter.print(result);
        }
        // Without the network AWS cannot be queried.
        #[cfg(not(feature = "aws"))]
        drop(analysis);
        let found = match results.iter().any(Report::has_errors) {
            true => Status::Errors,
            #[cfg(feature = "aws")]
            false if args.inputs.live.live => {
                formwork_stacks::validate::validate(&args.inputs, &file.path, &analysis, &mut reporter)
            }
            false => Status::Done,
        };
        if status == Status::Done {
            status = found;
        }
    }
    live.write_record()?;
    reporter.finish_output()?;
    Ok(match status {
        _ if is_unread => Status::Failed,
        Status::Errors | Status::Unreachable if args.selection.exit_zero => Status::Done,
        status => status,
    })
}

/// Asks what early validation and hooks find in a template.
#[cfg(feature = "aws")]
fn change_set(args: &ValidateArgs) -> Result<Status, Failure> {
    if args.template.len() > 1 {
        return Err("--change-set validates one template: name one".into());
    }
    let deployment = args.as_deployment();
    let template = crate::default_template::named_or_built(deployment.named())?;
    formwork_stacks::deploy::validate_template(&deployment, &template)
}
