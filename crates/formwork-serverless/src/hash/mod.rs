//! Digests in generated logical IDs.
//!
//! A digest is that of a string that describes the data of a resource: JSON with sorted keys, or `str()` of Python 2.7,
//! whose order of keys follows the hashes of the keys and the history of the dictionary ([`Dict`]). Both are defined by
//! the IDs that CloudFormation has generated since 2016: another string would replace the resources of every stack.
//!
//! | digest | of | computed by |
//! |---|---|---|
//! | deployment of an API | `str()` of the body, joined by double bars with what else deploys the API again | [`ids::rest_deployment`] |
//! | version of a function | sorted JSON of its `Code`, or of its properties | [`ids::version`] |
//! | layer | sorted JSON of the whole resource | [`ids::layer`] |
//! | stage, domain, condition | the name as it is, or sorted JSON | [`digest_of`] |

mod data;
mod dict;
pub(crate) mod ids;
mod json;
mod order;
mod python;
#[cfg(test)]
mod tests;

pub(crate) use data::Data;
pub(crate) use json::{sorted_json, spaced_json};
pub(crate) use order::{Order, hash};
pub(crate) use python::python_str;
pub(crate) use {data::Text, dict::Dict};

use std::fmt::Write as _;

use sha1::{Digest as _, Sha1};

/// Digits of a digest in a logical ID.
pub(crate) const DIGITS: usize = 10;

/// Returns the SHA-1 of a string in hexadecimal digits.
pub(crate) fn digest(text: &str) -> String {
    let mut digits = String::with_capacity(40);
    for byte in Sha1::digest(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Returns the first [`DIGITS`] digits of a string's SHA-1.
pub(crate) fn short_digest(text: &str) -> String {
    let mut digits = digest(text);
    digits.truncate(DIGITS);
    digits
}

/// Returns the digits for data: a string is hashed as it is, other data as JSON with sorted keys.
pub(crate) fn digest_of(data: &Data) -> String {
    match data {
        Data::Text(text) => short_digest(&text.value),
        other => short_digest(&sorted_json(other)),
    }
}
