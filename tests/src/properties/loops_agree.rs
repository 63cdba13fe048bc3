//! A loop as `Fn::ForEach`, as `Fn::Map` and written out by hand is the same.

use formwork::{Goal, Options};

use super::{Verdict, output, same_data};
use crate::generate::{Loops, json};

/// The law for one loop.
///
/// # Errors
/// In words.
pub fn loops_agree(loops: &Loops) -> Verdict {
    let [for_each, map, unrolled] = [&loops.for_each, &loops.map, &loops.unrolled].map(json);
    let expand = |text: &str| {
        output(text, &Options::default(), Goal::Expand).ok_or_else(|| format!("there are errors in\n{text}"))
    };
    let unrolled = expand(&unrolled)?;
    same_data("Fn::ForEach and by hand", &expand(&for_each)?, &unrolled)?;
    same_data("Fn::Map and by hand", &expand(&map)?, &unrolled)
}
