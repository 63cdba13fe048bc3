//! Coordinates of the items and of the pieces of edges in a container.

use super::far::Far;
use super::fold::ordered;
use super::rect::LABEL;
use super::rows::{Cell, Link, Port, Rows};
use super::tracks::tracks;
use super::tree::{Item, Tree};

/// The layout of a container, relative to its upper left corner.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) corners: Vec<(i64, i64)>,
    /// The corners of each edge in it, from top to bottom, by the number of the edge.
    pub(super) paths: Vec<(usize, Vec<(i64, i64)>)>,
    /// The positions at which edges enter through the upper side.
    top: Vec<(usize, i64)>,
    /// The positions at which edges leave through the lower side.
    bottom: Vec<(usize, i64)>,
}

/// Space between boxes in a row, and around the content of a container.
const GAP: i64 = 24;
const PASSING: i64 = 10;
/// Space between rows without tracks, half of it above and half of it below them.
const BETWEEN: i64 = 28;
const TRACK: i64 = 8;
/// Number of times that rows are moved towards their neighbours.
const PULLS: usize = 6;

pub(super) fn place(
    tree: &Tree,
    container: usize,
    sizes: &[(i64, i64)],
    placed: &[Placed],
    label: i64,
    far: &Far<'_>,
) -> Placed {
    let items = &tree.items[container];
    let size = |item: usize| match items[item] {
        Item::Node(node) => sizes[node],
        Item::Container(other) => (placed[other].width, placed[other].height),
    };
    let port = |cell: Cell, edge: usize, is_below: bool| {
        let Cell::Item(item) = cell else { return None };
        let Item::Container(other) = items[item] else { return None };
        let ports = if is_below { &placed[other].top } else { &placed[other].bottom };
        ports.iter().find(|(known, _)| *known == edge).map(|(_, x)| *x)
    };
    let (rows, order) = ordered(items.len(), &tree.passages[container], far, &port);
    let width = |cell: Cell| match cell {
        Cell::Item(item) => size(item).0,
        Cell::Edge(_) => PASSING,
    };
    let widths: Vec<Vec<i64>> = rows.cells.iter().map(|row| row.iter().map(|&cell| width(cell)).collect()).collect();
    let mut lefts = pulled(&rows, &order, &widths);
    let least = lefts.iter().flatten().copied().min().unwrap_or(0);
    lefts.iter_mut().flatten().for_each(|left| *left += GAP - least);
    let right =
        lefts.iter().zip(&widths).flat_map(|(lefts, widths)| lefts.iter().zip(widths).map(|(a, b)| a + b)).max();
    let mut out = Placed {
        width: (right.unwrap_or(GAP) + GAP).max(label + 2 * GAP),
        corners: vec![(0, 0); items.len()],
        ..Placed::default()
    };
    let mut tops = Vec::with_capacity(rows.cells.len());
    let mut y = 0;
    let mut tracks_of: Vec<Vec<(usize, i64, i64, i64)>> = Vec::new();
    for (row, cells) in rows.cells.iter().enumerate() {
        tops.push(y);
        let height = cells.iter().map(|&cell| match cell {
            Cell::Item(item) => size(item).1,
            Cell::Edge(_) => 0,
        });
        y += height.max().unwrap_or(0);
        let Some(links) = rows.links.get(row) else { continue };
        if row == 0 && container > 0 {
            y += LABEL;
        }
        let ends = ends(&rows, row, links, &lefts, &widths, &port);
        let (tracks, count) = tracks(links, &ends);
        let start = y + BETWEEN / 2;
        tracks_of
            .push(tracks.into_iter().map(|(edge, from, to, track)| (edge, from, to, start + track * TRACK)).collect());
        y += BETWEEN + (count - 1).max(0) * TRACK;
    }
    out.height = y.max(LABEL);
    for (row, cells) in rows.cells.iter().enumerate() {
        for (at, &cell) in cells.iter().enumerate() {
            if let Cell::Item(item) = cell {
                out.corners[item] = (lefts[row][at], tops[row]);
            }
        }
    }
    // The point at which an edge leaves a row: below the box, or straight through the row.
    let bottom_of = |row: usize, at: usize| match rows.cells[row][at] {
        Cell::Item(item) => tops[row] + size(item).1,
        Cell::Edge(_) => tops[row],
    };
    out.paths = tree.passages[container].iter().map(|&(edge, _)| (edge, Vec::new())).collect();
    route(&mut out, &rows, &tracks_of, &tops, bottom_of);
    out
}

