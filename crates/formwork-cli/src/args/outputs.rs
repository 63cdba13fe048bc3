//! Arguments of `outputs` (reference/around.md#outputs).

use clap::Args;

use super::{AccountArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct OutputsArgs {
    /// The stack, by name or ARN [default: the stack name in samconfig.toml].
    pub(crate) stack: Option<String>,
    /// Print the value of this output alone.
    pub(crate) name: Option<String>,
    /// The stack; the only word is then NAME.
    #[arg(long, value_name = "NAME", conflicts_with = "name")]
    pub(crate) stack_name: Option<String>,
    /// Print the outputs in this format: a line each, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl OutputsArgs {
    /// The stack and the output that the command line names.
    pub(crate) fn named(&self) -> (Option<&str>, Option<&str>) {
        match &self.stack_name {
            Some(stack) => (Some(stack), self.stack.as_deref()),
            None => (self.stack.as_deref(), self.name.as_deref()),
        }
    }
}
