//! `Name[0]`, `Name[key]`, `Name[*]` and the forms with dots (reference/modules/copies.md#selectors).

use formwork_base::codes;
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;

use super::Linker;
use super::copies::ForEachCopy;
use super::goals::Made;
use super::instance::InstanceId;
use super::path::Path;

/// What a selector stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selected {
    /// Every copy, in order.
    All,
    /// The copy with this number.
    One(usize),
}

impl Linker<'_> {
    /// The copies that the first step of a path stands for.
    pub(super) fn select(
        &mut self,
        path: &Path<'_>,
        copies: &[ForEachCopy],
        at: NodeId,
        scope: InstanceId,
    ) -> Made<Selected> {
        let name = shown(path.head);
        // The imports that a loop generates for one item stand side by side.
        let is_ambiguous = copies.windows(2).any(|pair| pair[0].identifier == pair[1].identifier);
        let (message, help) = match path.steps.first() {
            _ if is_ambiguous => (
                format!("the loop {name} makes several imports an item: it is not said which one is meant"),
                "name the import itself, or write a loop for each of them".to_owned(),
            ),
            None => (
                format!("{name} has a ForEach: it is not said which of its copies is meant"),
                format!("write `{name}[0]`, `{name}[key]`, or `{name}[*]` for all of them"),
            ),
            Some(step) if step.is_all() => return Ok(Selected::All),
            Some(step) if step.text.is_empty() => (
                format!("the brackets are empty: `Invalid GetAtt: {name}[], did you mean [*]?`"),
                "write an index, an identifier, or `*` between the brackets".to_owned(),
            ),
            Some(step) => {
                let by_name = || copies.iter().position(|copy| copy.identifier.as_deref() == Some(step.text));
                if let Some(number) = step.index().filter(|&index| index < copies.len()).or_else(by_name) {
                    return Ok(Selected::One(number));
                }
                let keys: Vec<&str> = copies.iter().filter_map(|copy| copy.identifier.as_deref()).collect();
                let (key, keys) = (shown(step.text), shown(&keys.join(", ")));
                let message = match (copies.len(), step.index()) {
                    (0, _) => format!("the loop has no items: `{name} has no item [{key}], it has none`"),
                    (count, Some(_)) => {
                        format!("the last index is {}: `{name} has no item [{key}], it has: {keys}`", count - 1)
                    }
                    (_, None) => format!("no item has this name: `{name} has no item [{key}], it has: {keys}`"),
                };
                let help = "correct the identifier, or use `[*]` for all copies";
                let diagnostic = self.fault(codes::MODULE_FOR_EACH, at, message, help).note(
                    "the items are those of the collection as it was given now, which may differ from its Default",
                );
                return self.wrong(scope, diagnostic);
            }
        };
        self.wrong(scope, self.fault(codes::MODULE_FOR_EACH, at, message, help))
    }
}
