//! The rows of a container, with cells for its items and for passing edges.

use super::tree::Passage;

/// Returns the port of an edge in an item that is a container, from its cell, the edge, and whether it is the lower
/// item.
pub(super) type Port<'p> = dyn Fn(Cell, usize, bool) -> Option<i64> + 'p;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Item(usize),
    Edge(usize),
}

/// A piece of an edge between a row and the next one: the number of the edge, and the indexes of the cells before they
/// were ordered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) edge: usize,
    pub(super) upper: usize,
    pub(super) lower: usize,
}

/// Rows of cells. The first and the last row are the upper and the lower side of the container, with edges only.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) cells: Vec<Vec<Cell>>,
    pub(super) links: Vec<Vec<Link>>,
}

impl Rows {
    /// Creates the rows; `row_of` has the row of each item, from 1.
    pub(super) fn new(row_of: &[usize], passages: &[(usize, Passage)]) -> Rows {
        let rows = row_of.iter().copied().max().unwrap_or(0);
        let mut cells = vec![Vec::new(); rows + 2];
        let mut index_of = vec![0; row_of.len()];
        for (item, &row) in row_of.iter().enumerate() {
            index_of[item] = cells[row].len();
            cells[row].push(Cell::Item(item));
        }
        let mut all = Rows { cells, links: vec![Vec::new(); rows + 1] };
        for &(edge, passage) in passages {
            let (from, to) = match passage {
                Passage::Between(upper, lower) => {
                    ((row_of[upper], Some(index_of[upper])), (row_of[lower], Some(index_of[lower])))
                }
                Passage::FromTop(item) => ((0, None), (row_of[item], Some(index_of[item]))),
                Passage::ToBottom(item) => ((row_of[item], Some(index_of[item])), (rows + 1, None)),
            };
            let mut cell = |row: usize| {
                all.cells[row].push(Cell::Edge(edge));
                all.cells[row].len() - 1
            };
            let mut upper = from.1.unwrap_or_else(|| cell(from.0));
            for row in from.0 + 1..=to.0 {
                let lower = if row == to.0 { to.1.unwrap_or_else(|| cell(row)) } else { cell(row) };
                all.links[row - 1].push(Link { edge, upper, lower });
                upper = lower;
            }
        }
        all
    }
}
