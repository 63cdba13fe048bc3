//! Constants among the sources of a value (reference/provenance.md#origins): the meaning of a reference was recorded
//! when it was replaced, and is looked up by the authored reference.

use formwork_modules::UsedConstant;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId};
use formwork_template::sub_string::{self, Part};

use crate::origin::Source;
use crate::session::Session;

impl<'x> Session<'x, '_> {
    /// Returns the constants that an authored reference or string uses, in order.
    pub(crate) fn constants(&self, node: NodeId) -> &'x [UsedConstant] {
        self.linked.and_then(|linked| linked.constants.get(&node)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn without_constants(&self, node: NodeId) -> NodeId {
        self.linked.and_then(|linked| linked.replaced.get(&node)).copied().unwrap_or(node)
    }

    /// Adds the constants of an authored string and of their definitions, with the loop items and the template
    /// parameters that both refer to.
    pub(crate) fn text_words(&self, text: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        let tree = self.tree();
        let words = tree.text(text);
        self.loop_words(words, frame, out);
        let mut constants = self.constants(text).iter();
        for part in sub_string::parts(words) {
            let Part::Variable(name) = part else { continue };
            if !is_constant(name) {
                self.root_parameter(text, name, out);
            } else if let Some(used) = constants.next() {
                out.push(self.inserted_source(&used.inserted));
                self.definition_words(used.inserted.value, frame, out);
            }
        }
    }

    /// Like [`Session::text_words`], for the definition of a constant that was inserted into a string.
    pub(crate) fn definition_words(&self, value: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        let tree = self.tree();
        let definition = tree.authored(value);
        let text = tree.argument_of(definition, Known::Sub).unwrap_or(definition);
        if tree.kind(text) == Kind::String {
            self.text_words(text, frame, out);
        }
    }
}

pub(crate) fn is_constant(variable: &str) -> bool {
    variable.trim().starts_with("Const::")
}
