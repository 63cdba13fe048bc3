//! Which export an import means.

use rustc_hash::FxHashMap;

use crate::cycles;
use crate::link::{Certainty, Link};
use crate::name::Name;
use crate::template::{Export, Import, Kind, Template};

/// The links between templates.
#[derive(Clone, Debug)]
pub struct Links<'t> {
    templates: &'t [Template],
    found: Vec<Link>,
    /// Imports that lead to no template, as number of the template and of the import.
    outside: Vec<(usize, usize)>,
}

/// The most pairs of names that are compared letter by letter; behind that an import is not judged.
const MOST_PAIRS: usize = 4_000_000;

/// The most links that are kept.
const MOST_LINKS: usize = 100_000;

/// Exports of one kind.
#[derive(Default)]
struct Exports<'t> {
    known: FxHashMap<&'t str, Vec<(usize, usize)>>,
    patterns: Vec<(usize, usize, &'t Name)>,
    /// Those with a known name, for imports with a pattern.
    all: Vec<(usize, usize, &'t Name)>,
}

impl<'t> Links<'t> {
    /// Finds the links between templates.
    pub fn of(templates: &'t [Template]) -> Links<'t> {
        let mut exports: FxHashMap<Kind, Exports<'t>> = FxHashMap::default();
        for (number, template) in templates.iter().enumerate() {
            for (at, export) in template.exports.iter().enumerate() {
                let of_kind = exports.entry(export.kind).or_default();
                match export.name.text() {
                    Some(text) => {
                        of_kind.known.entry(text).or_default().push((number, at));
                        of_kind.all.push((number, at, &export.name));
                    }
                    None => of_kind.patterns.push((number, at, &export.name)),
                }
            }
        }
        let (mut links, mut outside, mut left) = (Vec::new(), Vec::new(), MOST_PAIRS);
        for (from, template) in templates.iter().enumerate() {
            for (import, wanted) in template.imports.iter().enumerate() {
                let Some(of_kind) = exports.get(&wanted.kind) else {
                    outside.push((from, import));
                    continue;
                };
                let before = links.len();
                let found = of_kind.of(&wanted.name, &mut left);
                for (to, export, certainty) in found.into_iter().flatten() {
                    let is_beside = templates.get(to).is_some_and(|other| template.may_be_beside(other));
                    if to != from && is_beside && links.len() < MOST_LINKS {
                        links.push(Link { from, import, to, export, certainty });
                    }
                }
                if links.len() == before && left > 0 && links.len() < MOST_LINKS {
                    outside.push((from, import));
                }
            }
        }
        Links { templates, found: links, outside }
    }

    /// Returns the links, by the template that imports.
    pub fn links(&self) -> &[Link] {
        &self.found
    }

    /// Returns the imports that lead to no template, as number of the template and of the import.
    pub fn outside(&self) -> &[(usize, usize)] {
        &self.outside
    }

    /// Returns the import and the export of a link.
    pub fn ends(&self, link: &Link) -> Option<(&'t Import, &'t Export)> {
        let import = self.templates.get(link.from)?.imports.get(link.import)?;
        Some((import, self.templates.get(link.to)?.exports.get(link.export)?))
    }

    /// Returns the ways along strong and certain links that lead back to their beginning, each once.
    pub fn cycles(&self) -> Vec<Vec<Link>> {
        cycles::cycles(self.templates.len(), &self.strong())
    }

    /// Returns the templates in the order of their deployments: those of one list may run in parallel. Templates of a
    /// cycle, and those behind it, are in none.
    pub fn order(&self) -> Vec<Vec<usize>> {
        cycles::order(self.templates.len(), &self.found)
    }

    fn strong(&self) -> Vec<Link> {
        let is_strong = |link: &&Link| {
            link.certainty == Certainty::Same && self.ends(link).is_some_and(|(import, _)| import.kind == Kind::Export)
        };
        self.found.iter().filter(is_strong).copied().collect()
    }
}

impl Exports<'_> {
    /// Returns the exports that a name may mean; `None` when it is not judged.
    fn of(&self, name: &Name, left: &mut usize) -> Option<Vec<(usize, usize, Certainty)>> {
        if let Some(same) = name.text().and_then(|text| self.known.get(text)) {
            return Some(same.iter().map(|&(to, export)| (to, export, Certainty::Same)).collect());
        }
        let others = if name.text().is_some() { &[][..] } else { &self.all };
        let count = self.patterns.len() + others.len();
        *left = left.saturating_sub(count);
        if *left == 0 {
            return None;
        }
        let certainty = |other: &Name| match other {
            other if other.is_same(name) => Some(Certainty::Same),
            other => other.may_be(name).then_some(Certainty::Possible),
        };
        let candidates = self.patterns.iter().chain(others);
        let mut found: Vec<_> =
            candidates.filter_map(|&(to, export, other)| Some((to, export, certainty(other)?))).collect();
        // The same name is meant, whatever else is possible.
        if found.iter().any(|(.., certainty)| *certainty == Certainty::Same) {
            found.retain(|(.., certainty)| *certainty == Certainty::Same);
        }
        Some(found)
    }
}
