//! The declarations of a template to which data files refer.

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::Kind;

use super::DeclaredParameter;

/// Returns the range of the key that declares a parameter, without quotes.
pub fn declaration(index: &FileIndex, name: &str) -> Option<Range<u32>> {
    let tree = index.tree();
    let section = tree.get_text(index.root()?, "Parameters")?;
    let entry = tree.entries(section).find(|entry| tree.text(entry.key) == name)?;
    Some(super::unquoted(index.text(), index.range_of(tree.span(entry.key))))
}

/// Returns the parameters of a template. The `Default` of one with `NoEcho` is left out.
pub fn parameters(index: &FileIndex) -> Vec<DeclaredParameter> {
    let tree = index.tree();
    let Some(section) = index.root().and_then(|root| tree.get_text(root, "Parameters")) else { return Vec::new() };
    let parameter = |entry: formwork::tree::Entry| {
        let text = |key: &str| {
            let value = tree.get_text(entry.value, key).filter(|&value| tree.is_scalar(value))?;
            Some(tree.text(value).to_owned())
        };
        let is_secret = text("NoEcho").is_some_and(|text| !text.eq_ignore_ascii_case("false"));
        let allowed = tree.get_text(entry.value, "AllowedValues").filter(|&list| tree.kind(list) == Kind::List);
        let allowed = allowed.filter(|_| !is_secret).map_or(&[][..], |list| tree.items(list));
        DeclaredParameter {
            name: tree.text(entry.key).to_owned(),
            kind: text("Type").unwrap_or_else(|| "String".to_owned()),
            is_secret,
            default: text("Default").filter(|_| !is_secret),
            description: text("Description"),
            allowed: allowed
                .iter()
                .filter(|&&item| tree.is_scalar(item))
                .map(|&item| tree.text(item).to_owned())
                .collect(),
        }
    };
    tree.entries(section).filter(|entry| tree.kind(entry.value) == Kind::Map).map(parameter).collect()
}
