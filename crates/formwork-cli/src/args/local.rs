//! Arguments of `formwork local` (reference/local.md).

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{InputArgs, ReportArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum LocalCommand {
    /// Run a function once and print its result.
    ///
    /// The result, or the error of the function, is the only line on standard output; logs go to standard error.
    /// Example: `formwork local invoke UsersFunction -e event.json`.
    Invoke(Box<LocalInvokeArgs>),
    /// Answer calls of the Lambda API: SDKs and the AWS CLI reach the functions with `--endpoint-url`.
    ///
    /// Example: `formwork local start-lambda --port 3001`.
    StartLambda(Box<LocalStartLambdaArgs>),
    /// Serve the REST and HTTP APIs of the template.
    ///
    /// Several APIs are on ports of their own, from the first one upward. Edited code and templates are picked up.
    /// Example: `formwork local start-api --port 3000`.
    StartApi(Box<LocalStartApiArgs>),
}

impl LocalCommand {
    pub(crate) fn report(&self) -> &ReportArgs {
        match self {
            LocalCommand::Invoke(args) => &args.local.report,
            LocalCommand::StartLambda(args) => &args.local.report,
            LocalCommand::StartApi(args) => &args.local.report,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LocalInvokeArgs {
    /// The function: its logical ID in the expansion, `Stack/ID` in a nested stack, or its `FunctionName`.
    pub(crate) function: Option<String>,
    /// The event, a JSON file; `-` for standard input. Without it the event is `{}`.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) event: Option<PathBuf>,
    /// Make the process wait for a debugger (debugpy, node inspect) on this port.
    #[arg(short, long, value_name = "PORT")]
    pub(crate) debug_port: Option<u16>,
    /// More arguments of the debugger, separated by spaces.
    #[arg(long, value_name = "ARGS", requires = "debug_port", allow_hyphen_values = true)]
    pub(crate) debugger_args: Option<String>,
    #[command(flatten)]
    pub(crate) local: LocalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LocalStartLambdaArgs {
    /// The port to listen on; 0 for any free one.
    #[arg(short, long, value_name = "PORT", default_value_t = 3001)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) server: LocalServerArgs,
    #[command(flatten)]
    pub(crate) local: LocalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LocalStartApiArgs {
    /// The port of the first API; 0 for any free ones.
    #[arg(short, long, value_name = "PORT", default_value_t = 3000)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) server: LocalServerArgs,
    #[command(flatten)]
    pub(crate) local: LocalArgs,
}

/// What servers take.
#[derive(Debug, Args)]
pub(crate) struct LocalServerArgs {
    /// The address to listen on; anything but loopback lets other machines run the functions.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Keep processes for the next request. This is the default.
    #[arg(long, conflicts_with = "no_warm")]
    pub(crate) warm: bool,
    /// Start a process for each request.
    #[arg(long)]
    pub(crate) no_warm: bool,
    /// The most processes of a function: as many requests run at the same time.
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    pub(crate) concurrency: usize,
}

/// What all commands that run functions take.
#[derive(Debug, Args)]
pub(crate) struct LocalArgs {
    /// The template; by default the built one, else template.yaml, template.yml or template.json.
    #[arg(short, long, visible_alias = "template", value_name = "FILE")]
    pub(crate) template_file: Option<PathBuf>,
    /// A JSON file of environment variables: `{"FunctionId": {"NAME": "value"}, "Parameters": {...}}`.
    #[arg(short = 'n', long, value_name = "FILE")]
    pub(crate) env_vars: Option<PathBuf>,
    /// Multiply the time limits of functions.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    pub(crate) timeout_scale: f64,
    /// Let functions have more memory than their `MemorySize`.
    #[arg(long)]
    pub(crate) no_memory_limit: bool,
    /// Write the logs of functions to this file as well.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,
    /// Pass no credentials to functions.
    #[arg(long)]
    pub(crate) no_credentials: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
