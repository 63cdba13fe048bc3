//! Loading of module files: each is read, parsed and freed of constants once per run; and reports about remote ones
//! (reference/modules/sources.md#remote).

use formwork_base::display::shown;
use formwork_base::{VirtualPath, codes};
use formwork_syntax::{Kind, NodeId, Role};
use formwork_template::kind_of_file::is_meant_as_template;

use crate::include;

use super::Linker;
use super::address::Address;
use super::instance::InstanceId;
use super::loaded::ModuleFile;
use super::stop::{Resolved, Stop};
use formwork_loops::budget::is_within_budget;

impl Linker<'_> {
    /// Returns the index of the file at an address, which is read at the first request. `written` is its address in the
    /// source, at `at`.
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
            // The file may be a secret: none of its text is in the report.
            self.sources.hide(file);
        }
        if is_other && !(document.is_well_formed && self.tree.kind(document.root) != Kind::Map) {
            let message = format!("the module {} is not a template: it has no section of one", shown(written));
            let help = "a module is a template with sections such as `Parameters` and `Resources`";
            return self.wrong(scope, self.error(codes::MODULE_SOURCE, at, message, help));
        }
        self.diagnostics.append(found);
        if !document.is_well_formed {
            return Err(Stop::Reported);
        }
        if self.tree.kind(document.root) != Kind::Map {
            let message = format!("the module {} is not a mapping of sections", shown(written));
            let help = "a module is a template with sections such as `Parameters` and `Resources`";
            return self.wrong(scope, self.error(codes::MODULE_SOURCE, at, message, help));
        }
        let included = self.with_includes(document.root, address);
        let root = self.without_constants(included, file, scope);
        if !self.fits(root) {
            return Err(Stop::Reported);
        }
        self.loaded.files.push(ModuleFile { address: address.clone(), file, root });
        Ok(self.loaded.files.len() - 1)
    }

    /// Inlines the `AWS::Include` files of a module; those of modules that are not on a disk are kept.
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
}

/// Returns `true` for the address of a fixed content: a version of an object, or a commit.
fn is_fixed(address: &str) -> bool {
    const COMMIT: usize = 40;
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let has_version = query.split('&').any(|part| part.strip_prefix("versionId=").is_some_and(|id| !id.is_empty()));
    let is_commit = |part: &str| part.len() == COMMIT && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (address.starts_with("s3://") && has_version) || path.split('/').any(is_commit)
}

impl Linker<'_> {
    /// Warns, once for each, of a remote source that is not pinned: a new content would be used without notice.
    pub(super) fn warn_not_pinned(&mut self, address: &Address, at: NodeId, scope: InstanceId) {
        let Some(remote) = address.remote() else { return };
        if is_fixed(remote) || self.loaded.reading.is_pinned(remote) || !self.loaded.pinned.insert(remote.to_owned()) {
            return;
        }
        let message = format!("{} is not pinned", shown(remote));
        let help = "commit `formwork.lock` with the template, or write `Hash: sha256:...` next to the Source";
        let diagnostic = self
            .error(codes::REMOTE_NOT_PINNED, at, message, help)
            .note("`formwork.lock` pins it after a successful run");
        self.report(scope, diagnostic);
    }

    /// Returns `true` when a file with its constants replaced may be walked. A constant that is used often is shared,
    /// and counts each time.
    pub(super) fn fits(&mut self, root: NodeId) -> bool {
        let fits = is_within_budget(self.tree, root, &self.limits, self.diagnostics);
        self.values.usage.stopped |= !fits;
        fits
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
