//! Shared parts of the servers: their address, their status, and a template that is read again when it changes.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::terminal;

use super::args::{LocalArgs, LocalServerArgs};
use super::credentials::CredentialSource;
use super::project::{self, Local};
use crate::{Debugger, Ending, LaunchSettings, Project, Server, Template, UnresolvedVariable};

/// Returns the address to listen on, with a warning if other machines can reach it.
fn address(args: &LocalServerArgs, port: u16) -> Result<SocketAddr, Failure> {
    let unknown = |why: String| format!("--host {} cannot be listened on: {why}", args.host);
    let found = (args.host.as_str(), port).to_socket_addrs().map_err(|error| unknown(error.to_string()))?;
    let all: Vec<SocketAddr> = found.collect();
    let first = all.iter().find(|address| address.is_ipv4()).or(all.first());
    let address = *first.ok_or_else(|| unknown("it has no address".to_owned()))?;
    if !IpAddr::is_loopback(&address.ip()) {
        let why = "everyone who can reach this machine can run the functions with your credentials";
        terminal::say_line(&format!("warning: {} is not loopback: {why}", args.host));
    }
    Ok(address)
}

pub(super) fn server((args, port): (&LocalServerArgs, u16), all: &LocalArgs, local: &Local) -> Result<Server, Failure> {
    let debugger = debugger(args, &local.project)?;
    Ok(Server {
        address: address(args, port)?,
        hosts: args.allowed_hosts.iter().chain([&args.host]).cloned().collect(),
        launch: LaunchSettings { debugger, ..local.launch.clone() },
        settings: project::pool(!args.no_warm, args.concurrency),
        log: project::log(all)?,
    })
}

/// Returns the debugger of one function: two processes cannot wait on one port.
///
/// # Errors
/// When the function is ambiguous.
fn debugger(args: &LocalServerArgs, project: &Project) -> Result<Option<Debugger>, Failure> {
    let Some(port) = args.debug_port else { return Ok(None) };
    let function = match (&args.debug_function, project.functions.as_slice()) {
        (None, [only]) => only,
        (None, []) => return Ok(None),
        (None, [first, ..]) => {
            let help = format!("name the function: `--debug-function {}`", first.id);
            return Err(
                format!("--debug-port debugs one function, and the template has several\n  help: {help}").into()
            );
        }
        (Some(name), _) => project::find(project, Some(name))?,
    };
    let place = format!("127.0.0.1:{port}");
    terminal::say_line(&format!(
        "note: {} waits for a debugger at {place}, without limits of time and memory",
        function.id
    ));
    let arguments = debugger_arguments(args.debugger_args.as_deref());
    Ok(Some(Debugger { port, arguments, function: Some(function.id.clone()) }))
}

pub(super) fn debugger_arguments(words: Option<&str>) -> Vec<String> {
    words.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

pub(super) struct Watched<'a> {
    template: &'a Path,
    command: &'a str,
    args: &'a LocalArgs,
    files: Vec<(PathBuf, Stamp)>,
    /// The variables that were warned about, with their functions.
    warned: BTreeSet<(String, String)>,
}

/// Time and size of a file, by which a change is detected.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

impl<'a> Watched<'a> {
    /// Reads the template; `None` when it has errors, which are printed.
    pub(super) fn read(
        template: &'a Path,
        command: &'a str,
        args: &'a LocalArgs,
    ) -> Result<Option<(Watched<'a>, Local)>, Failure> {
        let mut watched = Watched { template, command, args, files: Vec::new(), warned: BTreeSet::new() };
        let Some((project, source)) = watched.load()? else { return Ok(None) };
        Ok(Some((watched, Local { project, launch: project::launch(args, &source, None)? })))
    }

    fn load(&mut self) -> Result<Option<(Project, CredentialSource)>, Failure> {
        let mut files = vec![self.template.to_owned()];
        files.extend(self.args.env_vars.iter().chain(&self.args.inputs.parameters_file).cloned());
        let loaded = project::read(self.template, self.command, self.args, &mut files);
        // After an error, one of the files that were not reached may be the one to correct.
        if !matches!(loaded, Ok(Some(_))) {
            files.extend(self.files());
        }
        files.sort();
        files.dedup();
        self.files = files.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
        let Some((project, source)) = loaded? else { return Ok(None) };
        let is_sound = self.print_unresolved(&project)?;
        Ok(is_sound.then_some((project, source)))
    }

    /// Prints unresolved variables that were not printed before, and returns `true` if none of that is an error.
    fn print_unresolved(&mut self, project: &Project) -> Result<bool, Failure> {
        let key = |one: &UnresolvedVariable| (one.function.clone(), one.name.clone());
        let is_new = |one: &&UnresolvedVariable| !self.warned.contains(&key(one));
        let new: Vec<UnresolvedVariable> = project.unresolved.iter().filter(is_new).cloned().collect();
        let functions = project.functions.iter().map(|function| &**function);
        let is_sound = project::print_unresolved(self.args, &new, functions)?;
        if is_sound {
            self.warned.extend(new.iter().map(key));
        }
        Ok(is_sound)
    }
}

impl Template for Watched<'_> {
    fn files(&self) -> Vec<PathBuf> {
        self.files.iter().map(|(path, _)| path.clone()).collect()
    }

    fn reload(&mut self) -> Option<Project> {
        if self.files.iter().all(|(path, before)| stamp(path) == *before) {
            return None;
        }
        match self.load() {
            Ok(Some((project, _))) => {
                terminal::say_line("note: the template changed and was read again");
                Some(project)
            }
            Ok(None) => {
                terminal::say_line("note: the functions and routes of the last valid template are still served");
                None
            }
            Err(failure) => {
                terminal::say_error(&String::from(failure));
                None
            }
        }
    }
}

pub(super) fn status(ending: Ending) -> Status {
    match ending {
        Ending::Interrupted => Status::Interrupted,
        Ending::Terminated => Status::Done,
    }
}
