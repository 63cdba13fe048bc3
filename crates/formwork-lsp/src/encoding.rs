//! The unit of columns.

use formwork::ColumnUnit;
use serde_json::Value;

/// Chooses the unit of columns from the capabilities of a client: `utf-8`, else `utf-32`, else `utf-16`.
pub(crate) fn choose(capabilities: &Value) -> ColumnUnit {
    let list = capabilities.pointer("/general/positionEncodings").and_then(Value::as_array);
    let has = |name: &str| list.is_some_and(|list| list.iter().any(|one| one.as_str() == Some(name)));
    if has("utf-8") {
        ColumnUnit::Utf8
    } else if has("utf-32") {
        ColumnUnit::Scalar
    } else {
        ColumnUnit::Utf16
    }
}

pub(crate) fn unit(name: &str) -> ColumnUnit {
    match name {
        "utf-8" => ColumnUnit::Utf8,
        "utf-32" => ColumnUnit::Scalar,
        _ => ColumnUnit::Utf16,
    }
}

pub(crate) fn name(unit: ColumnUnit) -> &'static str {
    match unit {
        ColumnUnit::Utf8 => "utf-8",
        ColumnUnit::Scalar => "utf-32",
        ColumnUnit::Utf16 => "utf-16",
    }
}
