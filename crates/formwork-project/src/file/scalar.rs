//! Words of values of `formwork.toml`.

use toml::de::DeValue;

/// Returns the words of a string or a number.
pub(super) fn word(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the words of a scalar, or of a list of them joined with commas.
pub(super) fn scalar_or_list(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(|item| scalar(item.get_ref())).collect();
            items.map(|items| items.join(","))
        }
        one => scalar(one),
    }
}

/// Returns the words of a string, a number or a Boolean.
pub(super) fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Boolean(flag) => Some(flag.to_string()),
        other => word(other),
    }
}
