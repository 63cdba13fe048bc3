//! The order in which changed stacks are deployed.

use std::collections::BTreeSet;

use crate::cycles;
use crate::link::Link;
use crate::links::Links;
use crate::template::Template;

/// An order of stacks, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// Each list depends on those before it alone: its stacks may be deployed in parallel.
    pub groups: Vec<Vec<usize>>,
    /// Stacks that need each other, and those that need them.
    pub left: Vec<usize>,
}

/// Returns the order in which stacks are deployed that were `old` and become `new`, both by the same numbers. A stack
/// comes behind those whose names it imports; a stack that ends an export comes behind those that stop to import it.
pub fn order_of_changes(old: &[Template], new: &[Template]) -> Order {
    let now = Links::of(new);
    let (before, pairs) = (Links::of(old), pairs(now.links()));
    let mut links = now.links().to_vec();
    let is_kept = |link: &Link| {
        let export = old.get(link.to).and_then(|template| template.exports.get(link.export));
        let exports = new.get(link.to).map(|template| template.exports.as_slice()).unwrap_or_default();
        export.is_some_and(|export| exports.iter().any(|one| one.kind == export.kind && one.name == export.name))
    };
    // The importer comes first.
    let ended = before.links().iter().filter(|link| !pairs.contains(&(link.from, link.to)) && !is_kept(link));
    links.extend(ended.map(|link| Link { from: link.to, to: link.from, ..*link }));
    let groups = cycles::order(new.len(), &links);
    let placed: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    let left = (0..new.len()).filter(|at| !placed.contains(at)).collect();
    Order { groups, left }
}

fn pairs(links: &[Link]) -> BTreeSet<(usize, usize)> {
    links.iter().map(|link| (link.from, link.to)).collect()
}

#[cfg(test)]
mod tests {
    use formwork_base::Span;

    use super::*;
    use crate::{Export, Import, Kind, Name};

    fn template(exports: &[&str], imports: &[&str]) -> Template {
        let (span, file) = (Span::NONE, String::new());
        let export = |name: &&str| Export {
            kind: Kind::Export,
            name: Name::known(name),
            owner: (*name).to_owned(),
            value: String::new(),
            span,
            file: file.clone(),
            line: 1,
            is_conditional: false,
            is_joined: false,
        };
        let import = |name: &&str| Import {
            kind: Kind::Export,
            name: Name::known(name),
            span,
            file: file.clone(),
            line: 1,
            is_item: false,
        };
        Template {
            exports: exports.iter().map(export).collect(),
            imports: imports.iter().map(import).collect(),
            ..Template::default()
        }
    }

    #[test]
    fn an_importer_comes_behind_a_new_export_and_before_a_removed_one() {
        let (network, app) = (template(&["vpc"], &[]), template(&[], &["vpc"]));
        let (bare, alone) = (template(&[], &[]), template(&[], &[]));
        let of = |old: [&Template; 2], new: [&Template; 2]| {
            order_of_changes(&old.map(Clone::clone), &new.map(Clone::clone)).groups
        };
        assert_eq!(of([&bare, &alone], [&network, &app]), [[0], [1]]);
        assert_eq!(of([&network, &app], [&bare, &alone]), [[1], [0]]);
        assert_eq!(of([&network, &app], [&network, &alone]), [vec![0, 1]]);
    }

    #[test]
    fn stacks_that_need_each_other_are_left() {
        let (one, other) = (template(&["a"], &["b"]), template(&["b"], &["a"]));
        let order = order_of_changes(&[], &[one, other, template(&[], &[])]);
        assert_eq!(order, Order { groups: vec![vec![2]], left: vec![0, 1] });
    }
}
