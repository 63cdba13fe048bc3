//! The order of cells in their rows: few crossings.

use super::rows::{Link, Rows};

/// How often the rows are passed down and up.
const SWEEPS: usize = 24;
/// The same for graphs of many cells.
const FEW_SWEEPS: usize = 8;
/// More cells are many.
const MANY: usize = 1_200;
/// After so many passes that do not help no more is tried.
const PATIENCE: usize = 6;

/// Orders each row; returns the cells of each row as indexes, from left to right.
pub(super) fn order(rows: &Rows) -> Vec<Vec<usize>> {
    let written: Vec<Vec<usize>> = rows.cells.iter().map(|row| (0..row.len()).collect()).collect();
    let is_large = written.iter().map(Vec::len).sum::<usize>() > MANY;
    let effort = if is_large { (FEW_SWEEPS, 1) } else { (SWEEPS, SWAPS) };
    let mut best = swept(rows, written, effort);
    if best.0 > 0 && !is_large {
        let other = swept(rows, followed(rows), effort);
        if other.0 < best.0 {
            best = other;
        }
    }
    best.1
}

/// The best order that passes from this one find, and its crossings: how many passes, and how often neighbours are swapped
/// in each.
fn swept(rows: &Rows, mut current: Vec<Vec<usize>>, (sweeps, swaps): (usize, usize)) -> (u64, Vec<Vec<usize>>) {
    let mut best = (crossings(rows, &current), current.clone());
    let mut idle = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || idle == PATIENCE {
            break;
        }
        if sweep % 2 == 0 {
            for row in 1..current.len() {
                let links = rows.links[row - 1].iter().map(|link| (link.upper, link.lower));
                sort(&mut current, row - 1, row, links, sweep % 4 < 2);
            }
        } else {
            for row in (0..current.len() - 1).rev() {
                let links = rows.links[row].iter().map(|link| (link.lower, link.upper));
                sort(&mut current, row + 1, row, links, sweep % 4 < 2);
            }
        }
        for _ in 0..swaps {
            if !swap_neighbours(rows, &mut current) {
                break;
            }
        }
        let count = crossings(rows, &current);
        idle += 1;
        if count < best.0 {
            best = (count, current.clone());
            idle = 0;
        }
    }
    best
}

/// The order in which cells are met when links are followed down from the first row on.
fn followed(rows: &Rows) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<Vec<usize>>> = rows.cells.iter().map(|row| vec![Vec::new(); row.len()]).collect();
    for (row, links) in rows.links.iter().enumerate() {
        for link in links {
            below[row][link.upper].push(link.lower);
        }
    }
    let mut seen: Vec<Vec<bool>> = rows.cells.iter().map(|row| vec![false; row.len()]).collect();
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); rows.cells.len()];
    let mut pending = Vec::new();
    for (row, cells) in rows.cells.iter().enumerate() {
        for cell in 0..cells.len() {
            pending.push((row, cell));
            while let Some((row, cell)) = pending.pop() {
                if std::mem::replace(&mut seen[row][cell], true) {
                    continue;
                }
                order[row].push(cell);
                pending.extend(below[row][cell].iter().rev().map(|&lower| (row + 1, lower)));
            }
        }
    }
    order
}

fn positions(row: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; row.len()];
    for (position, &cell) in row.iter().enumerate() {
        positions[cell] = position;
    }
    positions
}

/// Sorts a row by the mean position of what its cells are linked to in the row that stays.
/// Among equals the later one is in front if `is_reversed`, so that passes do not repeat each other.
fn sort(
    current: &mut [Vec<usize>],
    fixed: usize,
    row: usize,
    links: impl Iterator<Item = (usize, usize)>,
    is_reversed: bool,
) {
    let there = positions(&current[fixed]);
    let mut sums = vec![(0_u64, 0_u64); current[row].len()];
    for (other, cell) in links {
        sums[cell].0 += there[other] as u64;
        sums[cell].1 += 1;
    }
    let own = positions(&current[row]);
    // A cell without links stays where it is. Means are compared as fractions of 2^16.
    let key = |cell: usize| match sums[cell] {
        (_, 0) => (own[cell] as u64) << 16,
        (sum, count) => (sum << 16) / count,
    };
    let tie = |cell: usize| if is_reversed { own.len() - own[cell] } else { own[cell] };
    current[row].sort_by_key(|&cell| (key(cell), tie(cell)));
}

/// Longest row in which neighbours are swapped.
const SWAPPED: usize = 120;

/// How often all rows are looked at for neighbours to swap.
const SWAPS: usize = 4;

/// Swaps neighbours where that saves crossings; returns whether it did.
fn swap_neighbours(rows: &Rows, current: &mut [Vec<usize>]) -> bool {
    let mut has_swapped = false;
    for row in 0..current.len() {
        if current[row].len() > SWAPPED {
            continue;
        }
        let above = row.checked_sub(1).map(|above| {
            ends(&rows.links[above], &positions(&current[above]), current[row].len(), |link| (link.lower, link.upper))
        });
        let below = rows.links.get(row).map(|links| {
            ends(links, &positions(&current[row + 1]), current[row].len(), |link| (link.upper, link.lower))
        });
        for at in 1..current[row].len() {
            let (left, right) = (current[row][at - 1], current[row][at]);
            let saved = |sides: &Option<Vec<Vec<usize>>>| -> i64 {
                sides
                    .as_ref()
                    .map_or(0, |ends| inversions(&ends[left], &ends[right]) - inversions(&ends[right], &ends[left]))
            };
            if saved(&above) + saved(&below) > 0 {
                current[row].swap(at - 1, at);
                has_swapped = true;
            }
        }
    }
    has_swapped
}

/// The positions that the links of each cell lead to.
fn ends(links: &[Link], there: &[usize], count: usize, of: impl Fn(&Link) -> (usize, usize)) -> Vec<Vec<usize>> {
    let mut ends = vec![Vec::new(); count];
    for link in links {
        let (cell, other) = of(link);
        ends[cell].push(there[other]);
    }
    ends
}

/// How often a link of the left cell ends right of one of the right cell.
fn inversions(left: &[usize], right: &[usize]) -> i64 {
    left.iter().map(|a| right.iter().filter(|b| a > b).count() as i64).sum()
}

/// How many pairs of links cross.
fn crossings(rows: &Rows, current: &[Vec<usize>]) -> u64 {
    let mut count = 0;
    for (row, links) in rows.links.iter().enumerate() {
        let (upper, lower) = (positions(&current[row]), positions(&current[row + 1]));
        let mut ends: Vec<(usize, usize)> = links.iter().map(|link| (upper[link.upper], lower[link.lower])).collect();
        ends.sort_unstable();
        // How many of those before end further right: a tree of counts.
        let mut tree = vec![0_u64; lower.len() + 1];
        for (seen, &(_, end)) in ends.iter().enumerate() {
            let mut not_right = 0;
            let mut at = end + 1;
            while at > 0 {
                not_right += tree[at];
                at &= at - 1;
            }
            count += seen as u64 - not_right;
            let mut at = end + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    count
}
