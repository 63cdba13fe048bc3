//! Statements of the facts, with the attributes of two resources in place of `%{Source.Arn}`.

use serde_json::Value as Json;

use super::end::End;
use crate::iam;
use crate::make;
use crate::refusal::Refusal;
use crate::value::{Data, Map, Value};

/// The resources of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) source: &'a End<'a>,
    pub(super) destination: &'a End<'a>,
}

impl Pair<'_> {
    /// Returns a policy document of the statements of categories.
    pub(super) fn document(self, categories: &[(&str, &Json)]) -> Result<Value, Refusal> {
        let mut statements = Vec::new();
        for (_, grant) in categories {
            for statement in grant.get("Statement").and_then(Json::as_array).into_iter().flatten() {
                statements.push(self.filled(statement)?);
            }
        }
        Ok(make::map([("Version", iam::VERSION.into()), ("Statement", statements.into())]))
    }

    /// Returns data of the facts with attributes in place of placeholders.
    pub(super) fn filled(self, data: &Json) -> Result<Value, Refusal> {
        Ok(match data {
            Json::Null => Value::default(),
            Json::Bool(truth) => (*truth).into(),
            Json::Number(number) => Data::Number(number.to_string().into()).into(),
            Json::String(text) => self.text(text)?,
            Json::Array(items) => items.iter().map(|item| self.filled(item)).collect::<Result<Vec<Value>, _>>()?.into(),
            Json::Object(map) => {
                let mut filled = Map::new();
                for (key, value) in map {
                    filled.set(key, self.filled(value)?);
                }
                filled.into()
            }
        })
    }

    /// Returns an attribute alone, or `Fn::Sub` with attributes as variables.
    fn text(self, text: &str) -> Result<Value, Refusal> {
        let (mut out, mut variables, mut rest) = (String::new(), Map::new(), text);
        while let Some((before, from)) = rest.split_once("%{") {
            let Some((name, after)) = from.split_once('}') else { break };
            let value = self.attribute(name)?;
            if before.is_empty() && after.is_empty() && out.is_empty() {
                return Ok(value);
            }
            let variable = name.replace('.', "");
            out.push_str(before);
            out.push_str("${");
            out.push_str(&variable);
            out.push('}');
            variables.set(&variable, value);
            rest = after;
        }
        out.push_str(rest);
        if !variables.is_empty() {
            return Ok(make::call("Fn::Sub", make::list([out.into(), Value::from(variables)])));
        }
        Ok(if out.contains("${") { make::sub(&out) } else { out.into() })
    }

    fn attribute(self, name: &str) -> Result<Value, Refusal> {
        let (side, attribute) = name.split_once('.').unwrap_or((name, ""));
        let end = if side == "Source" { self.source } else { self.destination };
        end.get(attribute).ok_or_else(|| Refusal::new(format!("{name} is missing.")))
    }
}
