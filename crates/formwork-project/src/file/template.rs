//! Templates of several files: `[[template]]` (reference/configuration.md#template).

use toml::de::{DeTable, DeValue};

/// A template of several files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredTemplate {
    /// The name on the command line.
    pub name: String,
    /// The line of the name.
    pub line: usize,
    /// The patterns of its files, from the directory of the configuration file, each with its line.
    pub files: Vec<(String, usize)>,
}

/// Reads an element of `[[template]]`, which begins in the line `own`. `line` returns the line of an offset; `wrong` receives errors with their lines.
pub(super) fn read(
    table: &DeTable<'_>,
    own: usize,
    line: &dyn Fn(usize) -> usize,
    wrong: &mut dyn FnMut(usize, String),
) -> Option<DeclaredTemplate> {
    let (mut name, mut files) = (None, Vec::new());
    for (key, value) in table {
        let at = line(value.span().start);
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("name", DeValue::String(text)) if is_name(text) => name = Some((text.to_string(), at)),
            ("name", DeValue::String(_)) => {
                wrong(at, "the name of a template consists of letters, digits, `-` and `_`".to_owned());
            }
            ("name", _) => wrong(at, "`name` is not a string".to_owned()),
            ("files", DeValue::Array(items)) => {
                for item in items {
                    let at = line(item.span().start);
                    match item.get_ref() {
                        DeValue::String(text) if !text.is_empty() => files.push((text.to_string(), at)),
                        _ => wrong(at, "a pattern of `files` is not a string".to_owned()),
                    }
                }
            }
            ("files", _) => wrong(at, "`files` is not a list of patterns".to_owned()),
            (other, _) => wrong(at, format!("`{other}` is not a key of `[[template]]`, which has `name` and `files`")),
        }
    }
    let Some((name, line)) = name else {
        if !table.contains_key("name") {
            wrong(own, "the template has no `name`".to_owned());
        }
        return None;
    };
    if files.is_empty() {
        wrong(line, format!("template `{name}` has no `files`"));
        return None;
    }
    Some(DeclaredTemplate { name, line, files })
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphanumeric())
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}
