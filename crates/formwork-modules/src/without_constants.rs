//! Replacement of the constants of a file (reference/modules/constants.md#constants).

use formwork_base::{FileId, IdMap, codes};
use formwork_syntax::{FrameId, Kind, NodeId};

use super::Linker;
use super::constants::Constants;
use super::instance::InstanceId;
use super::variables::{Shadowed, Substitution, Variables};

impl Linker<'_> {
    /// Returns the root of a file with its constants replaced. The section itself is kept.
    pub(super) fn without_constants(&mut self, root: NodeId, file: FileId, scope: InstanceId) -> NodeId {
        let section = self.tree.get_text(root, "Constants");
        if section.is_none() && !self.sources.text(file).contains("Const") {
            return root;
        }
        let mut constants = Constants { values: IdMap::default(), section, in_plain: true, scope };
        if let Some(section) = section {
            if self.tree.kind(section) != Kind::Map {
                let message = "Constants is not a mapping of names to values";
                let help = "write `Constants: {Name: value}`";
                self.report(scope, self.error(codes::CONSTANT, section, message, help));
            }
            for entry in self.tree.entries(section).collect::<Vec<_>>() {
                let value = self.with_constants(entry.value, &constants);
                constants.values.insert(self.tree.symbol(entry.key), value);
            }
        }
        constants.in_plain = false;
        let sections = self.tree.children(root).into_iter();
        let replaced = |value| if Some(value) == section { value } else { self.with_constants(value, &constants) };
        let made: Vec<NodeId> = sections.map(replaced).collect();
        self.tree.with_children(root, &made, FrameId::NONE)
    }

    fn with_constants(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        let (variables, frame, scope) = (Variables::Constants(constants), FrameId::NONE, constants.scope);
        self.with_variables(node, &Substitution { variables, frame, scope, shadowed: Shadowed::default() })
    }
}
