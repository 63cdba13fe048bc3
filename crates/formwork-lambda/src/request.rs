//! The request of CloudFormation to the function of a macro.

use formwork::Values;
use formwork::display::{ITEM, cut, escape_for_display};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A request (reference/macro.md#request). Unknown keys are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'r> {
    /// The ID that the response repeats.
    #[serde(rename = "requestId", borrow)]
    pub(crate) id: &'r RawValue,
    /// The template without its `Transform`.
    #[serde(borrow)]
    pub(crate) fragment: &'r RawValue,
    /// `Parameters` of the entry in `Transform`.
    #[serde(default)]
    params: Option<serde_json::Map<String, serde_json::Value>>,
    /// The values of the template's parameters, Defaults included.
    #[serde(borrow, default)]
    pub(crate) template_parameter_values: Option<&'r RawValue>,
    #[serde(default)]
    pub(crate) account_id: Option<String>,
    #[serde(default)]
    pub(crate) region: Option<String>,
}

impl Request<'_> {
    /// Returns the option `Values` in `Parameters` of the entry in `Transform`, which decides how much is computed.
    ///
    /// # Errors
    /// For another key and another value, in a sentence. Values are not quoted: they may come from anywhere.
    pub(crate) fn values(&self) -> Result<Values, String> {
        let mut values = Values::Pin;
        for (name, value) in self.params.iter().flatten() {
            values = match (name.as_str(), value.as_str()) {
                ("Values", Some("keep")) => Values::Keep,
                ("Values", Some("pin")) => Values::Pin,
                ("Values", Some("all")) => Values::All,
                ("Values", _) => {
                    return Err("the parameter Values of the transform Formwork is not keep, pin or all".to_owned());
                }
                _ => {
                    let name = escape_for_display(&cut(name, ITEM)).into_owned();
                    return Err(format!(
                        "unknown parameter {name} of the transform Formwork; its only parameter is Values"
                    ));
                }
            };
        }
        Ok(values)
    }
}
