//! The attribute `NoEcho` of a parameter (reference/parameters.md#no-echo).

use formwork_syntax::{Kind, NodeId, Tree, scalar};

/// What a `NoEcho` attribute means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEcho {
    /// The value is a secret.
    Yes,
    /// The value may be shown.
    No,
    /// Neither is written. The value is handled as a secret.
    Unclear,
}

/// Reads the value of a `NoEcho` attribute: a Boolean or a string, in any case of letters.
pub fn read(tree: &Tree, flag: NodeId) -> NoEcho {
    match tree.kind(flag) {
        Kind::Null => NoEcho::No,
        _ if !tree.is_scalar(flag) => NoEcho::Unclear,
        _ => {
            let text = tree.text(flag).trim().to_ascii_lowercase();
            match scalar::truth(&text) {
                Some(true) => NoEcho::Yes,
                Some(false) => NoEcho::No,
                None => NoEcho::Unclear,
            }
        }
    }
}

/// Whether a parameter with this `NoEcho` attribute has a value that is never shown.
pub fn is_secret(tree: &Tree, flag: NodeId) -> bool {
    read(tree, flag) != NoEcho::No
}
