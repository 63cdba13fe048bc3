//! x
use serde_json::Value; use crate::response::Answer; use crate::view::View;
pub(crate) fn handle(_: &View, _: Value) -> Answer { Ok(Value::Null) }
pub(crate) fn prepare(_: &View, _: Value) -> Answer { Ok(Value::Null) }
