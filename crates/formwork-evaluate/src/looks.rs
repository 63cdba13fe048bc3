//! Names that an evaluation looked at.

use formwork_base::IdSet;
use formwork_syntax::Symbol;

/// Distinct names in the order in which they were first looked at.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    names: Vec<Symbol>,
    known: IdSet<Symbol>,
}

impl Looks {
    /// Adds a name unless it is contained.
    pub fn add(&mut self, name: Symbol) {
        if self.known.insert(name) {
            self.names.push(name);
        }
    }

    /// Removes all names.
    pub fn clear(&mut self) {
        *self = Looks::default();
    }
}

impl IntoIterator for Looks {
    type Item = Symbol;
    type IntoIter = std::vec::IntoIter<Symbol>;

    fn into_iter(self) -> Self::IntoIter {
        self.names.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use formwork_syntax::Tree;

    use super::*;

    #[test]
    fn each_name_is_reported_once_in_order() {
        let (mut tree, mut looks) = (Tree::new(), Looks::default());
        let names: Vec<Symbol> = (0..100_000).map(|number| tree.intern(&number.to_string())).collect();
        for name in names.iter().chain(names.iter().rev()) {
            looks.add(*name);
        }
        assert_eq!(looks.clone().into_iter().collect::<Vec<_>>(), names);
        looks.clear();
        looks.add(names[7]);
        assert_eq!(looks.into_iter().collect::<Vec<_>>(), [names[7]]);
    }
}
