//! The view of a nested template on its parent (reference/packaging.md#nested).

use std::collections::HashMap;

use formwork_base::{Diagnostic, Frame, SourceMap, Span, VirtualPath};
use formwork_package::{NestedParameter, Passing};

/// The template that nests another one, as far as the nested template can see it.
#[derive(Debug)]
pub struct Parent {
    pub(crate) sources: SourceMap,
    pub(crate) secrets: Vec<Span>,
    /// The frames that lead to the nested template, outermost first; the stack itself last.
    pub(crate) frames: Vec<Frame>,
    pub(crate) passing: Passing,
    pub(crate) resource: String,
    pub(crate) key: Span,
    pub(crate) shown_path: String,
    /// Parameters whose values were written elsewhere, with the files to which paths in the values are relative.
    pub(crate) origins: HashMap<String, VirtualPath>,
}

/// A parent is one run of one template: it only equals itself.
impl PartialEq for Parent {
    fn eq(&self, other: &Parent) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A nested template with the values passed to it: equal uses are compiled once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    file: String,
    values: Vec<(String, String, bool, Option<VirtualPath>)>,
    names: Option<Vec<String>>,
}

impl Parent {
    /// Returns the identity of this use of the nested template. `file` is the identity of the file.
    pub fn to_use(&self, file: String) -> Use {
        let value = |passed: &NestedParameter| {
            let origin = self.origins.get(&passed.name).cloned();
            (passed.name.clone(), passed.value.clone(), passed.is_secret, origin)
        };
        let mut values: Vec<_> = self.passing.values.iter().map(value).collect();
        values.sort();
        let names = self.passing.names.as_ref().map(|names| {
            let mut names: Vec<String> = names.iter().map(|(name, _)| name.clone()).collect();
            names.sort();
            names
        });
        Use { file, values, names }
    }

    /// Returns the file in which the value of a parameter was written, to which paths in the value are relative.
    pub fn origin_of(&self, parameter: &str) -> Option<&VirtualPath> {
        self.origins.get(parameter)
    }

    pub(crate) fn passes_secret(&self, parameter: &str) -> bool {
        self.passing.values.iter().any(|passed| passed.is_secret && passed.name == parameter)
    }

    pub(crate) fn in_checks(&self) -> formwork_checks::Parent<'_> {
        formwork_checks::Parent {
            resource: &self.resource,
            path: &self.shown_path,
            key: self.key,
            names: self.passing.names.as_deref(),
        }
    }

    /// Turns a diagnostic of the nested template into one of its parent: adds the frames, and removes options that
    /// apply only to the root template.
    pub(crate) fn put_in_context(&self, diagnostic: &mut Diagnostic) {
        diagnostic.frames.splice(0..0, self.frames.iter().cloned());
        let pass = format!("pass a value that is known before deployment under Parameters of {}", self.resource);
        diagnostic.replace_value_advice(&pass);
    }
}
