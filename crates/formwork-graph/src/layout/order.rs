//! The order of cells in their rows: few crossings.

use super::rows::{Link, Rows};

/// How often the rows are passed down and up.
const SWEEPS: usize = 8;

/// Orders each row; returns the cells of each row as indexes, from left to right.
pub(super) fn order(rows: &Rows) -> Vec<Vec<usize>> {
    let mut current: Vec<Vec<usize>> = rows.cells.iter().map(|row| (0..row.len()).collect()).collect();
    let mut best = (crossings(rows, &current), current.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        if sweep % 2 == 0 {
            for row in 1..current.len() {
                let links = rows.links[row - 1].iter().map(|link| (link.upper, link.lower));
                sort(&mut current, row - 1, row, links);
            }
        } else {
            for row in (0..current.len() - 1).rev() {
                let links = rows.links[row].iter().map(|link| (link.lower, link.upper));
                sort(&mut current, row + 1, row, links);
            }
        }
        swap_neighbours(rows, &mut current);
        let count = crossings(rows, &current);
        if count < best.0 {
            best = (count, current.clone());
        }
    }
    best.1
}

fn positions(row: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; row.len()];
    for (position, &cell) in row.iter().enumerate() {
        positions[cell] = position;
    }
    positions
}

/// Sorts a row by the mean position of what its cells are linked to in the row that stays.
fn sort(current: &mut [Vec<usize>], fixed: usize, row: usize, links: impl Iterator<Item = (usize, usize)>) {
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
    current[row].sort_by_key(|&cell| (key(cell), own[cell]));
}

/// Longest row in which neighbours are swapped.
const SWAPPED: usize = 120;

/// Swaps neighbours as long as that saves crossings.
fn swap_neighbours(rows: &Rows, current: &mut [Vec<usize>]) {
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
            }
        }
    }
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
