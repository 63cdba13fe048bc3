//! Tracks: the heights between two rows at which edges run horizontally.

use super::rows::Link;

#[derive(Clone, Copy)]
struct Piece {
    at: usize,
    from: i64,
    to: i64,
}

impl Piece {
    fn left(self) -> i64 {
        self.from.min(self.to)
    }

    fn right(self) -> i64 {
        self.from.max(self.to)
    }

    fn overlaps(self, other: Piece) -> bool {
        self.left() <= other.right() && other.left() <= self.right()
    }
}

/// Returns the track of each link, so that no two overlap (edge, left and right end, track), and the number of tracks.
///
/// Two links in one direction whose ends are in the same order do not cross if the one in front is above: then it has
/// turned down before the other one comes along.
pub(super) fn tracks(links: &[Link], ends: &[(i64, i64)]) -> (Vec<(usize, i64, i64, i64)>, i64) {
    let mut found: Vec<(usize, i64, i64, i64)> =
        links.iter().zip(ends).map(|(link, &(from, to))| (link.edge, from, to, 0)).collect();
    let pieces = ends.iter().enumerate().map(|(at, &(from, to))| Piece { at, from, to });
    let (mut rightward, mut leftward): (Vec<Piece>, Vec<Piece>) =
        pieces.filter(|piece| piece.from != piece.to).partition(|piece| piece.from < piece.to);
    // Sorted so that those in front are first.
    rightward.sort_by_key(|piece| (-piece.from, -piece.to, piece.at));
    leftward.sort_by_key(|piece| (piece.from, piece.to, piece.at));
    let mut used: Vec<Vec<Piece>> = Vec::new();
    for side in [rightward, leftward] {
        let mut above: Vec<(Piece, usize)> = Vec::new();
        for piece in side {
            let is_behind =
                |front: Piece| if piece.from < piece.to { front.to >= piece.to } else { front.to <= piece.to };
            let fronts = above.iter().filter(|(front, _)| front.overlaps(piece) && is_behind(*front));
            let least = fronts.map(|(_, track)| track + 1).max().unwrap_or(0);
            let is_free = |track: &usize| used.get(*track).is_none_or(|all| !all.iter().any(|one| one.overlaps(piece)));
            let track = (least..=least.max(used.len())).find(is_free).unwrap_or(least);
            if used.len() <= track {
                used.resize_with(track + 1, Vec::new);
            }
            used[track].push(piece);
            above.push((piece, track));
            found[piece.at].3 = track as i64;
        }
    }
    (found, used.len() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracks_of(ends: &[(i64, i64)]) -> Vec<i64> {
        let links: Vec<Link> = (0..ends.len()).map(|edge| Link { edge, upper: edge, lower: edge }).collect();
        tracks(&links, ends).0.iter().map(|found| found.3).collect()
    }

    #[test]
    fn the_one_in_front_is_above() {
        assert_eq!(tracks_of(&[(10, 100), (50, 150)]), [1, 0]);
        assert_eq!(tracks_of(&[(100, 10), (150, 50)]), [0, 1]);
        // Those that do not meet share a track, and straight ones have none.
        assert_eq!(tracks_of(&[(10, 40), (50, 150), (45, 45)]), [0, 0, 0]);
    }
}
