//! Orders the cells in their rows for few crossings.
//!
//! Layer by layer: rows are sorted by the linked cells in the row before (mean and median of their positions), down and
//! up in turn, and neighbours are swapped where that helps (Gansner et al., 1993). Several initial orders are tried,
//! and the best result is taken. The work is limited by counted steps: the same graph has the same picture everywhere.

use super::far::Far;
use super::rows::{Cell, Link, Port, Rows};

/// Number of passes over the rows for one initial order, half of them down and half of them up.
const SWEEPS: usize = 40;
/// Number of passes without an improvement after which the next initial order is tried.
const PATIENCE: usize = 8;
/// Maximum number of rounds of swaps after a pass.
const SWAPS: usize = 6;
/// Maximum number of cells and links that are visited before the best order so far is taken.
const WORK: usize = 800_000;

type Order = Vec<Vec<usize>>;

/// Orders each row; returns the cells of each row as indexes, from left to right.
pub(super) fn order(rows: &Rows, far: &Far<'_>, port: &Port<'_>) -> Order {
    let links = Links::new(rows, far, port);
    let mut work = Work { done: 0, pass: links.size };
    let mut best = (links.crossings(&links.written), links.written.clone());
    for start in 0..4 {
        if best.0 == 0 || work.is_over() {
            break;
        }
        let first = match start {
            0 => links.followed(false),
            1 => links.followed(true),
            2 => links.written.clone(),
            _ => links.written.iter().map(|row| row.iter().rev().copied().collect()).collect(),
        };
        links.improve(first, &mut best, &mut work);
    }
    // Without the ends beyond the container.
    let mut order = best.1;
    order.pop();
    order.drain(..1);
    order
}

struct Work {
    done: usize,
    /// The cost of visiting all cells and links once.
    pass: usize,
}

impl Work {
    fn pass(&mut self) {
        self.done += self.pass;
    }

    fn is_over(&self) -> bool {
        self.done >= WORK
    }
}

/// An end of a link: the cell, and the position on it, for cells that are containers.
type End = (usize, u64);

/// Number of bits for the position on a cell, below those of the position of the cell.
const PLACE: u32 = 20;

/// The other ends of the links of each cell of a row, one list after the other.
#[derive(Default)]
struct Lists {
    /// The beginning of each list, and the end of the last one.
    starts: Vec<usize>,
    all: Vec<End>,
    /// The positions of the links on the cell itself.
    own: Vec<u64>,
}

impl Lists {
    fn new(count: usize, pairs: impl Iterator<Item = (End, End)> + Clone) -> Lists {
        let mut starts = vec![0; count + 1];
        for ((cell, _), _) in pairs.clone() {
            starts[cell + 1] += 1;
        }
        for cell in 0..count {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let (mut all, mut own) = (vec![(0, 0); starts[count]], vec![0; starts[count]]);
        for ((cell, place), other) in pairs {
            all[next[cell]] = other;
            own[next[cell]] = place;
            next[cell] += 1;
        }
        Lists { starts, all, own }
    }

    fn range(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell]..self.starts[cell + 1]
    }

    fn cells(&self, cell: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.all[self.range(cell)].iter().map(|(other, _)| *other)
    }

    /// Returns the positions of the other ends, each list sorted.
    fn positions(&self, there: &[u64], into: &mut Vec<u64>) {
        into.clear();
        into.extend(self.all.iter().map(|&(other, place)| there[other] | place));
        for pair in self.starts.windows(2) {
            if pair[1] - pair[0] > 1 {
                into[pair[0]..pair[1]].sort_unstable();
            }
        }
    }
}

struct Links {
    above: Vec<Lists>,
    below: Vec<Lists>,
    /// The initial order: that of the rows, and that of the ends beyond them.
    written: Order,
    /// Set if the order of the first and the last row is known.
    is_fixed: bool,
    size: usize,
}

