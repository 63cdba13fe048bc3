//! Files of modules: each is read, parsed and freed of constants once a run.

use formwork_base::{Diagnostic, FileId, ReadError, Span, VirtualPath, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, Role, symbol};

use crate::include;

use super::Linker;
use super::address::Address;
use super::goals::{Made, Stop};
use super::instance::InstanceId;
use super::remote;

/// A file that was read.
#[derive(Clone, Debug)]
pub(super) struct ModuleFile {
    /// Where it is.
    pub(super) address: Address,
    /// Its text.
    pub(super) file: FileId,
    /// Its root, constants in place.
    pub(super) root: NodeId,
    /// Its `Parameters`, when they are a map.
    pub(super) parameters: Option<NodeId>,
    /// Whether its `ParameterSchema` was looked at.
    pub(super) is_schema_checked: bool,
}

/// Most files of one run (reference/modules/README.md#limits).
const FILES: usize = 10_000;
/// Most bytes of a module file.
const FILE_BYTES: u64 = 1 << 20;

impl Linker<'_> {
    /// The file at an address, read when it is first asked for. `written` is how it is named at
    /// `at`.
    pub(super) fn load(&mut self, address: &Address, written: &str, at: NodeId, scope: InstanceId) -> Made<usize> {
        if let Some(&known) = self.by_address.get(address) {
            return known;
        }
        if self.files.len() >= FILES {
            return self.stop(scope, at, &format!("more than {FILES} module files are read"));
        }
        let loaded = self.read_module(address, written, at, scope);
        self.by_address.insert(address.clone(), loaded);
        loaded
    }

    fn read_module(&mut self, address: &Address, written: &str, at: NodeId, scope: InstanceId) -> Made<usize> {
        let bytes = match self.read_bytes(address, FILE_BYTES) {
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
        let Some(loaded) = self.reading.load(self.sources, (path, &display, Role::Template), &bytes) else {
            return self.stop(scope, at, "the files are too large together");
        };
        let file = loaded.file;
        if let Some(error) = loaded.error {
            let error = error.at(self.tree.span(at)).label("this module");
            return self.wrong(scope, error);
        }
        let document = self.reading.parse(self.tree, self.sources, file, &self.limits, self.diagnostics);
        if !document.is_well_formed {
            return Err(Stop::Poison);
        }
        if self.tree.kind(document.root) != Kind::Map {
            let message = format!("the module {} is no mapping of sections", shown(written));
            let help = "a module is a template: sections such as `Parameters` and `Resources`";
            return self.wrong(scope, self.fault(codes::MODULE_SOURCE, at, message, help));
        }
        let included = self.with_includes(document.root, address);
        let root = self.without_constants(included, file, scope);
        if !self.fits(root) {
            return Err(Stop::Poison);
        }
        let parameters = self.tree.get(root, symbol::PARAMETERS).filter(|&node| self.tree.kind(node) == Kind::Map);
        self.files.push(ModuleFile { address: address.clone(), file, root, parameters, is_schema_checked: false });
        Ok(self.files.len() - 1)
    }

    /// A module with its `AWS::Include` files in place; those of modules that lie on no disk stay.
    fn with_includes(&mut self, root: NodeId, address: &Address) -> NodeId {
        let (Some(missing), Address::Local(path)) = (self.includes, address) else { return root };
        let mut context = include::Context {
            tree: self.tree,
            sources: self.sources,
            reading: self.reading,
            limits: &self.limits,
            diagnostics: self.diagnostics,
            missing,
        };
        self.included.include(&mut context, root, path)
    }

    /// The bytes at an address, at most `limit` of them.
    pub(super) fn read_bytes(&mut self, address: &Address, limit: u64) -> Result<formwork_base::FileBytes, Unread> {
        let bytes = match address {
            Address::Local(path) => self.reading.read(path).map_err(Unread::Host)?,
            Address::Remote(address) => self.reading.read_remote(address).map_err(Unread::Host)?,
            Address::Entry { archive, inner } => return self.read_entry(archive, inner.as_str(), limit),
        };
        if bytes.len() as u64 > limit { Err(Unread::Host(ReadError::TooLarge { limit })) } else { Ok(bytes) }
    }

    /// A section of the file of an instance, its loops unrolled, when it is a map.
    pub(super) fn section(&mut self, scope: InstanceId, name: &str) -> Made<Option<NodeId>> {
        let root = self.unrolled(scope)?;
        Ok(self.tree.get_text(root, name).filter(|&node| self.tree.kind(node) == Kind::Map))
    }

    /// A section as it is written, when it is a map.
    pub(super) fn written_section(&self, scope: InstanceId, name: &str) -> Option<NodeId> {
        let root = self.files[self.instances[scope.0].file].root;
        self.tree.get_text(root, name).filter(|&node| self.tree.kind(node) == Kind::Map)
    }

    /// The file that a piece of text stands in; that of the instance when it has no place.
    pub(super) fn file_of(&self, span: Span, scope: InstanceId) -> usize {
        let file = self.sources.file_of(span);
        let found = file.and_then(|file| self.files.iter().position(|known| known.file == file));
        found.unwrap_or(self.instances[scope.0].file)
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
    /// What is wrong where a file, the module or the text of `Fn::InsertFile`, cannot be read.
    pub(super) fn of_file(&self, kind: &str, address: &Address, written: &str) -> Diagnostic {
        let is_module = kind == "module";
        let code = if is_module { codes::MODULE_SOURCE } else { codes::LOCAL_FUNCTION };
        let (written, path) = (shown(written), shown(&address.shown()));
        match self {
            Unread::Host(error) if let Some(diagnostic) = remote::unread(address, error) => diagnostic,
            Unread::Host(ReadError::OutsideRoot) => {
                let message = format!("the {kind} may not be read: `{written} is outside the project root`");
                Diagnostic::new(code, message)
                    .note(format!("it is {path}, seen from the folder of the template"))
                    .help("name a folder that holds the file and the template with `--project-root DIR`")
            }
            Unread::Host(error) => {
                let place = if is_module { "that names it" } else { "in which the path is written" };
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
