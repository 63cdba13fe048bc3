//! Files of modules: each is read, parsed and freed of constants once per run; and reports about remote ones
//! (reference/modules/sources.md#remote).

use formwork_base::{Diagnostic, FileId, ReadError, Span, VirtualPath, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, Role, flags};
use formwork_template::kind_of_file::is_meant_as_template;

use crate::include;

use super::Linker;
use super::address::Address;
use super::goals::{Resolved, Stop};
use super::instance::InstanceId;

/// A file that was read.
#[derive(Clone, Debug)]
pub(super) struct ModuleFile {
    /// Where it is.
    pub(super) address: Address,
    /// The text of the module.
    pub(super) file: FileId,
    /// The root of the module, constants in place.
    pub(super) root: NodeId,
}

impl Linker<'_> {
    /// The file at an address, read when it is first asked for. `written` is how it is named at
    /// `at`.
    pub(super) fn load(&mut self, address: &Address, written: &str, at: NodeId, scope: InstanceId) -> Resolved<usize> {
        if let Some(&known) = self.loaded.by_address.get(address) {
            return known;
        }
        let most = self.limits.files;
        if self.loaded.files.len() >= most {
            return self.stop(scope, at, &format!("more than {most} module files are read"));
        }
        let loaded = self.read_module(address, written, at, scope);
        self.loaded.by_address.insert(address.clone(), loaded);
        loaded
    }

    fn read_module(&mut self, address: &Address, written: &str, at: NodeId, scope: InstanceId) -> Resolved<usize> {
        let bytes = match self.read_bytes(address, self.limits.module_bytes) {
            Ok(bytes) => bytes,
            Err(problem) => {
                let diagnostic = problem.of_file("module", address, written).at(self.tree.span(at));
                return self.wrong(scope, diagnostic);
            }
        };
        let path = VirtualPath::new(&address.shown());
        let (path, display) = match address {
            Address::Local(path) => (path, self.sources.shown(path)),
            _ => (&path, address.shown()),
        };
        let Some(loaded) = self.loaded.reading.load(self.sources, (path, &display, Role::Template), &bytes) else {
            return self.stop(scope, at, "the total size of the files is too large");
        };
        let file = loaded.file;
        if let Some(error) = loaded.error {
            let error = error.at(self.tree.span(at)).label("this module");
            return self.wrong(scope, error);
        }
        let mut found = self.diagnostics.of_same_run();
        let document = self.loaded.reading.parse(self.tree, self.sources, file, &self.limits, &mut found);
        let text = self.sources.text(file);
        let is_other = !found.is_cancelled() && !is_meant_as_template(self.tree, &document, text);
        if is_other {
            // It may be anything: none of its text is in the report.
            self.sources.hide(file);
        }
        if is_other && !(document.is_well_formed && self.tree.kind(document.root) != Kind::Map) {
            let message = format!("the module {} is not a template: it has no section of one", shown(written));
            let help = "a module is a template with sections such as `Parameters` and `Resources`";
            return self.wrong(scope, self.fault(codes::MODULE_SOURCE, at, message, help));
        }
        self.diagnostics.append(found);
        if !document.is_well_formed {
            return Err(Stop::Reported);
        }
        if self.tree.kind(document.root) != Kind::Map {
            let message = format!("the module {} is not a mapping of sections", shown(written));
            let help = "a module is a template with sections such as `Parameters` and `Resources`";
            return self.wrong(scope, self.fault(codes::MODULE_SOURCE, at, message, help));
        }
        let included = self.with_includes(document.root, address);
        let root = self.without_constants(included, file, scope);
        if !self.fits(root) {
            return Err(Stop::Reported);
        }
        self.loaded.files.push(ModuleFile { address: address.clone(), file, root });
        Ok(self.loaded.files.len() - 1)
    }

    /// A module with its `AWS::Include` files in place; those of modules that lie on no disk stay.
    fn with_includes(&mut self, root: NodeId, address: &Address) -> NodeId {
        let (Some(missing), Address::Local(path)) = (self.loaded.includes, address) else { return root };
        let mut context = include::Context {
            tree: self.tree,
            sources: self.sources,
            reading: self.loaded.reading,
            limits: &self.limits,
            diagnostics: self.diagnostics,
            missing,
        };
        self.loaded.included.include(&mut context, root, path)
    }

    /// The bytes at an address, at most `limit` of them.
    pub(super) fn read_bytes(&mut self, address: &Address, limit: u64) -> Result<formwork_base::FileBytes, Unread> {
        let bytes = match address {
            Address::Local(path) => self.loaded.reading.read(path).map_err(Unread::Host)?,
            Address::Remote(address) => self.loaded.reading.read_remote(address).map_err(Unread::Host)?,
            Address::Entry { archive, inner } => return self.read_entry(archive, inner.as_str(), limit),
        };
        if bytes.len() as u64 > limit { Err(Unread::Host(ReadError::TooLarge { limit })) } else { Ok(bytes) }
    }

    /// A section of the file of an instance, its loops expanded, when it is a map.
    pub(super) fn section(&mut self, scope: InstanceId, name: &str) -> Resolved<Option<NodeId>> {
        // What the loops of other sections wait for may ask for a mapping or a condition.
        let written = self.with_imports(scope)?;
        let is_asked_by_loops = matches!(name, "Mappings" | "Conditions");
        let is_as_written = |&node: &NodeId| is_asked_by_loops && !self.tree.has(node, flags::HAS_LOOP);
        let mut section = self.tree.get_text(written, name).filter(is_as_written);
        if section.is_none() {
            let root = self.unrolled(scope)?;
            section = self.tree.get_text(root, name);
        }
        Ok(section.filter(|&node| self.tree.kind(node) == Kind::Map))
    }

    /// A section as it is written, when it is a map.
    pub(super) fn written_section(&self, scope: InstanceId, name: &str) -> Option<NodeId> {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        self.tree.get_text(root, name).filter(|&node| self.tree.kind(node) == Kind::Map)
    }

    /// The file that a string is in; that of the instance when it has no place.
    pub(super) fn file_of(&self, span: Span, scope: InstanceId) -> usize {
        let file = self.sources.file_of(span);
        let found = file.and_then(|file| self.loaded.files.iter().position(|known| known.file == file));
        found.unwrap_or(self.values.instances[scope.at()].file)
    }
}

