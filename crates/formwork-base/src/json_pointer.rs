//! The escapes of JSON pointers (RFC 6901): `~1` is a slash, `~0` a tilde.

/// Escapes a key for use in a pointer.
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Unescapes a part of a pointer.
///
/// ```
/// use formwork_base::json_pointer::{escaped, unescaped};
///
/// assert_eq!((unescaped("a~1b~01").as_str(), escaped("a/b~1").as_str()), ("a/b~1", "a~1b~01"));
/// ```
pub fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
