//! Accounting for generated strings and elements, against the limits.

use formwork_base::{Diagnostic, codes};
use formwork_syntax::NodeId;

use super::Evaluator;

impl Evaluator<'_> {
    /// Accounts for a string of a loop before it is generated; `false` when a limit is exceeded, which is reported.
    /// Short ones are bound by the number of iterations.
    pub fn charge_text(&mut self, bytes: u64, at: NodeId) -> bool {
        self.is_short(bytes) || self.charge(bytes, at)
    }

    /// Returns `true` if a string of a loop with so many bytes need not be accounted for.
    pub fn is_short(&self, bytes: u64) -> bool {
        const SHORT: u64 = 4096;
        bytes <= SHORT
    }

    /// Accounts for a computed string before it is created; `false` when a limit is exceeded.
    pub(crate) fn charge(&mut self, bytes: u64, at: NodeId) -> bool {
        let limits = self.settings.limits;
        let total = self.spent.text_bytes.saturating_add(bytes);
        if bytes <= limits.text_bytes && total <= limits.total_text_bytes {
            self.spent.text_bytes = total;
            return true;
        }
        let (what, limit) = if bytes > limits.text_bytes {
            ("a computed string is too large", limits.text_bytes)
        } else {
            ("the computed strings are too large in total", limits.total_text_bytes)
        };
        let span = self.tree.span(at);
        let diagnostic = Diagnostic::new(codes::LIMIT, format!("{what}: the limit of {limit} bytes is exceeded"))
            .at(span)
            .note("a template has at most 1 MB; the limit prevents hostile input from exhausting memory");
        self.report_always(diagnostic);
        false
    }

    /// Accounts for the elements of a list before a function generates or compares them; `false` when a limit is
    /// exceeded.
    pub(crate) fn charge_elements(&mut self, count: usize, at: NodeId) -> bool {
        let limit = self.settings.limits.nodes as u64;
        let total = self.spent.elements.saturating_add(count as u64);
        if total <= limit {
            self.spent.elements = total;
            return true;
        }
        let message = format!("functions generate too many list elements: the limit of {limit} is exceeded");
        let diagnostic = Diagnostic::new(codes::LIMIT, message)
            .at(self.tree.span(at))
            .note("the limit prevents hostile input from exhausting memory")
            .help("generate the list once and refer to it");
        self.report_always(diagnostic);
        false
    }
}