impl Links {
    /// Creates the rows of a container, between a row of nodes linked to its upper side and one of nodes linked to its
    /// lower side.
    fn new(rows: &Rows, far: &Far<'_>, port: &Port<'_>) -> Links {
        let ports = |row: Option<&Vec<Cell>>, is_top: bool| {
            let ports = row.into_iter().flatten().enumerate().filter_map(|(cell, kind)| match kind {
                Cell::Edge(edge) => Some((cell, far.node(*edge, is_top))),
                Cell::Item(_) => None,
            });
            let ports: Vec<(usize, usize)> = ports.collect();
            let nodes = far.ordered(ports.iter().map(|(_, node)| *node).collect());
            let place = |node: usize| nodes.iter().position(|known| *known == node).unwrap_or(0);
            (nodes.len(), ports.into_iter().map(|(cell, node)| (cell, place(node))).collect::<Vec<_>>())
        };
        let (first, last) = (ports(rows.cells.first(), true), ports(rows.cells.last(), false));
        let counts: Vec<usize> = [first.0].into_iter().chain(rows.cells.iter().map(Vec::len)).chain([last.0]).collect();
        let place = |row: usize, cell: usize, edge: usize, is_below: bool| {
            let place = port(rows.cells[row][cell], edge, is_below).and_then(|x| u64::try_from(x).ok());
            (cell, place.unwrap_or(0).min((1 << PLACE) - 1))
        };
        let mut gaps: Vec<Vec<(End, End)>> = Vec::with_capacity(counts.len());
        gaps.push(first.1.iter().map(|&(cell, node)| ((node, 0), (cell, 0))).collect());
        gaps.extend(rows.links.iter().enumerate().map(|(row, links)| {
            let pair =
                |link: &Link| (place(row, link.upper, link.edge, false), place(row + 1, link.lower, link.edge, true));
            links.iter().map(pair).collect()
        }));
        gaps.push(last.1.iter().map(|&(cell, node)| ((cell, 0), (node, 0))).collect());
        let none = |count: usize| Lists::new(count, std::iter::empty());
        let (mut above, mut below) = (vec![none(first.0)], Vec::with_capacity(counts.len()));
        for (gap, pair) in gaps.iter().zip(counts.windows(2)) {
            below.push(Lists::new(pair[0], gap.iter().copied()));
            above.push(Lists::new(pair[1], gap.iter().map(|&(upper, lower)| (lower, upper))));
        }
        below.push(none(last.0));
        let size = counts.iter().sum::<usize>() + gaps.iter().map(Vec::len).sum::<usize>();
        let written = counts.iter().map(|count| (0..*count).collect()).collect();
        Links { above, below, written, is_fixed: far.is_known(), size }
    }

    fn free(&self) -> std::ops::Range<usize> {
        let count = self.written.len();
        if self.is_fixed { 1..count - 1 } else { 0..count }
    }

    /// Sorts the rows repeatedly, starting with this order; `best` is the best order so far, and its crossings.
    fn improve(&self, mut current: Order, best: &mut (u64, Order), work: &mut Work) {
        if self.is_fixed {
            for row in [0, current.len() - 1] {
                current[row].clone_from(&self.written[row]);
            }
        }
        let mut idle = 0;
        let mut least = u64::MAX;
        for sweep in 0..SWEEPS {
            if idle == PATIENCE || work.is_over() {
                return;
            }
            let (is_median, is_reversed) = (sweep % 8 >= 4, sweep % 4 < 2);
            let free = self.free();
            let rows: Vec<usize> = if sweep % 2 == 0 {
                (1..current.len()).filter(|row| free.contains(row)).collect()
            } else {
                (0..current.len() - 1).rev().filter(|row| free.contains(row)).collect()
            };
            for row in rows {
                let (fixed, links) =
                    if sweep % 2 == 0 { (row - 1, &self.above[row]) } else { (row + 1, &self.below[row]) };
                let there = positions(&current[fixed]);
                sort(&mut current[row], links, &there, is_median, is_reversed);
            }
            work.pass();
            for _ in 0..SWAPS {
                work.pass();
                if !self.swap_neighbours(&mut current) {
                    break;
                }
            }
            let count = self.crossings(&current);
            idle += 1;
            if count < least {
                least = count;
                idle = 0;
            }
            if count < best.0 {
                *best = (count, current.clone());
            }
            if count == 0 {
                return;
            }
        }
    }

    /// Returns the order in which cells are reached when links are followed from the first row down, or from the last
    /// row up.
    fn followed(&self, is_up: bool) -> Order {
        let mut seen: Vec<Vec<bool>> = self.above.iter().map(|row| vec![false; row.starts.len() - 1]).collect();
        let mut order: Order = vec![Vec::new(); seen.len()];
        let mut pending = Vec::new();
        for step in 0..seen.len() {
            let row = if is_up { seen.len() - 1 - step } else { step };
            for cell in 0..seen[row].len() {
                pending.push((row, cell));
                while let Some((row, cell)) = pending.pop() {
                    if std::mem::replace(&mut seen[row][cell], true) {
                        continue;
                    }
                    order[row].push(cell);
                    if is_up {
                        pending.extend(self.above[row].cells(cell).rev().map(|upper| (row - 1, upper)));
                    } else {
                        pending.extend(self.below[row].cells(cell).rev().map(|lower| (row + 1, lower)));
                    }
                }
            }
        }
        order
    }

