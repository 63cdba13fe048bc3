//! The rows of a container, with cells for its items and for edges that pass.

use super::tree::Passage;

/// Most boxes in a row.
const ROW: usize = 24;

/// What is in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// An item, by its index.
    Item(usize),
    /// An edge that passes, by its number.
    Edge(usize),
}

/// A piece of an edge between a row and the next one: the number of the edge, and the cells, by their indexes before
/// they were ordered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) edge: usize,
    pub(super) upper: usize,
    pub(super) lower: usize,
}

/// Rows of cells. The first and the last row are the upper and the lower side of the container: edges only.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) cells: Vec<Vec<Cell>>,
    /// The links below each row but the last one.
    pub(super) links: Vec<Vec<Link>>,
}

impl Rows {
    pub(super) fn new(count: usize, passages: &[(usize, Passage)]) -> Rows {
        let (row_of, rows) = ranks(count, passages);
        let mut cells = vec![Vec::new(); rows + 2];
        let mut index_of = vec![0; count];
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

/// The row of each item, from 1, and the number of rows: users above what they use, as near to it as they can be, and no
/// row longer than [`ROW`].
fn ranks(count: usize, passages: &[(usize, Passage)]) -> (Vec<usize>, usize) {
    let mut targets = vec![Vec::new(); count];
    let mut waiting = vec![0_usize; count];
    for (_, passage) in passages {
        if let Passage::Between(upper, lower) = *passage {
            targets[upper].push(lower);
            waiting[lower] += 1;
        }
    }
    let is_first: Vec<bool> = waiting.iter().map(|&waiting| waiting == 0).collect();
    let mut rank = vec![0_usize; count];
    let mut ready: Vec<usize> = (0..count).filter(|&item| is_first[item]).collect();
    let mut at = 0;
    while let Some(&item) = ready.get(at) {
        at += 1;
        for &lower in &targets[item] {
            rank[lower] = rank[lower].max(rank[item] + 1);
            waiting[lower] -= 1;
            if waiting[lower] == 0 {
                ready.push(lower);
            }
        }
    }
    for item in (0..count).filter(|&item| is_first[item]) {
        if let Some(nearest) = targets[item].iter().map(|&lower| rank[lower]).min() {
            rank[item] = nearest.saturating_sub(1);
        }
    }
    let most = rank.iter().copied().max().unwrap_or(0);
    let mut by_rank = vec![Vec::new(); most + 1];
    for (item, &rank) in rank.iter().enumerate() {
        by_rank[rank].push(item);
    }
    let (mut rows, mut row_of) = (0, vec![0; count]);
    for items in by_rank.iter().filter(|items| !items.is_empty()) {
        // Items that nothing leads to or from would make one long row: they are a square.
        let is_loose = items.len() == count && passages.is_empty();
        let side = if is_loose { (items.len() as f64).sqrt().ceil() as usize } else { ROW };
        for chunk in items.chunks(side.clamp(1, ROW)) {
            rows += 1;
            for &item in chunk {
                row_of[item] = rows;
            }
        }
    }
    (row_of, rows)
}