/// Routes the edges along their tracks, and records the points at which they leave the container.
fn route(
    out: &mut Placed,
    rows: &Rows,
    tracks: &[Vec<(usize, i64, i64, i64)>],
    tops: &[i64],
    bottom_of: impl Fn(usize, usize) -> i64,
) {
    let index: rustc_hash::FxHashMap<usize, usize> =
        out.paths.iter().enumerate().map(|(at, (edge, _))| (*edge, at)).collect();
    let last = rows.cells.len() - 1;
    for (row, (links, tracks)) in rows.links.iter().zip(tracks).enumerate() {
        for (link, &(edge, from, to, track)) in links.iter().zip(tracks) {
            let Some(path) = index.get(&edge).and_then(|&at| out.paths.get_mut(at)) else { continue };
            path.1.extend([(from, bottom_of(row, link.upper)), (from, track), (to, track), (to, tops[row + 1])]);
            if row == 0 && matches!(rows.cells[0][link.upper], Cell::Edge(_)) {
                out.top.push((edge, from));
            }
            if row + 1 == last && matches!(rows.cells[last][link.lower], Cell::Edge(_)) {
                out.bottom.push((edge, to));
            }
        }
    }
}

/// Returns the left sides of the cells of each row: in their order, close to the linked cells.
fn pulled(rows: &Rows, order: &[Vec<usize>], widths: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let gap = |row: usize, a: usize, b: usize| {
        let is_edge = |cell: usize| matches!(rows.cells[row][cell], Cell::Edge(_));
        if is_edge(a) && is_edge(b) { 4 } else { GAP }
    };
    let mut lefts: Vec<Vec<i64>> = widths.iter().map(|row| vec![0; row.len()]).collect();
    for (row, cells) in order.iter().enumerate() {
        let mut x = 0;
        for (at, &cell) in cells.iter().enumerate() {
            if let Some(&before) = at.checked_sub(1).and_then(|before| cells.get(before)) {
                x += gap(row, before, cell);
            }
            lefts[row][cell] = x;
            x += widths[row][cell];
        }
        // Rows are centred on each other.
        lefts[row].iter_mut().for_each(|left| *left -= x / 2);
    }
    for pull in 0..PULLS {
        let is_down = pull % 2 == 0;
        let all: Vec<usize> = if is_down { (1..order.len()).collect() } else { (0..order.len() - 1).rev().collect() };
        for row in all {
            let (fixed, links) = if is_down { (row - 1, &rows.links[row - 1]) } else { (row + 1, &rows.links[row]) };
            let mut sums = vec![(0, 0); widths[row].len()];
            for link in links {
                let (other, own) = if is_down { (link.upper, link.lower) } else { (link.lower, link.upper) };
                sums[own].0 += lefts[fixed][other] + widths[fixed][other] / 2;
                sums[own].1 += 1;
            }
            let wanted = |cell: usize| match sums[cell] {
                (_, 0) => lefts[row][cell],
                (sum, count) => sum / count - widths[row][cell] / 2,
            };
            let cells = &order[row];
            // As far left as the wish allows, as far right, and the mean of both, which keeps every distance.
            let (mut from_left, mut from_right) = (vec![0; cells.len()], vec![0; cells.len()]);
            for (at, &cell) in cells.iter().enumerate() {
                let bound = at
                    .checked_sub(1)
                    .map(|before| from_left[before] + widths[row][cells[before]] + gap(row, cells[before], cell));
                from_left[at] = bound.map_or(wanted(cell), |bound| bound.max(wanted(cell)));
            }
            for (at, &cell) in cells.iter().enumerate().rev() {
                let bound =
                    cells.get(at + 1).map(|&next| from_right[at + 1] - gap(row, cell, next) - widths[row][cell]);
                from_right[at] = bound.map_or(wanted(cell), |bound| bound.min(wanted(cell)));
            }
            for (at, &cell) in cells.iter().enumerate() {
                lefts[row][cell] = (from_left[at] + from_right[at]).div_euclid(2);
            }
        }
    }
    lefts
}

/// Returns the ends of the links below a row.
fn ends(
    rows: &Rows,
    row: usize,
    links: &[Link],
    lefts: &[Vec<i64>],
    widths: &[Vec<i64>],
    port: &Port<'_>,
) -> Vec<(i64, i64)> {
    let middle = |row: usize, cell: usize| lefts[row][cell] + widths[row][cell] / 2;
    let side = |is_below: bool| -> Vec<i64> {
        let (own_row, other_row) = if is_below { (row + 1, row) } else { (row, row + 1) };
        let own = |link: &Link| if is_below { link.lower } else { link.upper };
        let other = |link: &Link| if is_below { link.upper } else { link.lower };
        // The links of a box are spread over its side in the order of their other ends.
        let mut order: Vec<usize> = (0..links.len()).collect();
        order.sort_by_key(|&at| (own(&links[at]), middle(other_row, other(&links[at])), at));
        let mut found = vec![0; links.len()];
        let mut at = 0;
        while let Some(&first) = order.get(at) {
            let cell = own(&links[first]);
            let group: Vec<usize> = order[at..].iter().copied().take_while(|&link| own(&links[link]) == cell).collect();
            at += group.len();
            let count = group.len() as i64 + 1;
            for (position, &link) in group.iter().enumerate() {
                let left = lefts[own_row][cell];
                let spread = left + widths[own_row][cell] * (position as i64 + 1) / count;
                let inner = port(rows.cells[own_row][cell], links[link].edge, is_below).map(|x| left + x);
                found[link] = inner.unwrap_or(spread);
            }
        }
        found
    };
    side(false).into_iter().zip(side(true)).collect()
}
