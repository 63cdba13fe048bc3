//! Converts the arguments of `refactor` to the options of the library.

use formwork_stacks::refactor::{RefactorChoices, RefactorWords};

use crate::args::{RefactorArgs, ReportFormatArg};

impl From<&RefactorArgs> for RefactorWords {
    fn from(args: &RefactorArgs) -> RefactorWords {
        RefactorWords {
            template: args.template.clone().or_else(|| args.template_file.clone()),
            stacks: args.stacks.clone(),
            map: args.map.clone(),
            mapping_file: args.mapping_file.clone(),
            dry_run: args.dry_run,
            output_dir: args.output_dir.clone(),
            execute: args.execute.clone(),
            max_wait_duration: args.max_wait_duration,
            poll_delay: args.poll_delay,
            is_json: args.format == Some(ReportFormatArg::Json),
            steps: RefactorChoices {
                inputs: (&args.inputs).into(),
                upload: (&args.upload).into(),
                is_strict: args.report.strict,
                is_verbose: args.report.verbose,
                creates_stacks: args.enable_stack_creation,
                description: args.description.clone(),
                is_unexecuted: args.no_execute,
                is_approved: args.yes,
            },
            report: (&args.report).into(),
        }
    }
}
