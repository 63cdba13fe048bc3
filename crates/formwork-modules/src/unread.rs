//! Reports of files that cannot be read.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, ReadError, codes};

use super::address::Address;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    Host(ReadError),
    Archive(String),
}

impl Unread {
    /// Reports a file, the module or the file of `Fn::InsertFile`, that cannot be read.
    pub(super) fn of_file(&self, kind: &str, address: &Address, written: &str) -> Diagnostic {
        let is_module = kind == "module";
        let code = if is_module { codes::MODULE_SOURCE } else { codes::LOCAL_FUNCTION };
        let (written, path) = (shown(written), shown(&address.shown()));
        // Errors of remote sources only refer to the file as a whole.
        let remote = address.remote().map_or_else(|| path.clone(), shown);
        let refused = |message: String| Diagnostic::new(codes::REMOTE_REFUSED, message);
        match self {
            Unread::Host(ReadError::NotFetched) => {
                let host = remote.split_once("://").map_or(remote.as_str(), |(_, rest)| rest);
                let host = host.split('/').next().unwrap_or(host);
                let help =
                    format!("allow it with `--allow-remote {host}`, or keep a copy of the module beside the template");
                refused(format!("{remote} is not fetched: remote sources must be allowed")).help(help)
            }
            Unread::Host(ReadError::Refused(why)) => refused(format!("{remote} is not fetched: {why}"))
                .note("remote sources are fetched over https or from S3, only from public hosts and buckets that are allowed")
                .help("find out where this address comes from, or keep a copy of the module beside the template"),
            Unread::Host(ReadError::Changed(why)) => {
                Diagnostic::new(codes::PACKAGE, format!("{remote} has changed: {why}"))
                    .note("its content was not used")
                    .help("find out why it changed, then run `formwork modules update` to pin the new content")
            }
            Unread::Host(ReadError::Unreachable { why, help }) => {
                let message = format!("{remote} cannot be fetched: {}", shown(why));
                Diagnostic::new(codes::MODULE_SOURCE, message).help(shown(help))
            }
            Unread::Host(ReadError::OutsideRoot) => {
                let message = format!("the {kind} must not be read: `{written} is outside the project root`");
                Diagnostic::new(code, message)
                    .note(format!("its path is {path}, relative to the directory of the template"))
                    .help("name a directory that contains the file and the template with `--project-root DIR`")
            }
            Unread::Host(ReadError::IsDirectory) if is_module => {
                let example = format!("{}/module.yaml", written.trim_end_matches('/'));
                Diagnostic::new(code, format!("the {kind} {written} cannot be read: it is a directory"))
                    .note(format!("looked for {path}, relative to the file named here"))
                    .help(format!("name a file in it, such as `{example}`"))
            }
            Unread::Host(error) => {
                let place = if is_module { "named here" } else { "the path is written in this string" };
                Diagnostic::new(code, format!("the {kind} {written} cannot be read: {error}"))
                    .note(format!("looked for {path}, relative to the file {place}"))
                    .help("correct the path, or add the file")
            }
            Unread::Archive(what) => Diagnostic::new(codes::PACKAGE, format!("{written}: {what}"))
                .note(format!("looked for {path}"))
                .help("correct the path of the entry, or pack the archive again"),
        }
    }
}

impl Address {
    /// Returns the remote file with this address, or the one that contains it.
    pub(super) fn remote(&self) -> Option<&str> {
        match self {
            Address::Local(_) => None,
            Address::Entry { archive, .. } => archive.remote(),
            Address::Remote(address) => Some(address),
        }
    }
}

#[test]
fn the_advice_for_a_directory_is_a_file_in_it() {
    let address = Address::Local(formwork_base::VirtualPath::new("library"));
    let found = Unread::Host(ReadError::IsDirectory).of_file("module", &address, "./library/");
    assert_eq!(
        found.help.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["name a file in it, such as `./library/module.yaml`"]
    );
}
