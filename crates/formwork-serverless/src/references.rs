//! References to resources that are made: `!Ref F.Version`, `!GetAtt F.Alias.Arn`, `!Ref Layer`.

use rustc_hash::FxHashMap;

use crate::make;
use crate::parameters::substitute;
use crate::value::{Data, Map, Value};

/// Names of resources that are made, behind the ID of the authored one.
const REFERABLE: [&str; 11] = [
    "Alias",
    "ApiKey",
    "Deployment",
    "DestinationQueue",
    "DestinationTopic",
    "DomainName",
    "DomainNameV2",
    "Stage",
    "UsagePlan",
    "UsagePlanKey",
    "Version",
];

/// The IDs that replace others.
#[derive(Clone, Debug, Default)]
pub(crate) struct References {
    /// Generated IDs by authored ID and property: `Version` of `F`.
    made: FxHashMap<(String, &'static str), String>,
    /// New IDs of resources by their authored ones.
    renamed: FxHashMap<String, String>,
}

impl References {
    pub(crate) fn add_made(&mut self, id: &str, property: &'static str, made: &str) {
        self.made.insert((id.to_owned(), property), made.to_owned());
    }

    pub(crate) fn add_renamed(&mut self, id: &str, new: &str) {
        self.renamed.insert(id.to_owned(), new.to_owned());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.made.is_empty() && self.renamed.is_empty()
    }

    /// Returns the ID for a name such as `F.Version`.
    fn made(&self, id: &str, property: &str) -> Option<&str> {
        // The properties are a handful of words.
        let property = REFERABLE.iter().find(|known| **known == property)?;
        self.made.get(&(id.to_owned(), *property)).map(String::as_str)
    }

    fn of_ref(&self, name: &str) -> Option<String> {
        if let Some(new) = self.renamed.get(name) {
            return Some(new.clone());
        }
        let (id, property) = name.split_once('.')?;
        self.made(id, property).map(str::to_owned)
    }

    /// Returns the parts of an `Fn::GetAtt` behind the new ID.
    fn of_get_att(&self, parts: &[&str]) -> Option<Value> {
        let joined = parts.join(".");
        let (id, rest) = joined.split_once('.')?;
        let attributes = |id: &str, rest: Option<&str>| {
            let rest = rest.into_iter().flat_map(|rest| rest.split('.'));
            let parts: Vec<Value> = std::iter::once(id).chain(rest).map(Value::from).collect();
            Some(make::call("Fn::GetAtt", parts))
        };
        if let Some(new) = self.renamed.get(id) {
            return attributes(new, Some(rest));
        }
        let (property, rest) = rest.split_once('.').map_or((rest, None), |(property, rest)| (property, Some(rest)));
        attributes(self.made(id, property)?, rest)
    }

    fn of_placeholder(&self, name: &str) -> Option<String> {
        let (id, rest) = name.split_once('.').map_or((name, None), |(id, rest)| (id, Some(rest)));
        let new = match (self.renamed.get(id), rest) {
            (Some(new), None) => new.clone(),
            (Some(new), Some(rest)) => format!("{new}.{rest}"),
            (None, None) => return None,
            (None, Some(rest)) => match rest.split_once('.') {
                Some((property, attribute)) => format!("{}.{attribute}", self.made(id, property)?),
                None => self.made(id, rest)?.to_owned(),
            },
        };
        Some(format!("${{{new}}}"))
    }

    /// Replaces references in a value and below it. Nothing that has none is changed.
    pub(crate) fn replace(&self, value: &mut Value) {
        if !self.is_below(value) {
            return;
        }
        if let Some(new) = self.call(value) {
            *value = new.at(value.origin());
        }
        match value.data() {
            Data::List(_) => value.as_list().iter_mut().for_each(|item| self.replace(item)),
            Data::Map(_) => value.as_map().iter_mut().for_each(|(_, one)| self.replace(one)),
            _ => {}
        }
    }

    fn is_below(&self, value: &Value) -> bool {
        match value.data() {
            Data::List(items) => items.iter().any(|item| self.is_below(item)),
            Data::Map(map) => self.call(value).is_some() || map.iter().any(|(_, one)| self.is_below(one)),
            _ => false,
        }
    }

    /// Returns the call with other names, if they are others.
    fn call(&self, value: &Value) -> Option<Value> {
        let (function, argument) = value.call()?;
        match function {
            "Ref" => self.of_ref(argument.text()?).map(|name| make::reference(&name)),
            "Fn::GetAtt" => {
                let parts = argument.list().filter(|parts| parts.len() > 1)?;
                let parts: Vec<&str> = parts.iter().map(Value::text).collect::<Option<_>>()?;
                self.of_get_att(&parts)
            }
            "Fn::Sub" => self.sub(argument),
            _ => None,
        }
    }

    fn sub(&self, argument: &Value) -> Option<Value> {
        let new = |text: &str| Some(substitute(text, &|name| self.of_placeholder(name))).filter(|new| *new != text);
        match argument.data() {
            Data::Text(text) => new(text).map(|text| make::sub(&text)),
            Data::List(items) => {
                let (first, rest) = items.split_first()?;
                let text = new(first.text()?)?;
                let items: Vec<Value> = std::iter::once(Value::from(text)).chain(rest.iter().cloned()).collect();
                Some(make::call("Fn::Sub", items))
            }
            _ => None,
        }
    }

    /// Replaces the IDs in the `DependsOn` of the resources.
    pub(crate) fn replace_dependencies(&self, resources: &mut Map) {
        if self.renamed.is_empty() {
            return;
        }
        for (_, resource) in resources.iter_mut() {
            let is_old = |value: &Value| value.text().is_some_and(|id| self.renamed.contains_key(id));
            let is_here = |one: &Value| is_old(one) || one.list().is_some_and(|items| items.iter().any(is_old));
            if !resource.get("DependsOn").is_some_and(is_here) {
                continue;
            }
            let Some(value) = resource.as_map().get_mut("DependsOn") else { continue };
            let items = if value.list().is_some() { value.as_list() } else { std::slice::from_mut(value) };
            for item in items {
                if let Some(new) = item.text().and_then(|id| self.renamed.get(id)) {
                    *item = Value::from(new.as_str()).at(item.origin());
                }
            }
        }
    }
}