    /// Swaps neighbours if that reduces crossings; returns `true` if it did.
    fn swap_neighbours(&self, current: &mut [Vec<usize>]) -> bool {
        let mut has_swapped = false;
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for row in self.free() {
            if current[row].len() < 2 {
                continue;
            }
            let (above, below) = (&self.above[row], &self.below[row]);
            if let Some(other) = row.checked_sub(1) {
                above.positions(&positions(&current[other]), &mut upper);
            }
            if let Some(other) = current.get(row + 1) {
                below.positions(&positions(other), &mut lower);
            }
            for at in 1..current[row].len() {
                let (left, right) = (current[row][at - 1], current[row][at]);
                let of = |lists: &Lists, ends: &[u64]| {
                    let list = |cell: usize| &ends[lists.range(cell)];
                    saved(list(left), list(right))
                };
                if of(above, &upper) + of(below, &lower) > 0 {
                    current[row].swap(at - 1, at);
                    has_swapped = true;
                }
            }
        }
        has_swapped
    }

    fn crossings(&self, current: &[Vec<usize>]) -> u64 {
        let mut count = 0;
        let (mut ends, mut of_cell, mut spare) = (Vec::new(), Vec::new(), Vec::new());
        for (row, pair) in current.windows(2).enumerate() {
            let there = positions(&pair[1]);
            let below = &self.below[row];
            ends.clear();
            for &cell in &pair[0] {
                let range = below.range(cell);
                of_cell.clear();
                let links = below.own[range.clone()].iter().zip(&below.all[range]);
                of_cell.extend(links.map(|(own, &(lower, place))| (*own, there[lower] | place)));
                of_cell.sort_unstable();
                ends.extend(of_cell.iter().map(|(_, end)| *end));
            }
            count += inversions(&mut ends, &mut spare);
        }
        count
    }
}

/// Counts pairs in the wrong order; sorts them (merge sort).
fn inversions(all: &mut [u64], spare: &mut Vec<u64>) -> u64 {
    let mut count = 0;
    let mut width = 1;
    while width < all.len() {
        for part in all.chunks_mut(2 * width).filter(|part| part.len() > width) {
            if part[width - 1] <= part[width] {
                continue;
            }
            spare.clear();
            spare.extend_from_slice(&part[..width]);
            let (mut left, mut right) = (0, width);
            for at in 0..part.len() {
                if left == width {
                    break;
                }
                if right < part.len() && part[right] < spare[left] {
                    part[at] = part[right];
                    right += 1;
                    count += (width - left) as u64;
                } else {
                    part[at] = spare[left];
                    left += 1;
                }
            }
        }
        width *= 2;
    }
    count
}

/// Returns the position of each cell of a row, above the bits of the position on it.
fn positions(row: &[usize]) -> Vec<u64> {
    let mut positions = vec![0; row.len()];
    for (position, &cell) in row.iter().enumerate() {
        positions[cell] = (position as u64) << PLACE;
    }
    positions
}

/// Sorts a row by the mean or the median of the positions that its cells are linked to. Cells without links keep their
/// place; equal ones are reversed if `is_reversed`, so that passes do not repeat each other.
fn sort(row: &mut [usize], links: &Lists, there: &[u64], is_median: bool, is_reversed: bool) {
    let own = positions(row);
    let mut ends = Vec::new();
    links.positions(there, &mut ends);
    let key = |cell: usize| {
        let ends = &ends[links.range(cell)];
        let count = ends.len();
        match count {
            0 => None,
            _ if is_median && count > 2 => Some(u64::midpoint(ends[(count - 1) / 2], ends[count / 2])),
            _ => Some(ends.iter().sum::<u64>() / count as u64),
        }
    };
    let keys: Vec<Option<u64>> = (0..row.len()).map(key).collect();
    let tie = |cell: usize| if is_reversed { u64::MAX - own[cell] } else { own[cell] };
    let mut linked: Vec<usize> = row.iter().copied().filter(|&cell| keys[cell].is_some()).collect();
    linked.sort_by_key(|&cell| (keys[cell], tie(cell)));
    let mut next = linked.into_iter();
    for cell in row.iter_mut().filter(|cell| keys[**cell].is_some()) {
        if let Some(linked) = next.next() {
            *cell = linked;
        }
    }
}

/// Returns the number of crossings that swapping two neighbours saves: pairs of which the left one's link ends right of
/// the right one's, less the opposite pairs.
fn saved(left: &[u64], right: &[u64]) -> i64 {
    let mut saved = 0;
    let (mut less, mut not_more) = (0, 0);
    for a in left {
        while right.get(less).is_some_and(|b| b < a) {
            less += 1;
        }
        while right.get(not_more).is_some_and(|b| b <= a) {
            not_more += 1;
        }
        saved += less as i64 - (right.len() - not_more) as i64;
    }
    saved
}
