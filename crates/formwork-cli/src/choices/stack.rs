//! Converts the arguments of commands for a deployed stack to the options of the library.

use std::path::Path;

use formwork_run::{InputChoices, LiveChoices};
use formwork_stacks::around::{AccountChoices, LinesChoices};
use formwork_stacks::diagnose::DiagnoseChoices;
use formwork_stacks::events::EventsChoices;
use formwork_stacks::logs::LogsChoices;
use formwork_stacks::outputs::OutputsChoices;
use formwork_stacks::stack_snapshot::StackSnapshotChoices;

use crate::args::{
    AccountArgs, DiagnoseArgs, EventsArgs, ExpansionArgs, LinesArgs, LogsArgs, OutputsArgs, ReportFormatArg,
    StackSnapshotArgs,
};
use crate::config::known_keys;
use crate::terminal::say_line;

impl ExpansionArgs {
    /// The template whose lines are shown.
    pub(crate) fn lines(&self, template: Option<&Path>, account: &AccountArgs) -> LinesChoices {
        let account = AccountChoices::from(account);
        LinesChoices {
            template_file: template.map(Path::to_owned),
            inputs: InputChoices {
                parameter_overrides: self.parameter_overrides.clone(),
                parameters_file: self.parameters_file.clone(),
                region: account.region.clone(),
                live: LiveChoices { live: false, offline: false, aws: account.aws.clone(), record_account: None },
                config_file: account.config_file.clone(),
                config_env: account.config_env.clone(),
                no_config: account.no_config,
                known_keys,
                say: say_line,
                ..InputChoices::default()
            },
            account,
        }
    }
}

impl From<&LinesArgs> for LinesChoices {
    fn from(args: &LinesArgs) -> LinesChoices {
        args.expansion.lines(args.template_file.as_deref(), &args.account)
    }
}

impl From<&AccountArgs> for AccountChoices {
    fn from(args: &AccountArgs) -> AccountChoices {
        AccountChoices {
            region: args.region.clone(),
            aws: (&args.aws).into(),
            config_file: args.config_file.clone(),
            config_env: args.config_env.clone(),
            no_config: args.no_config,
            known_keys,
        }
    }
}

impl From<&DiagnoseArgs> for DiagnoseChoices {
    fn from(args: &DiagnoseArgs) -> DiagnoseChoices {
        DiagnoseChoices {
            stack: args.stack.named(),
            is_json: args.format == Some(ReportFormatArg::Json),
            lines: (&args.lines).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<&EventsArgs> for EventsChoices {
    fn from(args: &EventsArgs) -> EventsChoices {
        EventsChoices {
            stack: args.stack.named(),
            all: args.all,
            since: args.since.clone(),
            operation: args.operation.clone(),
            resource: args.resource.clone(),
            failed: args.failed,
            follow: args.follow,
            max_wait_duration: args.max_wait_duration,
            poll_delay: args.poll_delay,
            is_json: args.format == Some(ReportFormatArg::Json),
            lines: (&args.lines).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<&LogsArgs> for LogsChoices {
    fn from(args: &LogsArgs) -> LogsChoices {
        LogsChoices {
            stack: args.stack.named(),
            name: args.name.clone(),
            tail: args.tail,
            start_time: args.start_time.clone(),
            end_time: args.end_time.clone(),
            filter: args.filter.clone(),
            cw_log_group: args.cw_log_group.clone(),
            is_json: args.format == Some(ReportFormatArg::Json),
            lines: args.expansion.lines(args.template_file.as_deref(), &args.account),
            report: (&args.report).into(),
        }
    }
}

impl From<&OutputsArgs> for OutputsChoices {
    fn from(args: &OutputsArgs) -> OutputsChoices {
        let (stack, output) = args.named();
        OutputsChoices {
            stack: stack.map(str::to_owned),
            output: output.map(str::to_owned),
            is_json: args.format == Some(ReportFormatArg::Json),
            account: (&args.account).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<&StackSnapshotArgs> for StackSnapshotChoices {
    fn from(args: &StackSnapshotArgs) -> StackSnapshotChoices {
        StackSnapshotChoices {
            stack: args.stack.named(),
            output: args.output.clone(),
            account: (&args.account).into(),
            report: (&args.report).into(),
        }
    }
}
