//! Parses and prints paths.

use formwork_base::{PathStep, json_pointer};

use crate::authored::Step;

/// Splits a path: dotted (`Resources.A.Tags.0`, `Tags[0]`, `["a.b"]`), or a JSON pointer (`/Resources/A`). Parts are
/// names or numbers depending on the node that they apply to.
pub fn parse(path: &str) -> Vec<String> {
    if let Some(pointer) = path.strip_prefix('/') {
        return pointer.split('/').map(json_pointer::unescaped).collect();
    }
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (part, after) = bracket(inner);
            parts.push(part);
            rest = after.strip_prefix('.').unwrap_or(after);
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        parts.push(rest[..end].to_owned());
        rest = &rest[end..];
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    parts
}

/// Returns the content of brackets, and the rest of the path.
fn bracket(inner: &str) -> (String, &str) {
    if let Some(quoted) = inner.strip_prefix('"') {
        let mut text = String::new();
        let mut chars = quoted.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                '"' => {
                    let after = &quoted[at + 1..];
                    return (text, after.strip_prefix(']').unwrap_or(after));
                }
                c => text.push(c),
            }
        }
        return (text, "");
    }
    match inner.split_once(']') {
        Some((part, after)) => (part.to_owned(), after),
        None => (inner.to_owned(), ""),
    }
}

/// Returns a path in its dotted form.
pub fn dotted(path: &[Step]) -> String {
    formwork_base::dotted(path.iter().map(|step| match step {
        Step::Name(name) => PathStep::Name(name),
        Step::Index(index) => PathStep::Index(*index),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_form() {
        let want = ["Resources", "A", "Properties", "Tags", "0", "Value"];
        assert_eq!(parse("Resources.A.Properties.Tags.0.Value"), want);
        assert_eq!(parse("Resources.A.Properties.Tags[0].Value"), want);
        assert_eq!(parse("/Resources/A/Properties/Tags/0/Value"), want);
        assert_eq!(parse(r#"A["k8s.io/x"].b"#), ["A", "k8s.io/x", "b"]);
        assert_eq!(parse(r#"A["a\"b"]"#), ["A", "a\"b"]);
        assert_eq!(parse("/A/a~1b~0c"), ["A", "a/b~c"]);
        assert_eq!(parse(""), Vec::<String>::new());
    }

    #[test]
    fn dotted_paths_parse_back() {
        let path = [Step::Name("A".into()), Step::Name("a.\"b".into()), Step::Index(3), Step::Name("c".into())];
        assert_eq!(dotted(&path), r#"A["a.\"b"].3.c"#);
        assert_eq!(parse(&dotted(&path)), ["A", "a.\"b", "3", "c"]);
    }
}