/// Why there are no bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// The host has none.
    Host(ReadError),
    /// The archive has none, in words.
    Archive(String),
}

impl Unread {
    /// Reports a file, the module or the file of `Fn::InsertFile`, that cannot be read.
    pub(super) fn of_file(&self, kind: &str, address: &Address, written: &str) -> Diagnostic {
        let is_module = kind == "module";
        let code = if is_module { codes::MODULE_SOURCE } else { codes::LOCAL_FUNCTION };
        let (written, path) = (shown(written), shown(&address.shown()));
        // What may be wrong with a remote source alone names the file as a whole.
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
    /// The remote file that this is, or that holds it.
    pub(super) fn remote(&self) -> Option<&str> {
        match self {
            Address::Local(_) => None,
            Address::Entry { archive, .. } => archive.remote(),
            Address::Remote(address) => Some(address),
        }
    }
}

/// Whether an address names one state of a file for good: a version of an object, or a commit.
fn is_fixed(address: &str) -> bool {
    const COMMIT: usize = 40;
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let has_version = query.split('&').any(|part| part.strip_prefix("versionId=").is_some_and(|id| !id.is_empty()));
    let is_commit = |part: &str| part.len() == COMMIT && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (address.starts_with("s3://") && has_version) || path.split('/').any(is_commit)
}

impl Linker<'_> {
    /// Warns, once for each, of a remote source that nothing pins: its next state would be used unseen.
    pub(super) fn warn_not_pinned(&mut self, address: &Address, at: NodeId, scope: InstanceId) {
        let Some(remote) = address.remote() else { return };
        if is_fixed(remote) || self.loaded.reading.is_pinned(remote) || !self.loaded.pinned.insert(remote.to_owned()) {
            return;
        }
        let message = format!("{} is not pinned", shown(remote));
        let help = "commit `formwork.lock` with the template, or write `Hash: sha256:...` next to the Source";
        let diagnostic = self
            .fault(codes::REMOTE_NOT_PINNED, at, message, help)
            .note("`formwork.lock` pins it after a successful run");
        self.report(scope, diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_commits_are_fixed() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_fixed("s3://b/m.yaml?versionId=v1"));
        assert!(is_fixed(&format!("https://raw.example.com/o/r/{commit}/m.yaml")));
        assert!(!is_fixed("s3://b/m.yaml?versionId="));
        assert!(!is_fixed("https://a.example/m.yaml?versionId=v1"));
        assert!(!is_fixed("https://a.example/main/m.yaml"));
        assert!(!is_fixed(&format!("https://a.example/m.yaml?of={commit}")));
    }
}
