//! `Source`, and the chain of files that lead to a module (reference/modules/sources.md#local,
//! reference/modules/sources.md#cycles).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::address::{Address, Unfit};
use super::goals::Made;
use super::instance::InstanceId;

impl Linker<'_> {
    /// The file that an import names.
    pub(super) fn source(&mut self, import: &str, key: NodeId, body: NodeId, scope: InstanceId) -> Made<usize> {
        let Some(node) = self.tree.get_text(body, "Source") else {
            let message = format!("the import {} names no module: `{} missing Source`", shown(import), shown(import));
            let help = "name the file of the module: `Source: ./module.yaml`";
            let diagnostic = self.fault(codes::MODULE_SOURCE, key, message, help).label("this import");
            return self.wrong(scope, diagnostic);
        };
        let node = self.evaluate_known(node, scope)?;
        if self.tree.kind(node) != Kind::String {
            let what = super::report::kind_words(self.tree, node);
            let message = format!("the Source of {} is {what}, not a text", shown(import));
            let diagnostic = self
                .fault(codes::MODULE_SOURCE, node, message, "write a path, or refer to a constant")
                .note("modules are put together before deployment, so the place must be written out");
            return self.wrong(scope, diagnostic);
        }
        let written = self.tree.text(node).to_owned();
        let address = self.address(&written, node, scope)?;
        self.check_hash(&address, body, scope)?;
        let file = self.load(&address, &written, node, scope)?;
        self.warn_not_pinned(&address, node, scope);
        self.check_cycle(import, file, &written, node, scope)?;
        Ok(file)
    }

    /// The address that a text names in the file of an instance.
    pub(super) fn address(&mut self, written: &str, at: NodeId, scope: InstanceId) -> Made<Address> {
        if written.starts_with('$') {
            return self.packaged(written, at, scope);
        }
        let own = self.files[self.instances[scope.0].file].address.clone();
        self.resolved(&own, written, at, scope)
    }

    /// What `written` names as seen from `own`.
    pub(super) fn resolved(&mut self, own: &Address, written: &str, at: NodeId, scope: InstanceId) -> Made<Address> {
        let unfit = match own.resolve(written, scope == InstanceId::ROOT) {
            Ok(address) => return Ok(address),
            Err(unfit) => unfit,
        };
        let shown_text = shown(written);
        let diagnostic = match unfit {
            Unfit::Scheme => Diagnostic::new(
                codes::MODULE_SOURCE,
                format!("{shown_text}: `only https and s3 remote sources are supported`"),
            )
            .help("use https, or keep a copy of the module beside the template"),
            Unfit::Outside => Diagnostic::new(
                codes::MODULE_SOURCE,
                format!("{shown_text} leads out of the place that its module came from, it is outside the package"),
            )
            .help("keep what a package needs inside it"),
            Unfit::Absolute => Diagnostic::new(
                codes::MODULE_SOURCE,
                format!("the path {shown_text} is absolute, which only the template may use"),
            )
            .help("write the path relative to the module"),
        };
        self.wrong(scope, diagnostic.at(self.tree.span(at)))
    }

    /// A file may not be among those that lead to it.
    fn check_cycle(&mut self, import: &str, file: usize, written: &str, at: NodeId, scope: InstanceId) -> Made<()> {
        let mut chain = vec![file];
        let mut next = Some(scope);
        let mut is_in_chain = false;
        while let Some(scope) = next {
            let own = &self.instances[scope.0];
            chain.push(own.file);
            if own.file == file {
                is_in_chain = true;
                break;
            }
            next = own.parent;
        }
        if !is_in_chain {
            return Ok(());
        }
        let message = if chain.len() == 2 {
            format!("a module is a part of itself: `Module {} refers to itself: {}`", shown(import), shown(written))
        } else {
            let names: Vec<String> = chain.iter().rev().map(|&file| self.files[file].address.shown()).collect();
            format!("modules are parts of each other: `Module import cycle: {}`", shown(&names.join(" -> ")))
        };
        let help = "take one of the imports out, or move what both need to a module of its own";
        let diagnostic = self.fault(codes::MODULE_CYCLE, at, message, help).note("a module cannot be a part of itself");
        self.wrong(scope, diagnostic)
    }
}
