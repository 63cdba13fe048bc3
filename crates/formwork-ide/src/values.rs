//! The parameter values with which a template is viewed.

use formwork::display::MASK;
use formwork::template::Parameter;
use formwork::{ParameterValue, Value, ValueSource};

use crate::Ide;

/// A parameter and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterState {
    /// The name.
    pub name: String,
    /// The type as declared.
    pub kind: String,
    /// The `Default`, unless the value is a secret.
    pub default: Option<String>,
    /// The allowed values, if they are listed.
    pub allowed: Vec<String>,
    /// The current value; `****` for a secret.
    pub value: Option<String>,
    /// The source of the value.
    pub given: Option<ValueSource>,
    /// `true` if the value is never shown.
    pub no_echo: bool,
}

/// Returns the parameters of the template, in order, with their current values.
pub fn parameters(ide: &Ide<'_>) -> Vec<ParameterState> {
    let compilation = ide.compilation();
    compilation.template().parameters.iter().map(|parameter| state(ide, parameter)).collect()
}

fn state(ide: &Ide<'_>, parameter: &Parameter) -> ParameterState {
    let compilation = ide.compilation();
    let tree = compilation.tree();
    let name = tree.name(parameter.name).to_owned();
    let text = |key: &str| tree.get_text(parameter.node, key).map(|node| shown(&Value::new(tree, node)));
    let allowed = tree.get_text(parameter.node, "AllowedValues");
    let value = compilation.value_of_parameter(&name);
    let hide = |text: String| if parameter.no_echo { MASK.to_owned() } else { text };
    ParameterState {
        kind: text("Type").unwrap_or_else(|| "String".to_owned()),
        default: text("Default").map(hide),
        allowed: allowed.map_or_else(Vec::new, |list| {
            tree.items(list)
                .iter()
                .filter(|&&item| tree.is_scalar(item))
                .map(|&item| hide(tree.text(item).to_owned()))
                .collect()
        }),
        given: value.as_ref().map(|(_, given)| *given),
        value: value.map(|(value, _)| hide(shown(&value))),
        no_echo: parameter.no_echo,
        name,
    }
}

/// Converts names and values to parameter values, as if passed on the command line.
pub fn passed(values: impl IntoIterator<Item = (String, String)>) -> Vec<ParameterValue> {
    let value = |(name, value)| ParameterValue { name, value, given: ValueSource::CommandLine };
    values.into_iter().map(value).collect()
}

/// Returns a value on one line: strings unchanged, lists and objects as JSON.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => json(other),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(text) => text.clone(),
        Value::String(text) => quoted(text),
        Value::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), json(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
