//! The attribute `NoEcho` of a parameter (reference/parameters.md#no-echo).

use formwork_base::suggest;
use formwork_syntax::{Kind, NodeId, Tree, scalar};

/// The meaning of a `NoEcho` attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEcho {
    /// The value is a secret.
    Yes,
    /// The value may be shown.
    No,
    /// Neither; the value is handled as a secret.
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

/// Returns `true` if a key of a parameter is meant to be `NoEcho`: misspelt, or joined with its value.
pub fn is_meant(key: &str) -> bool {
    const LONGEST: usize = 100;
    if key.len() > LONGEST {
        return false;
    }
    let letters: String = key.chars().filter(|c| c.is_alphabetic()).map(|c| c.to_ascii_lowercase()).collect();
    letters.starts_with("noecho") || suggest::slip(&letters, ["noecho"]).is_some()
}

/// Returns `true` if a parameter with this `NoEcho` attribute has a value that is never shown.
pub fn is_secret(tree: &Tree, flag: NodeId) -> bool {
    read(tree, flag) != NoEcho::No
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_are_meant() {
        for key in [
            "NoEcho true",
            "NoEcho:true",
            "noecho",
            "NOECHO",
            "No_Echo",
            "NNoEcho",
            "NoEch",
            "NoEco",
            "NoEhco",
            "NoEcho=true",
        ] {
            assert!(is_meant(key), "{key}");
        }
        for key in ["", "Note", "Echo of it", "Description", "Type", "Default", "NoValue"] {
            assert!(!is_meant(key), "{key}");
        }
    }
}
