//! A template of several files: they are united behind parsing (reference/merge.md#rules). What a file declares that cannot
//! be read is not missed.

use formwork_base::{Diagnostic, FileBytes, VirtualPath, codes};
use formwork_merge::paths;
use formwork_syntax::{Document, Kind, NodeId, Role, symbol};

use super::Run;
use super::lost_names::{LostReferences, Namespace};
use crate::compilation::{Compilation, Union};

impl Run<'_> {
    /// Reads all files of a template, and unites them.
    pub(crate) fn united(mut self, path: &VirtualPath) -> Compilation {
        let bytes = match self.files.read_template(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.unreadable(path, &error),
        };
        let display = self.sources.shown(path);
        let Some((file, encoding)) = self.load((path, &display, Role::Template), &bytes) else {
            return self.finish_without(path, bytes);
        };
        self.file = Some(file);
        let mut document = self.parse(file);
        if !self.is_of_another_kind(&document) {
            self.unite(&mut document, false);
        }
        self.finish_without_output(document, encoding, bytes)
    }

    /// Adds the entries of the other files to a document. With `links`, paths of modules and includes lead to their files
    /// from the directory of the first one.
    pub(super) fn unite(&mut self, document: &mut Document, links: bool) {
        let options = self.options;
        if options.other_files.is_empty() && links {
            return;
        }
        let first = self.sources.path(document.file).clone();
        let mut documents = Vec::new();
        for path in &options.other_files {
            match self.other_file(path) {
                Some(other) => documents.push(other),
                None => self.lacks_file = true,
            }
        }
        documents.insert(options.files_before.min(documents.len()), *document);
        self.lacks_file |= documents.iter().any(|one| !one.is_well_formed);
        documents.retain(|one| one.is_well_formed);
        for other in &mut documents {
            let path = self.sources.path(other.file).clone();
            if links && path.as_str().rsplit_once('/').map(|(directory, _)| directory) != directory_of(&first) {
                other.root = self.with_moved_links(other.root, &path, &first);
            }
        }
        let roots: Vec<NodeId> = documents.iter().map(|one| one.root).collect();
        let merged = formwork_merge::merge(&mut self.tree, &roots, &mut self.diagnostics);
        if !documents.is_empty() {
            document.root = merged.root;
            document.is_well_formed = true;
            document.is_united = documents.len() > 1 || self.lacks_file;
        }
        self.union = Some(Union { documents, merged });
    }

    /// Reads another file of the template; `None` if it is not one, which is reported.
    fn other_file(&mut self, path: &VirtualPath) -> Option<Document> {
        let bytes: FileBytes = match self.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let shown = self.sources.shown(path);
                let message = format!("{shown} cannot be read: {error}");
                self.diagnostics.push(Diagnostic::new(codes::UNREADABLE_FILE, message));
                return None;
            }
        };
        let display = self.sources.shown(path);
        let (file, _) = self.load((path, &display, Role::Template), &bytes)?;
        let document = self.parse(file);
        (!self.is_of_another_kind(&document)).then_some(document)
    }

    fn with_moved_links(&mut self, root: NodeId, from: &VirtualPath, to: &VirtualPath) -> NodeId {
        let links = paths::links(&self.tree, root);
        let moved = links.into_iter().map(|node| (node, paths::moved(self.tree.text(node), from, to)));
        let moved: Vec<(NodeId, String)> = moved.collect();
        if moved.is_empty() { root } else { paths::replaced(&mut self.tree, root, &moved) }
    }

    /// Leaves out the diagnostics of other files than the one that is asked for.
    pub(super) fn leave_out_other_files(&mut self) {
        let Some(shown) = &self.options.shown_file else { return };
        let sources = &self.sources;
        self.diagnostics.retain(|one| sources.file_of(one.span()).is_some_and(|file| sources.path(file) == shown));
    }

    /// Leaves out what a file may explain that could not be read: names that it may declare or use.
    pub(super) fn leave_out_what_is_lost(&mut self, root: NodeId) {
        const OF_WHOLE: [formwork_base::Code; 4] =
            [codes::NO_RESOURCES, codes::TRANSFORM, codes::UNRESOLVED_NAME, codes::UNUSED_NAME];
        if !self.lacks_file {
            return;
        }
        let is_declared = |namespace: Namespace, name: &str| {
            let sections: &[_] = match namespace {
                Namespace::Values => &[symbol::PARAMETERS, symbol::RESOURCES],
                Namespace::Conditions => &[symbol::CONDITIONS],
                Namespace::Mappings => &[symbol::MAPPINGS],
            };
            let found = sections.iter().filter_map(|&section| self.tree.get(root, section));
            found.into_iter().any(|section| self.tree.get_text(section, name).is_some())
        };
        let is_lost = |namespace: Namespace, name: &str| !name.starts_with("AWS::") && !is_declared(namespace, name);
        let is_whole = self.tree.kind(root) == Kind::Map;
        let lost = if is_whole {
            LostReferences::find(&self.tree, &self.sources, root, &is_lost)
        } else {
            LostReferences::default()
        };
        self.diagnostics.retain(|one| {
            let is_of_reading = matches!(one.code, codes::NOT_WELL_FORMED | codes::LIMIT | codes::UNREADABLE_FILE);
            let needs_all = OF_WHOLE.contains(&one.code) || one.code.info().needs_items;
            is_of_reading || !needs_all && !lost.meet(one.span())
        });
    }
}

fn directory_of(path: &VirtualPath) -> Option<&str> {
    path.as_str().rsplit_once('/').map(|(directory, _)| directory)
}
