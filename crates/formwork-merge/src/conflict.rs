//! Diagnostics of declarations that differ between files.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Span, codes};
use formwork_syntax::NodeId;

use crate::merger::Merger;

/// Declarations of one name with different content.
pub(crate) struct Conflict {
    title: String,
    help: &'static str,
}

impl Conflict {
    /// An entry of a section.
    pub(crate) fn of_member(section: &str, name: &str) -> Conflict {
        let kind = match section {
            "Resources" => "resource",
            "Parameters" => "parameter",
            "Mappings" => "mapping",
            "Conditions" => "condition",
            "Outputs" => "output",
            "Rules" => "rule",
            "Hooks" => "hook",
            "Modules" => "import",
            "Packages" => "package",
            "Constants" => "constant",
            _ => "entry",
        };
        Conflict {
            title: format!("{kind} {} is declared in two files, with different content", shown(name)),
            help: "delete one of the two, or rename it with its references",
        }
    }

    /// A value that a template has once.
    pub(crate) fn of_value(path: &str) -> Conflict {
        Conflict {
            title: format!("{} has different values in two files", shown(path)),
            help: "write the same value in both files, or delete one of the two",
        }
    }
}

impl Merger<'_> {
    pub(crate) fn report(&mut self, conflict: &Conflict, first: NodeId, other: NodeId) {
        let diagnostic = Diagnostic::new(codes::MERGE_CONFLICT, conflict.title.clone())
            .at(self.tree.span(other))
            .label("this one differs")
            .related(self.tree.span(first), "the first one")
            .note("files of one template may repeat a declaration only with the same content")
            .help(conflict.help);
        self.diagnostics.push(diagnostic);
    }
}

/// The note of a description that is left out.
pub(crate) fn other_description(kept: Span, left_out: Span) -> Diagnostic {
    Diagnostic::new(codes::OTHER_DESCRIPTION, "this Description is left out of the template")
        .at(left_out)
        .related(kept, "this one is kept")
        .note("a template has one Description: that of the first file that has one")
        .help("write it as a comment")
}
