//! Locations of artifacts: an address of a bucket, a mapping, or the path of a local file.

use crate::make;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// The names of the parts of a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) bucket: &'static str,
    pub(crate) key: &'static str,
    pub(crate) version: &'static str,
}

/// The parts in `Code` and `Content`.
pub(crate) const CODE: Names = Names { bucket: "S3Bucket", key: "S3Key", version: "S3ObjectVersion" };

/// Returns the location in the property `name` with other names of its parts. The path of a local file is handed on.
pub(crate) fn location(value: &Value, name: &str, names: &Names) -> Result<Value, Refusal> {
    if let Some(map) = value.map() {
        return of_map(value, map, name, names);
    }
    let Some(text) = value.text() else {
        return Err(Refusal::new(format!("'{name}' must be of type dict or string.")).at(value.origin()));
    };
    match address(text) {
        Some(address) => {
            let found = of_address(address, names).map(|found| found.at(value.origin()));
            found.ok_or_else(|| not_an_address(value, name))
        }
        None if text.contains("://") || text.is_empty() => Err(not_an_address(value, name)),
        None => Ok(value.clone()),
    }
}

/// Returns what is behind `s3://`.
fn address(text: &str) -> Option<&str> {
    const SCHEME: &str = "s3://";
    let text = text.trim_start_matches(|c: char| c <= ' ');
    let (scheme, rest) = text.split_at_checked(SCHEME.len())?;
    scheme.eq_ignore_ascii_case(SCHEME).then_some(rest)
}

fn not_an_address(value: &Value, name: &str) -> Refusal {
    let sentence = format!(
        "'{name}' is not a valid S3 Uri of the form 's3://bucket/key' with optional versionId query parameter."
    );
    Refusal::new(sentence).at(value.origin())
}

fn of_map(value: &Value, map: &Map, name: &str, names: &Names) -> Result<Value, Refusal> {
    let (Some(bucket), Some(key)) = (map.get_true("Bucket"), map.get_true("Key")) else {
        let sentence = format!("'{name}' requires Bucket and Key properties to be specified.");
        return Err(Refusal::new(sentence).at(value.origin()));
    };
    let mut new = Map::new();
    new.set(names.bucket, bucket.clone());
    new.set(names.key, key.clone());
    new.set_some(names.version, map.get("Version").cloned());
    Ok(Value::from(new).at(value.origin()))
}

fn of_address(address: &str, names: &Names) -> Option<Value> {
    let address = address.split('#').next().unwrap_or_default();
    let (address, query) = address.split_once('?').map_or((address, None), |(before, query)| (before, Some(query)));
    let (bucket, key) = address.split_once('/').filter(|(bucket, _)| !bucket.is_empty())?;
    let mut new = make::map([(names.bucket, bucket.into()), (names.key, key.trim_start_matches('/').into())]);
    let parts = query.into_iter().flat_map(|query| query.split('&'));
    let mut versions = parts.filter_map(|part| part.strip_prefix("versionId=")).filter(|version| !version.is_empty());
    if let (Some(version), None) = (versions.next(), versions.next()) {
        new.as_map().set(names.version, unquoted(version));
    }
    Some(new)
}

/// Returns a word of a query: `+` is a space, `%2F` a slash.
fn unquoted(word: &str) -> String {
    let word = word.replace('+', " ");
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
