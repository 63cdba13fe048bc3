//! The choices of a command line, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;
use formwork_run::InputChoices;

/// The choices of all commands that run functions.
#[derive(Clone, Debug)]
pub struct LocalChoices {
    /// The template; by default the built one, otherwise that of the working directory.
    pub template_file: Option<PathBuf>,
    /// A JSON file with variables of functions.
    pub env_vars: Option<PathBuf>,
    /// Factor for the timeouts of functions.
    pub timeout_scale: f64,
    /// Lets functions use more memory than their `MemorySize`.
    pub no_memory_limit: bool,
    /// A file that receives a copy of the logs.
    pub log_file: Option<PathBuf>,
    /// Passes no credentials to functions.
    pub no_credentials: bool,
    /// Inputs of the compilation.
    pub inputs: InputChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// The choices of one call.
#[derive(Clone, Debug)]
pub struct InvokeChoices {
    /// The function.
    pub function: Option<String>,
    /// The file of the event; `-` for standard input. The event is `{}` without it.
    pub event: Option<PathBuf>,
    /// The port that a debugger connects to.
    pub debug_port: Option<u16>,
    /// Arguments of the debugger, separated by spaces.
    pub debugger_args: Option<String>,
    /// The choices of all commands.
    pub local: LocalChoices,
}

/// The choices of servers.
#[derive(Clone, Debug)]
pub struct ServerChoices {
    /// The port; 0 for any free one.
    pub port: u16,
    /// Name or address of the host to listen on.
    pub host: String,
    /// Hosts that requests may contain, besides loopback and `host`.
    pub allowed_hosts: Vec<String>,
    /// Starts a process for each request.
    pub no_warm: bool,
    /// The port that a debugger connects to.
    pub debug_port: Option<u16>,
    /// The function that is debugged; by default the only one.
    pub debug_function: Option<String>,
    /// Arguments of the debugger, separated by spaces.
    pub debugger_args: Option<String>,
    /// Maximum number of processes of a function.
    pub concurrency: usize,
}

/// The choices of a server of APIs.
#[derive(Clone, Debug)]
pub struct StartApiChoices {
    /// Skips authorizers.
    pub disable_authorizer: bool,
    /// The directory whose files are served where no route matches.
    pub static_dir: Option<PathBuf>,
    /// The choices of all servers.
    pub server: ServerChoices,
    /// The choices of all commands.
    pub local: LocalChoices,
}
