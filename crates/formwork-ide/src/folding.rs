//! Folding ranges.

use formwork::query::FileIndex;
use formwork::tree::{Kind, Style};
use formwork::{NodeId, VirtualPath};

use crate::Ide;

/// The kind of a fold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FoldKind {
    /// A collection or a block scalar.
    Text,
    /// A run of comments.
    Comment,
    /// From `# region` to `# endregion`.
    Region,
}

/// Lines that can be folded, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fold {
    /// The line that stays visible.
    pub start: u32,
    /// The line of the last token.
    pub end: u32,
    /// The kind.
    pub kind: FoldKind,
}

/// Returns the folds of a file, by lines.
pub fn folding(ide: &Ide<'_>, file: &VirtualPath) -> Vec<Fold> {
    ide.file(file).map_or_else(Vec::new, folds)
}

/// Returns the folds of a single indexed file.
pub fn folds(index: &FileIndex) -> Vec<Fold> {
    let mut folds = comments(index.text());
    if let Some(root) = index.root() {
        let mut walk = Walk { index, folds: Vec::new() };
        walk.node(root, None);
        folds.append(&mut walk.folds);
    }
    folds.sort_unstable();
    folds.dedup();
    folds
}

struct Walk<'i> {
    index: &'i FileIndex,
    folds: Vec<Fold>,
}

impl Walk<'_> {
    /// Adds the folds of a node, whose first line is that of its key, and returns the offset after its last byte.
    fn node(&mut self, node: NodeId, key: Option<u32>) -> u32 {
        let tree = self.index.tree();
        let own = self.index.range_of(tree.site(node));
        if tree.is_alias(node) || own.is_empty() && !tree.is_collection(node) {
            return own.end;
        }
        let start = key.unwrap_or(own.start);
        let mut end = if tree.style(node) == Style::Plain && tree.is_collection(node) { 0 } else { own.end };
        match tree.kind(node) {
            Kind::List => {
                for &item in tree.items(node) {
                    end = end.max(self.node(item, None));
                }
            }
            Kind::Map => {
                for entry in tree.entries(node).collect::<Vec<_>>() {
                    let key = self.index.range_of(tree.span(entry.key));
                    end = end.max(key.end).max(self.node(entry.value, Some(key.start)));
                }
            }
            Kind::Call => end = end.max(self.node(tree.call(node).1, Some(own.start))),
            _ => end = own.end,
        }
        let end = self.trimmed(end);
        let lines = self.index.lines();
        let (first, last) = (lines.line(start), lines.line(end.saturating_sub(1).max(start)));
        // A block that is the whole document has no line of its own.
        let is_document = Some(node) == self.index.root() && tree.style(node) == Style::Plain;
        if first < last && !is_document {
            self.folds.push(Fold { start: first, end: last, kind: FoldKind::Text });
        }
        end
    }

    fn trimmed(&self, end: u32) -> u32 {
        let text = self.index.text().get(..end as usize).unwrap_or_default();
        text.trim_end().len() as u32
    }
}

/// Runs of at least two lines of comments, and regions.
fn comments(text: &str) -> Vec<Fold> {
    let (mut folds, mut run, mut regions) = (Vec::new(), None, Vec::new());
    for (number, line) in text.lines().chain([""]).enumerate() {
        let (number, line) = (number as u32, line.trim_start());
        let word = line.strip_prefix('#').map(str::trim_start);
        match word {
            Some(word) if word.starts_with("region") => regions.push(number),
            Some(word) if word.starts_with("endregion") => {
                let start = regions.pop();
                folds.extend(start.map(|start| Fold { start, end: number, kind: FoldKind::Region }));
            }
            Some(_) => {
                run.get_or_insert(number);
                continue;
            }
            None => {}
        }
        if let Some(start) = run.take().filter(|start| start + 1 < number) {
            folds.push(Fold { start, end: number - 1, kind: FoldKind::Comment });
        }
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_regions() {
        let folds = comments("# a\n# b\nx: 1\n# region r\ny: 2\n# endregion\n# alone\n");
        let shown: Vec<_> = folds.iter().map(|fold| (fold.start, fold.end, fold.kind)).collect();
        assert_eq!(shown, [(0, 1, FoldKind::Comment), (3, 5, FoldKind::Region)]);
    }
}
