//! Variables of a `ForEach` of the module language in strings (reference/modules/copies.md#variables).

/// The beginnings of their spellings; the rest is a part of another word, or a path.
const NAMES: [&str; 6] = ["$Identifier", "$Index", "$Value", "${Identifier", "${Index", "${Value"];

/// A character that no template has, which separates a variable from the item that a loop around the copies inserted
/// behind it.
pub const END: char = '\0';

/// Returns `true` when a string has a variable of the copies that a `ForEach` generates.
pub fn names_copies(text: &str) -> bool {
    NAMES.iter().any(|name| text.contains(name))
}
