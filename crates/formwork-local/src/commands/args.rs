//! Arguments of `formwork local` (reference/local.md).

use std::path::PathBuf;

use clap::{Args, Subcommand};
use formwork_run::args::InputArgs;
use formwork_run::console::ReportArgs;

/// The commands of `local`.
#[derive(Clone, Debug, Subcommand)]
pub enum LocalCommand {
    /// Run a function once and print its result.
    ///
    /// The result, or the error of the function, is the only line on standard output; logs go to standard error.
    Invoke(Box<LocalInvokeArgs>),
    /// Serve the Lambda API: call the functions with an SDK or the AWS CLI and `--endpoint-url`.
    StartLambda(Box<LocalStartLambdaArgs>),
    /// Serve the REST and HTTP APIs of the template.
    ///
    /// Each API gets a port of its own, starting with the first. Edited code and templates are reloaded.
    StartApi(Box<LocalStartApiArgs>),
    /// Print an event of an AWS service, for `local invoke -e`.
    ///
    /// Without an event the events of the service are listed, and without a service the services.
    GenerateEvent(Box<LocalGenerateEventArgs>),
}

impl LocalCommand {
    /// Options of the report.
    pub fn report(&self) -> &ReportArgs {
        match self {
            LocalCommand::Invoke(args) => &args.local.report,
            LocalCommand::StartLambda(args) => &args.local.report,
            LocalCommand::StartApi(args) => &args.local.report,
            LocalCommand::GenerateEvent(args) => &args.report,
        }
    }
}

/// The arguments of `local invoke`.
#[derive(Clone, Debug, Args)]
pub struct LocalInvokeArgs {
    /// The function: its logical ID in the expanded template, `Stack/ID` in a nested stack, or its `FunctionName`.
    pub function: Option<String>,
    /// Read the event from a JSON file, or from standard input with `-` [default: `{}`].
    #[arg(short, long, value_name = "FILE")]
    pub event: Option<PathBuf>,
    /// Wait for a debugger (debugpy, node inspect) on this port.
    #[arg(short, long, value_name = "PORT")]
    pub debug_port: Option<u16>,
    /// Pass these arguments to the debugger, separated by spaces.
    #[arg(long, alias = "debug-args", value_name = "ARGS", requires = "debug_port", allow_hyphen_values = true)]
    pub debugger_args: Option<String>,
    /// Options of the functions.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// The arguments of `local generate-event`.
#[derive(Clone, Debug, Args)]
pub struct LocalGenerateEventArgs {
    /// The service, such as `s3`.
    pub service: Option<String>,
    /// The event, such as `put`.
    pub event: Option<String>,
    /// Values of the event, such as `--bucket photos`; `--help` behind the event lists them.
    #[arg(value_name = "--NAME VALUE", trailing_var_arg = true, allow_hyphen_values = true)]
    pub values: Vec<String>,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `local start-lambda`.
#[derive(Clone, Debug, Args)]
pub struct LocalStartLambdaArgs {
    /// Listen on this port; 0 for any free port.
    #[arg(short, long, value_name = "PORT", default_value_t = 3001)]
    pub port: u16,
    /// The address of the server.
    #[command(flatten)]
    pub server: LocalServerArgs,
    /// Options of the functions.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// The arguments of `local start-api`.
#[derive(Clone, Debug, Args)]
pub struct LocalStartApiArgs {
    /// Serve the first API on this port; 0 for any free ports.
    #[arg(short, long, value_name = "PORT", default_value_t = 3000)]
    pub port: u16,
    /// Run no Lambda authorizers: all routes are open.
    #[arg(long)]
    pub disable_authorizer: bool,
    /// Serve the files of this directory where no route matches [default: `public` beside the template, if it exists].
    #[arg(short, long, value_name = "DIR")]
    pub static_dir: Option<PathBuf>,
    /// The address of the server.
    #[command(flatten)]
    pub server: LocalServerArgs,
    /// Options of the functions.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// A host of `--allowed-host`: a name or an address, without scheme, port and path.
fn allowed_host(text: &str) -> Result<String, String> {
    let is_address = text.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    if is_address || is_name(text) {
        return Ok(text.to_owned());
    }
    let without_scheme = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = without_scheme.split(['/', ':']).next().unwrap_or_default();
    Err(if is_name(host) {
        format!("pass the host alone: `--allowed-host {host}`")
    } else {
        "pass a host name or address, such as `dev.example.com`".to_owned()
    })
}

/// Arguments of servers.
#[derive(Clone, Debug, Args)]
pub struct LocalServerArgs {
    /// Listen on this address. Any address but loopback lets other machines run the functions.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// Answer requests for this host and from its pages, besides loopback, localhost and `--host`. Repeatable.
    #[arg(long = "allowed-host", value_name = "HOST", value_parser = allowed_host)]
    pub allowed_hosts: Vec<String>,
    /// Reuse processes for the next request. This is the default.
    #[arg(long, conflicts_with = "no_warm")]
    pub warm: bool,
    /// Start a process for each request.
    #[arg(long)]
    pub no_warm: bool,
    /// Wait for a debugger (debugpy, node inspect) on this port when the function of `--debug-function` starts.
    #[arg(short, long, value_name = "PORT")]
    pub debug_port: Option<u16>,
    /// Debug this function [default: the only one of the template].
    #[arg(long, value_name = "LOGICAL_ID", requires = "debug_port")]
    pub debug_function: Option<String>,
    /// Pass these arguments to the debugger, separated by spaces.
    #[arg(long, alias = "debug-args", value_name = "ARGS", requires = "debug_port", allow_hyphen_values = true)]
    pub debugger_args: Option<String>,
    /// Run at most this many processes of a function concurrently.
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    pub concurrency: usize,
}

/// Arguments of commands that run functions.
#[derive(Clone, Debug, Args)]
pub struct LocalArgs {
    /// The template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(short, long, visible_alias = "template", value_name = "FILE")]
    pub template_file: Option<PathBuf>,
    /// Read environment variables from a JSON file: `{"FunctionId": {"NAME": "value"}, "Parameters": {...}}`.
    #[arg(short = 'n', long, value_name = "FILE")]
    pub env_vars: Option<PathBuf>,
    /// Multiply the timeouts of functions by this number.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    pub timeout_scale: f64,
    /// Let functions have more memory than their `MemorySize`.
    #[arg(long)]
    pub no_memory_limit: bool,
    /// Write the logs of functions to this file as well.
    #[arg(short, long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Pass no credentials to functions.
    #[arg(long)]
    pub no_credentials: bool,
    /// Options of compilation.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}
