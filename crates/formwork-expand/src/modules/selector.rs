//! `Name[0]`, `Name[key]`, `Name[*]` and the forms with dots (reference/modules/copies.md#selectors).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;

use super::Linker;
use super::instance::InstanceId;
use super::path::Step;

/// What a selector stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selected {
    /// Every copy, in order.
    All,
    /// The copy with this number.
    One(usize),
}

impl Linker<'_> {
    /// The copies of `name` that a step stands for; `None` when it was reported that there are none.
    pub(super) fn select(
        &mut self,
        name: &str,
        identifiers: &[Option<String>],
        step: Option<&Step<'_>>,
        at: NodeId,
        scope: InstanceId,
    ) -> Option<Selected> {
        let name = shown(name);
        let Some(step) = step else {
            let diagnostic = Diagnostic::new(
                codes::MODULE_FOR_EACH,
                format!("{name} has a ForEach: it is not said which of its copies is meant"),
            )
            .at(self.tree.span(at))
            .help(format!("write `{name}[0]`, `{name}[key]`, or `{name}[*]` for all of them"));
            self.report(scope, diagnostic);
            return None;
        };
        if step.is_all() {
            return Some(Selected::All);
        }
        if step.text.is_empty() {
            let diagnostic = Diagnostic::new(
                codes::MODULE_FOR_EACH,
                format!("the brackets are empty: `Invalid GetAtt: {name}[], did you mean [*]?`"),
            )
            .at(self.tree.span(at))
            .help("write an index, an identifier, or `*` between the brackets");
            self.report(scope, diagnostic);
            return None;
        }
        if let Some(index) = step.index().filter(|&index| index < identifiers.len()) {
            return Some(Selected::One(index));
        }
        if let Some(at) = identifiers.iter().position(|known| known.as_deref() == Some(step.text)) {
            return Some(Selected::One(at));
        }
        let keys: Vec<&str> = identifiers.iter().filter_map(Option::as_deref).collect();
        let (key, keys) = (shown(step.text), shown(&keys.join(", ")));
        let message = match (identifiers.len(), step.index()) {
            (0, _) => format!("the loop has no items: `{name} has no item [{key}], it has none`"),
            (count, Some(_)) => {
                format!("the last index is {}: `{name} has no item [{key}], it has: {keys}`", count - 1)
            }
            (_, None) => format!("no item has this name: `{name} has no item [{key}], it has: {keys}`"),
        };
        let diagnostic = Diagnostic::new(codes::MODULE_FOR_EACH, message)
            .at(self.tree.span(at))
            .note("the items are those of the collection as it was given now, which may differ from its Default")
            .help("correct the identifier, or use `[*]` for all copies");
        self.report(scope, diagnostic);
        None
    }
}
