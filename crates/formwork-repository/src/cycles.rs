//! Cycles of templates, and the order without them.

use std::collections::VecDeque;

use crate::link::Link;

/// Returns the shortest way back to the first template of each group that depends on itself.
pub(crate) fn cycles(count: usize, links: &[Link]) -> Vec<Vec<Link>> {
    let mut out: Vec<Vec<&Link>> = vec![Vec::new(); count];
    for link in links {
        if let Some(own) = out.get_mut(link.from) {
            own.push(link);
        }
    }
    let mut found: Vec<Vec<Link>> = Vec::new();
    let mut is_known = vec![false; count];
    for start in 0..count {
        if is_known.get(start) == Some(&true) {
            continue;
        }
        if let Some(way) = way_back(start, &out) {
            for link in &way {
                if let Some(known) = is_known.get_mut(link.from) {
                    *known = true;
                }
            }
            found.push(way);
        }
    }
    found
}

fn way_back(start: usize, out: &[Vec<&Link>]) -> Option<Vec<Link>> {
    let mut before: Vec<Option<&Link>> = vec![None; out.len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for &link in out.get(at).into_iter().flatten() {
            if link.to == start {
                let (mut way, mut place) = (vec![*link], link.from);
                while place != start {
                    let step = before.get(place).copied().flatten()?;
                    way.push(*step);
                    place = step.from;
                }
                way.reverse();
                return Some(way);
            }
            if let Some(slot) = before.get_mut(link.to).filter(|slot| slot.is_none()) {
                *slot = Some(link);
                open.push_back(link.to);
            }
        }
    }
    None
}

/// Returns the numbers of templates in groups: each depends on groups before it alone.
pub(crate) fn order(count: usize, links: &[Link]) -> Vec<Vec<usize>> {
    let mut pairs: Vec<(usize, usize)> = links.iter().map(|link| (link.from, link.to)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut left = vec![0_usize; count];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in pairs {
        if let (Some(left), Some(users)) = (left.get_mut(from), users.get_mut(to)) {
            *left += 1;
            users.push(from);
        }
    }
    let mut groups = Vec::new();
    let mut next: Vec<usize> = left.iter().enumerate().filter(|(_, left)| **left == 0).map(|(at, _)| at).collect();
    while !next.is_empty() {
        let mut after = Vec::new();
        for user in next.iter().filter_map(|&at| users.get(at)).flatten() {
            if let Some(left) = left.get_mut(*user) {
                *left -= 1;
                if *left == 0 {
                    after.push(*user);
                }
            }
        }
        after.sort_unstable();
        groups.push(std::mem::replace(&mut next, after));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Certainty;

    fn links(pairs: &[(usize, usize)]) -> Vec<Link> {
        let link = |&(from, to): &(usize, usize)| Link { from, import: 0, to, export: 0, certainty: Certainty::Same };
        pairs.iter().map(link).collect()
    }

    #[test]
    fn what_is_needed_comes_first() {
        assert_eq!(order(4, &links(&[(0, 1), (0, 2), (2, 3), (0, 1)])), [vec![1, 3], vec![2], vec![0]]);
        assert_eq!(order(3, &links(&[(0, 1), (1, 0), (2, 0)])), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_cycle_is_found_once_by_its_shortest_way() {
        let way = |found: &[Vec<Link>]| -> Vec<Vec<usize>> {
            found.iter().map(|way| way.iter().map(|link| link.from).collect()).collect()
        };
        assert_eq!(way(&cycles(5, &links(&[(0, 1), (1, 2), (2, 0), (1, 0), (3, 4)]))), [vec![0, 1], vec![2, 0, 1]]);
        assert!(cycles(3, &links(&[(0, 1), (1, 2), (0, 2)])).is_empty());
    }
}
