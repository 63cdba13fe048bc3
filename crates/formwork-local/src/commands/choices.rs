//! What the words of a command line choose, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;
use formwork_run::InputChoices;

/// What all commands that run functions take.
#[derive(Clone, Debug)]
pub struct LocalChoices {
    /// The template; by default the built one, else that of the working directory.
    pub template_file: Option<PathBuf>,
    /// A JSON file with variables of functions.
    pub env_vars: Option<PathBuf>,
    /// What timeouts of functions are multiplied with.
    pub timeout_scale: f64,
    /// Whether functions may have more memory than their `MemorySize`.
    pub no_memory_limit: bool,
    /// A file that gets the logs, too.
    pub log_file: Option<PathBuf>,
    /// Whether functions get no credentials.
    pub no_credentials: bool,
    /// What the template is compiled with.
    pub inputs: InputChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}

/// What one call takes.
#[derive(Clone, Debug)]
pub struct InvokeChoices {
    /// The function.
    pub function: Option<String>,
    /// The file of the event; `-` for standard input. The event is `{}` without it.
    pub event: Option<PathBuf>,
    /// The port that a debugger connects to.
    pub debug_port: Option<u16>,
    /// Arguments of the debugger, with spaces between them.
    pub debugger_args: Option<String>,
    /// The rest.
    pub local: LocalChoices,
}

/// What servers take.
#[derive(Clone, Debug)]
pub struct ServerChoices {
    /// The port; 0 for any free one.
    pub port: u16,
    /// Name or address of the host to listen on.
    pub host: String,
    /// Hosts that requests may name, besides loopback and `host`.
    pub allowed_hosts: Vec<String>,
    /// Whether each request gets a process.
    pub no_warm: bool,
    /// The port that a debugger connects to.
    pub debug_port: Option<u16>,
    /// The function that is debugged; by default the only one.
    pub debug_function: Option<String>,
    /// Arguments of the debugger, with spaces between them.
    pub debugger_args: Option<String>,
    /// Most processes of a function.
    pub concurrency: usize,
}

/// What a server of APIs takes.
#[derive(Clone, Debug)]
pub struct StartApiChoices {
    /// Whether no authorizer runs.
    pub disable_authorizer: bool,
    /// The directory whose files are served where no route matches.
    pub static_dir: Option<PathBuf>,
    /// Where it listens.
    pub server: ServerChoices,
    /// The rest.
    pub local: LocalChoices,
}
