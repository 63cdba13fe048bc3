//! What the servers share: their address, and a template that is read again when it changes.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use formwork_local::{Project, Server};

use super::project::{self, Local};
use crate::args::{LocalArgs, LocalServerArgs};
use crate::failure::Failure;
use crate::terminal;

/// The address to listen on. One that other machines reach is warned of.
///
/// # Errors
/// When the name of the host is unknown.
fn address(args: &LocalServerArgs, port: u16) -> Result<SocketAddr, Failure> {
    let unknown = |why: String| format!("--host {} cannot be listened on: {why}", args.host);
    let found = (args.host.as_str(), port).to_socket_addrs().map_err(|error| unknown(error.to_string()))?;
    let all: Vec<SocketAddr> = found.collect();
    let first = all.iter().find(|address| address.is_ipv4()).or(all.first());
    let address = *first.ok_or_else(|| unknown("it has no address".to_owned()))?;
    if !IpAddr::is_loopback(&address.ip()) {
        let why = "whoever reaches this machine can run the functions, with your credentials";
        terminal::say_line(&format!("warning: {} is not loopback: {why}", args.host));
    }
    Ok(address)
}

/// What a server of functions needs, as the command line says.
///
/// # Errors
/// When it cannot listen there, or the log cannot be written.
pub(super) fn server(args: &LocalServerArgs, port: u16, all: &LocalArgs, local: &Local) -> Result<Server, Failure> {
    Ok(Server {
        address: address(args, port)?,
        launch: local.launch.clone(),
        settings: project::pool(!args.no_warm, args.concurrency),
        log: project::log(all)?,
    })
}

/// A template whose files are looked at again and again.
pub(super) struct Watched<'a> {
    template: &'a Path,
    command: &'a str,
    args: &'a LocalArgs,
    files: Vec<(PathBuf, Stamp)>,
}

/// What tells one state of a file from the next.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

impl<'a> Watched<'a> {
    pub(super) fn new(template: &'a Path, command: &'a str, args: &'a LocalArgs, local: &Local) -> Watched<'a> {
        let mut watched = Watched { template, command, args, files: Vec::new() };
        watched.remember(&local.project);
        watched
    }

    fn remember(&mut self, project: &Project) {
        let side = self.args.env_vars.iter().chain(&self.args.inputs.parameters_file).cloned();
        let template = std::iter::once(self.template.to_owned());
        let all = template.chain(project.files.iter().cloned()).chain(side);
        self.files = all.map(|path| (path.clone(), stamp(&path))).collect();
    }

    /// The project as it is now; `None` when nothing changed, or when the template is wrong, which is printed once.
    pub(super) fn reload(&mut self) -> Option<Local> {
        if self.files.iter().all(|(path, before)| stamp(path) == *before) {
            return None;
        }
        for (path, before) in &mut self.files {
            *before = stamp(path);
        }
        match project::load(self.template, self.command, self.args, None) {
            Ok(Some(local)) => {
                self.remember(&local.project);
                terminal::say_line("note: the template changed and was read again");
                Some(local)
            }
            Ok(None) => {
                terminal::say_line("note: the functions and routes of the last correct template stay");
                None
            }
            Err(failure) => {
                terminal::say_error(&String::from(failure));
                None
            }
        }
    }
}
