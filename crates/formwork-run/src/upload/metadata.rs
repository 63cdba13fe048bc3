//! `--metadata`: the metadata of every object.

/// Parses `K=V,...` or a JSON object of strings.
///
/// # Errors
/// The sentence of reference/packaging.md#upload, for a part that is neither.
pub(crate) fn read(text: &str) -> Result<Vec<(String, String)>, String> {
    let wrong = |value: &str| format!("`{value} value passed to --metadata must be of format Key=Value`");
    if text.trim_start().starts_with('{') {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)
            .map_err(|_| format!("--metadata is not a JSON object: {}", formwork::why_not_json(text.as_bytes())))?;
        return object
            .into_iter()
            .map(|(name, value)| match value {
                serde_json::Value::String(value) => Ok((name, value)),
                _ => Err(wrong(&name)),
            })
            .collect();
    }
    text.split(',')
        .map(|word| match word.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
            _ => Err(wrong(word)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_json() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(read("a=1,b=x=y"), Ok(vec![pair("a", "1"), pair("b", "x=y")]));
        assert_eq!(read(r#"{"a": "1, 2"}"#), Ok(vec![pair("a", "1, 2")]));
        assert_eq!(read("a=1,b"), Err("`b value passed to --metadata must be of format Key=Value`".to_owned()));
        assert!(read(r#"{"a": 1}"#).is_err());
        assert!(read("=1").is_err());
    }
}
