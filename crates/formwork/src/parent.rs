//! What a nested template sees of the template that uses it (reference/packaging.md#nested).

use std::collections::HashMap;

use formwork_base::{Diagnostic, Frame, SourceMap, Span, VirtualPath};
use formwork_package::{NestedParameter, Passing};

/// What a nested template sees of the template that uses it.
#[derive(Debug)]
pub struct Parent {
    /// Files of the parent.
    pub(crate) sources: SourceMap,
    /// Text of the parent that no report may show.
    pub(crate) secrets: Vec<Span>,
    /// What leads to the nested template, outermost first; the stack itself last.
    pub(crate) frames: Vec<Frame>,
    /// What is passed.
    pub(crate) passing: Passing,
    /// Logical ID of the stack.
    pub(crate) resource: String,
    /// The place of the logical ID.
    pub(crate) key: Span,
    /// The nested template's path as reports show it.
    pub(crate) shown_path: String,
    /// Parameters whose values were written elsewhere, with the files: paths in them start there.
    pub(crate) origins: HashMap<String, VirtualPath>,
}

/// A parent is one run of one template: only it is equal to itself.
impl PartialEq for Parent {
    fn eq(&self, other: &Parent) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A nested template with what is passed to it: what is equal is compiled once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    file: String,
    values: Vec<(String, String, bool, Option<VirtualPath>)>,
    names: Option<Vec<String>>,
}

impl Parent {
    /// What identifies this use of the nested template. `file` is the file's identity.
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

    /// The file that wrote the value of a parameter: a path in it starts from there.
    pub fn origin_of(&self, parameter: &str) -> Option<&VirtualPath> {
        self.origins.get(parameter)
    }

    /// Whether the value of a `NoEcho` parameter is passed to a parameter.
    pub(crate) fn passes_secret(&self, parameter: &str) -> bool {
        self.passing.values.iter().any(|passed| passed.is_secret && passed.name == parameter)
    }

    /// What checks look at.
    pub(crate) fn in_checks(&self) -> formwork_rules::Parent<'_> {
        formwork_rules::Parent {
            resource: &self.resource,
            path: &self.shown_path,
            key: self.key,
            names: self.passing.names.as_deref(),
        }
    }

    /// Turns a diagnostic of the nested template into one of its parent: with what leads there, and
    /// without options that reach the root template alone.
    pub(crate) fn put_in_context(&self, diagnostic: &mut Diagnostic) {
        diagnostic.frames.splice(0..0, self.frames.iter().cloned());
        let pass = format!("pass a value that is known before deployment under Parameters of {}", self.resource);
        diagnostic.replace_value_advice(&pass);
    }
}
