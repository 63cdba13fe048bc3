//! Folds a long rank into several rows without an additional crossing.

use super::far::Far;
use super::order::order;
use super::ranks::ranks;
use super::rows::{Cell, Port, Rows};
use super::tree::Passage;

/// Maximum number of boxes in a row.
const ROW: usize = 24;

/// Returns the rows of a container, and the cells of each row, as indexes, from left to right.
///
/// Items are assigned to ranks, the ranks are ordered for few crossings, and a rank of more than [`ROW`] items becomes
/// several rows: its items go to them in turn, and edges pass at the position of their item in the order of the whole
/// rank.
pub(super) fn ordered(
    count: usize,
    passages: &[(usize, Passage)],
    far: &Far<'_>,
    port: &Port<'_>,
) -> (Rows, Vec<Vec<usize>>) {
    let row_of = rows_of(count, passages);
    let rows = Rows::new(&row_of, passages);
    let order = order(&rows, far, port);
    let counts = |row: usize| rows.cells[row].iter().filter(|cell| matches!(cell, Cell::Item(_))).count();
    let side = side(count, passages);
    // The number of rows of each rank, and its first row.
    let parts: Vec<usize> = (0..rows.cells.len()).map(|row| counts(row).div_ceil(side).max(1)).collect();
    if parts.iter().all(|parts| *parts == 1) {
        return (rows, order);
    }
    let mut firsts = Vec::with_capacity(parts.len());
    let mut next = 0;
    for parts in &parts {
        firsts.push(next);
        next += parts;
    }
    // The position of each item, and of each passing edge, in the order of its rank.
    let mut new_row_of = vec![0; count];
    let mut item_position = vec![0; count];
    let mut passing: rustc_hash::FxHashMap<(usize, usize), usize> = rustc_hash::FxHashMap::default();
    for (row, cells) in order.iter().enumerate() {
        let mut turn = 0;
        for (position, &cell) in cells.iter().enumerate() {
            match rows.cells[row][cell] {
                Cell::Item(item) => {
                    new_row_of[item] = firsts[row] + turn % parts[row];
                    item_position[item] = position;
                    turn += 1;
                }
                Cell::Edge(edge) => {
                    passing.insert((row, edge), position);
                }
            }
        }
    }
    let folded = Rows::new(&new_row_of, passages);
    let ends = ends(passages);
    // The position of an edge in a rank: that of its item, or its own where it passes.
    let position = |rank: usize, edge: usize| {
        let (upper, lower) = ends.get(&edge).copied().unwrap_or_default();
        let at_end = [upper, lower].into_iter().flatten().find(|&item| row_of[item] == rank);
        at_end.map(|item| item_position[item]).or_else(|| passing.get(&(rank, edge)).copied()).unwrap_or(0)
    };
    let mut new_order = Vec::with_capacity(next);
    for (rank, (&first, &parts)) in firsts.iter().zip(&parts).enumerate() {
        for row in first..first + parts {
            let key = |cell: usize| match folded.cells[row][cell] {
                Cell::Item(item) => (item_position[item], 0),
                Cell::Edge(edge) => {
                    // Edges of one item are in the order of their other ends, above or below.
                    let (upper, lower) = ends.get(&edge).copied().unwrap_or_default();
                    let beyond = if upper.is_some_and(|item| row_of[item] == rank) {
                        position(rank + 1, edge)
                    } else if lower.is_some_and(|item| row_of[item] == rank) {
                        position(rank - 1, edge)
                    } else {
                        0
                    };
                    (position(rank, edge), beyond)
                }
            };
            let mut cells: Vec<usize> = (0..folded.cells[row].len()).collect();
            cells.sort_by_key(|&cell| key(cell));
            new_order.push(cells);
        }
    }
    (folded, new_order)
}

/// Returns the maximum number of items of a row. Items without edges would be one long row: they form a square.
fn side(count: usize, passages: &[(usize, Passage)]) -> usize {
    let side = if passages.is_empty() { count.isqrt() + usize::from(count.isqrt().pow(2) < count) } else { ROW };
    side.clamp(1, ROW)
}

/// Returns the items at the upper and the lower end of each edge, as far as they are in the container.
fn ends(passages: &[(usize, Passage)]) -> rustc_hash::FxHashMap<usize, (Option<usize>, Option<usize>)> {
    let ends = passages.iter().map(|&(edge, passage)| match passage {
        Passage::Between(upper, lower) => (edge, (Some(upper), Some(lower))),
        Passage::FromTop(item) => (edge, (None, Some(item))),
        Passage::ToBottom(item) => (edge, (Some(item), None)),
    });
    ends.collect()
}

/// Returns the row of each item, from 1: its rank; items without any edge are below all others.
fn rows_of(count: usize, passages: &[(usize, Passage)]) -> Vec<usize> {
    let mut edges = Vec::with_capacity(passages.len());
    let mut is_linked = vec![false; count];
    for (_, passage) in passages {
        match *passage {
            Passage::Between(upper, lower) => {
                edges.push((upper, lower));
                is_linked[upper] = true;
                is_linked[lower] = true;
            }
            Passage::FromTop(item) | Passage::ToBottom(item) => is_linked[item] = true,
        }
    }
    let ranks = ranks(count, &edges);
    let below = ranks.iter().zip(&is_linked).filter(|(_, linked)| **linked).map(|(rank, _)| rank + 2).max();
    ranks.iter().zip(&is_linked).map(|(rank, linked)| if *linked { rank + 1 } else { below.unwrap_or(1) }).collect()
}
