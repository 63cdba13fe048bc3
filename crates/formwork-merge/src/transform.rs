//! The union of `Transform`.

use formwork_syntax::{Entry, Kind, NodeId};
use formwork_template::template::{LANGUAGE_EXTENSIONS, SERVERLESS};

use crate::equal::is_equal;
use crate::merger::Merger;

impl Merger<'_> {
    /// Returns the transforms of all files, each once, in the order in which CloudFormation accepts them: the language
    /// extensions before the serverless transform.
    pub(crate) fn transforms(&mut self, first: Entry, found: &[Entry]) -> NodeId {
        let first = first.value;
        let mut all: Vec<NodeId> = Vec::new();
        for section in found {
            self.add_part(section.key, section.value);
            let items = match self.tree.kind(section.value) {
                Kind::List => self.tree.items(section.value).to_vec(),
                Kind::Null => Vec::new(),
                _ => vec![section.value],
            };
            for item in items {
                if !all.iter().any(|&known| is_equal(self.tree, known, item)) {
                    all.push(item);
                }
            }
        }
        let place = |name: &str| all.iter().position(|&item| self.tree.string(item) == Some(name));
        if let (Some(serverless), Some(extensions)) = (place(SERVERLESS), place(LANGUAGE_EXTENSIONS))
            && serverless < extensions
        {
            let moved = all.remove(extensions);
            all.insert(serverless, moved);
        }
        let own = if self.tree.kind(first) == Kind::List { self.tree.items(first) } else { &[first] };
        if own == all { first } else { self.new_list(&all, first) }
    }
}
