//! `Source`, `Packages` and `Hash`, and the chain of files that lead to a module
//! (reference/modules/sources.md#local, reference/modules/sources.md#packages,
//! reference/modules/sources.md#cycles).

use formwork_base::display::shown;
use formwork_base::{Fact, codes};
use formwork_syntax::{Entry, Kind, NodeId, Symbol, flags};
use sha2::{Digest, Sha256};

use super::Linker;
use super::address::{Address, Unfit};
use super::goal::Goal;
use super::groups::ForEachCopy;
use super::instance::InstanceId;
use super::stop::{Resolved, Stop, Value};

impl Linker<'_> {
    /// The file that an import names.
    pub(super) fn source(&mut self, copy: &ForEachCopy, scope: InstanceId) -> Resolved<usize> {
        let Some(node) = self.tree.get_text(copy.body, "Source") else {
            let import = shown(self.tree.name(copy.id));
            let message = format!("the import {import} has no Source: `{import} missing Source`");
            let is_slip = |key: NodeId| formwork_base::suggest::nearest(self.tree.text(key), ["Source"]).is_some();
            let slip = self.tree.entries(copy.body).map(|entry| entry.key).find(|&key| is_slip(key));
            if let Some(slip) = slip {
                let diagnostic = self.error(codes::MODULE_SOURCE, slip, message, "did you mean `Source`?");
                return self.wrong(scope, diagnostic);
            }
            // `Type: ./topic.yaml`, `File: ./topic.yaml`.
            let named = |entry: Entry| {
                let path = self.tree.string(entry.value).filter(|text| is_path(text))?;
                Some((entry.key, format!("write `Source: {}`", shown(path))))
            };
            let named = self.tree.entries(copy.body).find_map(named);
            if let Some((key, help)) = named {
                let diagnostic = self.error(codes::MODULE_SOURCE, key, message, help);
                return self.wrong(scope, diagnostic);
            }
            let help = "name the file of the module: `Source: ./module.yaml`";
            let diagnostic = self.error(codes::MODULE_SOURCE, copy.key, message, help).label("this import");
            return self.wrong(scope, diagnostic);
        };
        let node = self.source_value(scope, copy.id, node)?.ok_or(Stop::Reported)?;
        if self.tree.kind(node) != Kind::String {
            let what = super::report::describe_kind(self.tree, node);
            let message = format!("the Source of {} is {what}, not a string", shown(self.tree.name(copy.id)));
            let diagnostic = self
                .error(codes::MODULE_SOURCE, node, message, "write a path, or refer to a constant")
                .note("modules are expanded before deployment, so the path must be literal");
            return self.wrong(scope, diagnostic);
        }
        let written = self.tree.text(node).to_owned();
        let address = self.address(&written, node, scope)?;
        self.check_alias(&address, &written, node, scope)?;
        self.check_hash(&address, copy.body, scope)?;
        let file = self.load(&address, &written, node, scope)?;
        self.warn_not_pinned(&address, node, scope);
        let import = self.tree.name(copy.id).to_owned();
        self.check_cycle(&import, file, &written, node, scope)?;
        Ok(file)
    }

    /// Reports a path without a file whose first directory is the alias of a package: `kit/topic.yaml`.
    fn check_alias(&mut self, address: &Address, written: &str, at: NodeId, scope: InstanceId) -> Resolved<()> {
        let alias = written.split_once('/').map(|(first, _)| first).filter(|_| !written.starts_with(['$', '.', '/']));
        let (Some(alias), Some(section)) = (alias, self.written_section(scope, "Packages")) else { return Ok(()) };
        if self.tree.get_text(section, alias).is_none() || self.read_bytes(address, self.limits.module_bytes).is_ok() {
            return Ok(());
        }
        let message = format!("the module {} cannot be read: {} is a package", shown(written), shown(alias));
        let help = format!("write `${}`", shown(written));
        self.wrong(scope, self.error(codes::MODULE_SOURCE, at, message, help))
    }

    /// The `Source` of an import, which may be an output of another one.
    pub(super) fn source_value(&mut self, scope: InstanceId, import: Symbol, node: NodeId) -> Value {
        if !self.tree.has(node, flags::HAS_CALL) {
            return Ok(Some(node));
        }
        let goal = Goal::Source(scope, import, node);
        self.once(goal, |agenda| &mut agenda.values, |linker| linker.evaluate(node, scope))
    }

    /// The address that a text names in the file of an instance.
    pub(super) fn address(&mut self, written: &str, at: NodeId, scope: InstanceId) -> Resolved<Address> {
        if written.starts_with('$') {
            return self.packaged(written, at, scope);
        }
        let file = self.values.instances[scope.at()].file;
        let own = self.loaded.files[file].address.clone();
        self.resolved(&own, written, at, scope)
    }

    /// Returns the address that `written` names as seen from `own`.
    pub(super) fn resolved(
        &mut self,
        own: &Address,
        written: &str,
        at: NodeId,
        scope: InstanceId,
    ) -> Resolved<Address> {
        let unfit = match own.resolve(written, scope == InstanceId::ROOT) {
            Ok(address) => return Ok(address),
            Err(unfit) => unfit,
        };
        let named = shown(written);
        let (message, help) = match unfit {
            Unfit::Scheme => (
                format!("{named}: `only https and s3 remote sources are supported`"),
                "use https, or keep a copy of the module beside the template",
            ),
            Unfit::Host => (
                format!("{named} has no valid host or port"),
                "write the address as `https://HOST/PATH` or `s3://BUCKET/KEY`",
            ),
            Unfit::Credentials => (
                format!("{named}: an address must not contain a user name or password"),
                "remove them, or keep a copy of the module beside the template",
            ),
            Unfit::Key => (
                format!("{named}: an address in S3 needs a bucket and a key"),
                "write the address as `s3://BUCKET/KEY`",
            ),
            Unfit::Outside => (
                format!("{named} leads outside the package of the module: it is outside the package"),
                "keep everything a package needs inside it",
            ),
            Unfit::Absolute => (
                format!("the path {named} is absolute, which is allowed only in the template"),
                "write the path relative to the module",
            ),
        };
        self.wrong(scope, self.error(codes::MODULE_SOURCE, at, message, help))
    }

    /// A file may not be among those that lead to it.
    fn check_cycle(&mut self, import: &str, file: usize, written: &str, at: NodeId, scope: InstanceId) -> Resolved<()> {
        let importers = || std::iter::successors(Some(scope), |scope| self.values.instances[scope.at()].parent);
        let files = || importers().map(|scope| self.values.instances[scope.at()].file);
        let Some(above) = files().position(|known| known == file) else { return Ok(()) };
        let message = if above == 0 {
            format!("a module imports itself: `Module {} refers to itself: {}`", shown(import), shown(written))
        } else {
            let chain: Vec<usize> = [file].into_iter().chain(files().take(above + 1)).collect();
            let names: Vec<String> = chain.iter().rev().map(|&file| self.loaded.files[file].address.shown()).collect();
            format!("circular dependency between modules: `Module import cycle: {}`", shown(&names.join(" -> ")))
        };
        let help = "remove one of the imports, or move what both need to another module";
        let diagnostic = self.error(codes::MODULE_CYCLE, at, message, help).note("a module cannot contain itself");
        self.wrong(scope, diagnostic)
    }

    /// Returns the address that `$alias/path` names.
    pub(super) fn packaged(&mut self, written: &str, at: NodeId, scope: InstanceId) -> Resolved<Address> {
        let named = shown(written);
        let parts = written[1..].split_once('/').filter(|(alias, path)| !alias.is_empty() && !path.is_empty());
        let Some((alias, path)) = parts else {
            let message = format!("a path in a package is missing: `Invalid Package/module name: {named}`");
            let alias = shown(written[1..].split('/').next().filter(|alias| !alias.is_empty()).unwrap_or("alias"));
            let help = format!("write the alias and the path in the package, such as `${alias}/module.yaml`");
            return self.wrong(scope, self.error(codes::PACKAGE, at, message, help));
        };
        let Some(section) = self.written_section(scope, "Packages") else {
            let message = format!("this file does not declare Packages: `Packages section not found for {named}`");
            let help = format!("declare it: `Packages: {{{alias}: {{Source: ...}}}}`");
            let diagnostic = self.error(codes::PACKAGE, at, message, help).fact(Fact::Name(alias.to_owned()));
            return self.wrong(scope, diagnostic.note("an alias is visible only in the file that declares it"));
        };
        let Some(package) = self.tree.get_text(section, alias) else {
            let missing = shown(alias);
            let message = format!("package {missing} does not exist: `Package name {missing} not found: {named}`");
            let names = || self.names_in(Some(section));
            let help = match self.suggestion(alias, names()) {
                Some(near) => format!("did you mean `${near}`?"),
                None => format!("the packages are {}", shown(&names().collect::<Vec<_>>().join(", "))),
            };
            let diagnostic = self.error(codes::PACKAGE, at, message, help);
            return self.wrong(scope, diagnostic.fact(Fact::Name(alias.to_owned())));
        };
        let source = self.tree.get_text(package, "Source").filter(|&node| self.tree.kind(node) == Kind::String);
        let Some(source) = source else {
            let message = format!("the package {} has no Source", shown(alias));
            let location = self.tree.string(package).filter(|text| !text.contains(['`', '"', ',', '{', '}', '\n']));
            let help = match location {
                Some(location) => format!("write `{}: {{Source: {}}}`", shown(alias), shown(location)),
                None => "add its location: `Source: ./package.zip`, or a directory".to_owned(),
            };
            return self.wrong(scope, self.error(codes::PACKAGE, package, message, help));
        };
        let whole = format!("{}/{path}", self.tree.text(source).trim_end_matches('/'));
        let own = self.loaded.files[self.values.instances[scope.at()].file].address.clone();
        let address = self.resolved(&own, &whole, at, scope)?;
        let hashed = match &address {
            Address::Entry { archive, .. } => (**archive).clone(),
            _ => address.clone(),
        };
        self.check_hash(&hashed, package, scope)?;
        Ok(address)
    }

    /// The `Hash` beside a `Source`, if there is one, is that of the file or archive.
    pub(super) fn check_hash(&mut self, address: &Address, body: NodeId, scope: InstanceId) -> Resolved<()> {
        let Some(node) = self.tree.get_text(body, "Hash") else { return Ok(()) };
        let hash = self.tree.text(node);
        let is_hex = |hex: &&str| hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let Some(wanted) = hash.strip_prefix("sha256:").filter(is_hex).map(str::to_ascii_lowercase) else {
            let message = format!("{} is not a hash", shown(hash));
            let help = "write `Hash: sha256:` and the 64 digits that `sha256sum FILE` prints";
            return self.wrong(scope, self.error(codes::PACKAGE, node, message, help));
        };
        let bytes = match address {
            Address::Entry { archive, .. } => self.open_archive(archive),
            _ => self.read_bytes(address, self.limits.archive_bytes),
        };
        // What cannot be read is reported when it is read as a module.
        let Ok(bytes) = bytes else { return Ok(()) };
        let found = formwork_base::hexadecimal(&Sha256::digest(&bytes));
        if found == wanted {
            self.loaded.pinned.extend(address.remote().map(str::to_owned));
            return Ok(());
        }
        let message = format!("{} does not match its Hash: hash mismatch", shown(&address.shown()));
        let help = "find out why the file changed before you change the hash";
        let diagnostic = self.error(codes::PACKAGE, node, message, help).note(format!("its hash is sha256:{found}"));
        self.wrong(scope, diagnostic)
    }
}

/// Returns `true` for a string that certainly is the path of a module.
fn is_path(text: &str) -> bool {
    let ends = [".yaml", ".yml", ".json", ".template"];
    ends.iter().any(|end| text.ends_with(end)) && !text.contains(char::is_whitespace)
}
