//! The variables of a `ForEach` of the module language, as strings name them (reference/modules/copies.md#variables).

/// How strings name them; what follows is a part of another word, or a path.
const NAMES: [&str; 6] = ["$Identifier", "$Index", "$Value", "${Identifier", "${Index", "${Value"];

/// What ends a word in front of the item that a loop around the copies put there: no text of a template has it.
pub(crate) const END: char = '\0';

/// Whether a string names a variable of the copies that a `ForEach` makes.
pub fn names_copies(text: &str) -> bool {
    NAMES.iter().any(|name| text.contains(name))
}
