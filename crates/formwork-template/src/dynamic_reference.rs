//! Dynamic references: `{{resolve:ssm:name}}`.

/// The kinds of stores that a dynamic reference may name.
const STORES: [&str; 3] = ["ssm", "ssm-secure", "secretsmanager"];

/// The first dynamic reference in `text`, braces included, whatever its letter case.
pub fn find(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'{', rest.as_bytes()) {
        rest = &rest[open..];
        if !rest.starts_with("{{") {
            rest = &rest[1..];
            continue;
        }
        let inner = &rest[2..];
        let is_resolve = inner.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("resolve:"));
        let store = inner.get(8..).filter(|_| is_resolve).and_then(|tail| tail.split(':').next()).unwrap_or("");
        if STORES.iter().any(|known| known.eq_ignore_ascii_case(store)) {
            let end = rest.find("}}").map_or(rest.len(), |end| end + 2);
            return Some(&rest[..end]);
        }
        rest = inner;
    }
    None
}

/// Number of dynamic references in `text`.
pub fn count(text: &str) -> usize {
    let mut rest = text;
    let mut count = 0;
    while let Some(found) = find(rest) {
        count += 1;
        let start = found.as_ptr() as usize - rest.as_ptr() as usize;
        rest = &rest[start + found.len()..];
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_all_stores_in_any_case() {
        assert_eq!(find("x{{resolve:ssm:/a:1}}y"), Some("{{resolve:ssm:/a:1}}"));
        assert_eq!(find("{{RESOLVE:SecretsManager:x}}"), Some("{{RESOLVE:SecretsManager:x}}"));
        assert_eq!(find("{{other}} {{resolve:x:y}}"), None);
        assert_eq!(count("{{resolve:ssm:a}}{{resolve:ssm-secure:b}}"), 2);
    }
}
