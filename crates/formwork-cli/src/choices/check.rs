//! Converts the arguments of `check` to the options of the library.

use formwork::Selection;
use formwork_check::CheckChoices;
use formwork_map_back::report::Tool;

use crate::args::{CheckArgs, OtherToolArg};

impl From<&CheckArgs> for CheckChoices {
    fn from(args: &CheckArgs) -> CheckChoices {
        let (fixes, selection) = (&args.fixes, &args.selection);
        CheckChoices {
            template: args.template.clone(),
            only_templates: args.only_templates,
            exclude: args.exclude.clone(),
            is_watched: args.is_watched(),
            fix: fixes.fix,
            diff: fixes.diff,
            unsafe_fixes: fixes.unsafe_fixes,
            with: args.tools.with.iter().map(|tool| (*tool).into()).collect(),
            with_config: args.tools.with_config,
            guard_rules: args.tools.guard_rules.clone(),
            selection: Selection { select: selection.select.clone(), ignore: selection.ignore.clone() },
            no_suppress: selection.no_suppress,
            exit_zero: selection.exit_zero,
            schemas: args.schemas.schemas.clone(),
            no_schemas: args.schemas.no_schemas,
            inputs: (&args.inputs).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<OtherToolArg> for Tool {
    fn from(arg: OtherToolArg) -> Tool {
        match arg {
            OtherToolArg::CfnLint => Tool::CfnLint,
            OtherToolArg::CloudformationValidate => Tool::Validate,
            OtherToolArg::Checkov => Tool::Checkov,
            OtherToolArg::CfnGuard => Tool::Guard,
        }
    }
}
