//! Two values in one: `Fn::Merge` as a value, and overrides (reference/modules/overrides.md#overrides,
//! reference/modules/functions.md#merge).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style};
use rustc_hash::FxHashMap;

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;

impl Linker<'_> {
    pub(super) fn evaluate_merge(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let made = self.evaluate_known(argument, scope)?;
        let made = self.known_root_value(made, "Fn::Merge", argument, scope)?;
        let operands = self.tree.items(made).to_vec();
        // An Fn::Map among them makes operands when the loops are unrolled.
        let waits = operands.iter().any(|&operand| self.tree.argument_of(operand, Known::Map).is_some());
        if waits || self.tree.kind(made) != Kind::List {
            return Ok(Some(self.call_in_place(node, made, self.frame(scope))));
        }
        let frame = self.frame(scope);
        let frame = self.frame_within(node, frame);
        let Some(&first) = operands.first() else {
            return Ok(Some(self.tree.map(&[], Style::Flow, Origin::Made(node, frame))));
        };
        let kind = self.tree.kind(first);
        for &operand in &operands {
            let own = self.tree.kind(operand);
            if own == Kind::Call {
                let what = super::report::kind_words(self.tree, operand);
                let diagnostic = Diagnostic::new(
                    codes::LOCAL_FUNCTION,
                    format!("an operand of Fn::Merge is {what}: `Fn::Merge could not be resolved locally: it is not known before deployment`"),
                )
                .at(self.tree.span(operand))
                .related(self.tree.span(node), "merged here")
                .help("merge maps or lists that are written out, parameters of a module, or outputs");
                return self.wrong(scope, diagnostic);
            }
            if own != kind || !matches!(own, Kind::Map | Kind::List) {
                let what = super::report::kind_words(self.tree, operand);
                let diagnostic = Diagnostic::new(
                    codes::MERGE_OPERANDS,
                    format!("an operand of Fn::Merge is {what}: `Fn::Merge requires a list of objects`"),
                )
                .at(self.tree.span(operand))
                .related(self.tree.span(node), "merged here")
                .help("merge maps with maps, or lists with lists");
                return self.wrong(scope, diagnostic);
            }
        }
        let merged = operands.into_iter().reduce(|one, other| self.deep_merge(one, other, frame, 0));
        Ok(Some(merged.map_or(node, |merged| self.tree.stand_in(merged, node, frame))))
    }

    /// The later value wins, maps member by member, lists one behind the other. A call is one value.
    pub(super) fn deep_merge(&mut self, one: NodeId, other: NodeId, frame: FrameId, depth: usize) -> NodeId {
        if depth > self.limits.depth {
            return other;
        }
        match (self.tree.kind(one), self.tree.kind(other)) {
            (Kind::Map, Kind::Map) => {
                let mut entries: Vec<Entry> = self.tree.entries(one).collect();
                let mut at: FxHashMap<_, _> =
                    entries.iter().enumerate().map(|(at, entry)| (self.tree.symbol(entry.key), at)).collect();
                for entry in self.tree.entries(other).collect::<Vec<_>>() {
                    let name = self.tree.symbol(entry.key);
                    if let Some(&at) = at.get(&name) {
                        let value = self.deep_merge(entries[at].value, entry.value, frame, depth + 1);
                        let key = if value == entry.value { entry.key } else { entries[at].key };
                        entries[at] = Entry { key, value };
                    } else {
                        at.insert(name, entries.len());
                        entries.push(entry);
                    }
                }
                let (style, frame) = (self.tree.style(one), self.frame_of_either(one, frame));
                self.tree.map(&entries, style, Origin::Made(one, frame))
            }
            (Kind::List, Kind::List) => {
                let mut items = self.tree.items(one).to_vec();
                items.extend_from_slice(self.tree.items(other));
                let (style, frame) = (self.tree.style(one), self.frame_of_either(one, frame));
                self.tree.list(&items, style, Origin::Made(one, frame))
            }
            _ => other,
        }
    }

    fn frame_of_either(&self, node: NodeId, frame: FrameId) -> FrameId {
        let own = self.tree.frame_of(node);
        if own.is_none() { frame } else { own }
    }
}
