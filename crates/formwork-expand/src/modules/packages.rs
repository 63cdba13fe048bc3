//! `Packages`: short names for places of modules (reference/modules/sources.md#packages), and hashes.

use std::fmt::Write as _;

use formwork_base::codes;
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId};
use sha2::{Digest, Sha256};

use super::Linker;
use super::address::Address;
use super::goals::Made;
use super::instance::InstanceId;

/// Most bytes of what a hash is made of.
const HASHED_BYTES: u64 = 50 << 20;

impl Linker<'_> {
    /// What `$alias/path` names.
    pub(super) fn packaged(&mut self, written: &str, at: NodeId, scope: InstanceId) -> Made<Address> {
        let named = shown(written);
        let parts = written[1..].split_once('/').filter(|(alias, path)| !alias.is_empty() && !path.is_empty());
        let Some((alias, path)) = parts else {
            let message = format!("a path in a package is missing: `Invalid Package/module name: {named}`");
            let help = "write the alias and the path in the package: `$alias/module.yaml`";
            return self.wrong(scope, self.fault(codes::PACKAGE, at, message, help));
        };
        let Some(section) = self.written_section(scope, "Packages") else {
            let message = format!("this file declares no packages: `Packages section not found for {named}`");
            let help = format!("declare it: `Packages: {{{alias}: {{Source: ...}}}}`");
            let diagnostic = self.fault(codes::PACKAGE, at, message, help);
            return self.wrong(scope, diagnostic.note("an alias is known only in the file that declares it"));
        };
        let Some(package) = self.tree.get_text(section, alias) else {
            let missing = shown(alias);
            let message = format!("there is no package {missing}: `Package name {missing} not found: {named}`");
            let names: Vec<&str> = self.names_in(Some(section)).collect();
            let help = match self.suggestion(alias, names.iter().copied()) {
                Some(near) => format!("did you mean `${near}`?"),
                None => format!("there are: {}", shown(&names.join(", "))),
            };
            return self.wrong(scope, self.fault(codes::PACKAGE, at, message, help));
        };
        let source = self.tree.get_text(package, "Source").filter(|&node| self.tree.kind(node) == Kind::String);
        let Some(source) = source else {
            let message = format!("the package {} has no Source", shown(alias));
            let help = "name its place: `Source: ./package.zip`, or a folder";
            return self.wrong(scope, self.fault(codes::PACKAGE, package, message, help));
        };
        let whole = format!("{}/{path}", self.tree.text(source).trim_end_matches('/'));
        let own = self.files[self.instances[scope.0].file].address.clone();
        let address = self.resolved(&own, &whole, at, scope)?;
        let hashed = match &address {
            Address::Entry { archive, .. } => (**archive).clone(),
            _ => address.clone(),
        };
        self.check_hash(&hashed, package, scope)?;
        Ok(address)
    }

    /// The `Hash` beside a `Source`, if there is one, is that of the file or archive.
    pub(super) fn check_hash(&mut self, address: &Address, body: NodeId, scope: InstanceId) -> Made<()> {
        let Some(node) = self.tree.get_text(body, "Hash") else { return Ok(()) };
        let hash = self.tree.text(node);
        let is_hex = |hex: &&str| hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let Some(wanted) = hash.strip_prefix("sha256:").filter(is_hex).map(str::to_ascii_lowercase) else {
            let message = format!("{} is no hash", shown(hash));
            let help = "write `Hash: sha256:` and the 64 digits that `sha256sum FILE` prints";
            return self.wrong(scope, self.fault(codes::PACKAGE, node, message, help));
        };
        let bytes = match address {
            Address::Entry { archive, .. } => self.open_archive(archive),
            _ => self.read_bytes(address, HASHED_BYTES),
        };
        // What cannot be read is reported when it is read as a module.
        let Ok(bytes) = bytes else { return Ok(()) };
        let mut found = String::with_capacity(2 * 32);
        for byte in Sha256::digest(&bytes) {
            let _ = write!(found, "{byte:02x}");
        }
        if found == wanted {
            self.note_pinned(address);
            return Ok(());
        }
        let message = format!("{} is not the file that its Hash names: hash mismatch", shown(&address.shown()));
        let help = "find out why the file changed before you change the hash";
        let diagnostic = self.fault(codes::PACKAGE, node, message, help).note(format!("its hash is sha256:{found}"));
        self.wrong(scope, diagnostic)
    }
}
