//! The order of the keys of a mapping in the translator.

use crate::hash::{Order, hash};
use crate::history::{ChangeKind, History};

/// Returns the keys in the order that they have after a number of copies of the body.
pub(super) fn order<'k>(
    history: Option<&'k History>,
    keys: impl Iterator<Item = &'k str>,
    copies: i32,
) -> Vec<&'k str> {
    let born = history.map_or(0, |history| history.born);
    let changes = history.map_or(&[][..], |history| &history.changes);
    if history.is_some_and(|history| history.is_plain) {
        return keys.collect();
    }
    let mut order = Order::default();
    let copy = |order: &mut Order, from: i32, to: i32| order.copy(u32::try_from(to - from).unwrap_or_default());
    if changes.is_empty() {
        let keys: Vec<&str> = keys.collect();
        for (number, key) in keys.iter().enumerate() {
            order.insert(hash(key), number as u32);
        }
        copy(&mut order, born, copies);
        return order.iter().filter_map(|number| keys.get(number as usize).copied()).collect();
    }
    let mut now = born;
    let set = |number: usize| match changes.get(number).map(|change| &change.kind) {
        Some(ChangeKind::Set(key)) => Some(&**key),
        _ => None,
    };
    for (number, change) in changes.iter().enumerate() {
        let time = change.time.unwrap_or(copies);
        copy(&mut order, now, time);
        now = now.max(time);
        match &change.kind {
            ChangeKind::Set(key) => order.insert(hash(key), number as u32),
            ChangeKind::Removed(key) => {
                if let Some(number) = (0..number).rev().find(|&number| set(number) == Some(&**key)) {
                    order.remove(hash(key), number as u32);
                }
            }
            ChangeKind::Copied => order = order.merged(),
            ChangeKind::Merged(count) => order.reserve(*count),
        }
    }
    copy(&mut order, now, copies);
    order.iter().filter_map(|number| set(number as usize)).collect()
}
