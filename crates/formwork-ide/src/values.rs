//! Values that a template is looked at with.

use formwork::display::MASK;
use formwork::template::Parameter;
use formwork::{ParameterValue, Value, ValueSource};

use crate::Ide;

/// A parameter and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterState {
    /// Its name.
    pub name: String,
    /// Its type, as it is declared.
    pub kind: String,
    /// Its `Default`, if it has one that is shown.
    pub default: Option<String>,
    /// The values that may be passed, when they are listed.
    pub allowed: Vec<String>,
    /// The value in force; `****` for one that is never shown.
    pub value: Option<String>,
    /// The source of the value.
    pub given: Option<ValueSource>,
    /// Whether its value is never shown.
    pub no_echo: bool,
}

/// Returns the parameters of the template, in order, with the values in force.
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

/// Values that somebody wants to look at, as those of a command line.
pub fn passed(values: impl IntoIterator<Item = (String, String)>) -> Vec<ParameterValue> {
    let value = |(name, value)| ParameterValue { name, value, given: ValueSource::CommandLine };
    values.into_iter().map(value).collect()
}

/// A value on one line: strings as they are, lists and objects as JSON.
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
