//! Values of parameters, and mappings: the translator looks at them where they decide what is made.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use formwork_base::codes;
use formwork_syntax::{NodeId, Tree};
use formwork_template::pseudo_parameter;

use crate::nodes;
use crate::refusal::Refusal;
use crate::report::Remark;
use crate::settings::Settings;
use crate::value::{Data, Map, Value};

/// The Region of a translation without one.
const REGION: &str = "us-east-1";

/// What references have as values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    values: Map,
    mappings: Map,
    pub(crate) partition: String,
    region: String,
    /// Names that were replaced by their values, with the first place.
    fixed: RefCell<BTreeMap<String, Option<NodeId>>>,
}

impl Parameters {
    pub(crate) fn new(tree: &Tree, settings: &Settings, template: &Map) -> Parameters {
        let region = settings.region.clone().unwrap_or_else(|| REGION.to_owned());
        let partition = settings.partition.clone();
        let partition = partition.unwrap_or_else(|| pseudo_parameter::of_region(&region).0.to_owned());
        let mut values = Map::new();
        let declared = template.get("Parameters").and_then(Value::map);
        let mut secrets: BTreeSet<&str> = settings.secrets.iter().map(String::as_str).collect();
        for (name, parameter) in declared.into_iter().flat_map(Map::iter) {
            if parameter.get("NoEcho").and_then(Value::text_form) == Some("true") {
                secrets.insert(name);
            }
            if let Some(default) = parameter.get("Default").filter(|default| !default.is_null()) {
                values.set(name, default.clone());
            }
        }
        for (name, node) in &settings.parameters {
            values.set(name, value(tree, *node));
        }
        // The value of a secret is written nowhere: a reference to it stays.
        for secret in secrets {
            values.remove(secret);
        }
        for (name, text) in [("AWS::Region", &region), ("AWS::Partition", &partition)] {
            if !values.has(name) {
                values.set(name, text.as_str());
            }
        }
        let mappings = template.get("Mappings").and_then(Value::map).cloned().unwrap_or_default();
        Parameters { values, mappings, partition, region, fixed: RefCell::default() }
    }

    /// Returns the value of a name, and stores that the reference at `origin` is replaced by it.
    fn fix(&self, name: &str, origin: Option<NodeId>) -> Option<&Value> {
        let value = self.values.get(name)?;
        self.fixed.borrow_mut().entry(name.to_owned()).or_insert(origin);
        Some(value)
    }

    /// Returns a remark for each name that was replaced by its value.
    pub(crate) fn remarks(&self, is_region_assumed: bool) -> Vec<Remark> {
        let fixed = self.fixed.borrow();
        let remark = |(name, origin): (&String, &Option<NodeId>)| {
            if name == "AWS::Region" && is_region_assumed {
                let title = format!("the Region {} is assumed", self.region);
                let mut remark = Remark::new(codes::SERVERLESS_ASSUMED, title, *origin);
                remark.help = Some("pass the Region of the stack: `--region REGION`".to_owned());
                return remark;
            }
            let value = self.values.get(name).and_then(Value::text_form);
            let title = match value {
                Some(value) => format!("the value of {name} is fixed to {value}"),
                None => format!("the value of {name} is fixed"),
            };
            let mut remark = Remark::new(codes::SERVERLESS_FIXED, title, *origin);
            let note = "the transform reads it: a stack with another value has another result";
            remark.note = Some(note.to_owned());
            remark
        };
        fixed.iter().map(remark).collect()
    }

    /// Returns the value with the values of parameters in place of references, and in the strings of `Fn::Sub`.
    pub(crate) fn resolve(&self, value: &Value) -> Result<Value, Refusal> {
        match value.call() {
            Some(("Ref", argument)) => {
                let found = argument.text().and_then(|name| self.fix(name, value.origin()));
                // The value of a name of the service does not come from the template.
                let is_own = argument.text().is_some_and(|name| name.starts_with("AWS::"));
                let origin = value.origin().filter(|_| !is_own);
                Ok(found.map_or_else(|| value.clone(), |found| found.clone().at(origin)))
            }
            Some(("Fn::Sub", argument)) => self.resolve_sub(value, argument),
            _ => self.resolve_below(value),
        }
    }

    fn resolve_below(&self, value: &Value) -> Result<Value, Refusal> {
        match value.data() {
            Data::List(items) => {
                let items: Vec<Value> = items.iter().map(|item| self.resolve(item)).collect::<Result<_, _>>()?;
                Ok(changed(value, Value::from(items)))
            }
            Data::Map(map) => {
                let mut new = map.clone();
                for (_, one) in new.iter_mut() {
                    *one = self.resolve(one)?;
                }
                Ok(changed(value, Value::from(new)))
            }
            _ => Ok(value.clone()),
        }
    }

    fn resolve_sub(&self, value: &Value, argument: &Value) -> Result<Value, Refusal> {
        let (text, rest) = match argument.list() {
            Some([text, rest @ ..]) => (text, rest),
            Some([]) => return Ok(value.clone()),
            None => (argument, &[][..]),
        };
        let (origin, text) = (text.origin(), text.text());
        let Some(text) = text else { return self.resolve_below(value) };
        let new = self.substitute(text, value.origin()).map_err(|refusal| refusal.at(value.origin()))?;
        let rest: Vec<Value> = rest.iter().map(|one| self.resolve(one)).collect::<Result<_, _>>()?;
        let argument = match argument.list() {
            Some(_) => Value::from(std::iter::once(Value::from(new).at(origin)).chain(rest).collect::<Vec<Value>>()),
            None => Value::from(new).at(origin),
        };
        let mut call = value.map().cloned().unwrap_or_default();
        call.set("Fn::Sub", argument);
        Ok(changed(value, call.into()))
    }

    fn substitute(&self, text: &str, origin: Option<NodeId>) -> Result<String, Refusal> {
        let wrong = std::cell::RefCell::new(None);
        let new = substitute(text, &|name| {
            let value = self.fix(name, origin)?;
            if value.text().is_none() {
                *wrong.borrow_mut() = Some(value.text_form().unwrap_or_default().to_owned());
            }
            value.text().map(str::to_owned)
        });
        match wrong.into_inner() {
            Some(value) => Err(Refusal::alone(format!(
                "Invalid Fn::Sub variable value {value}. Fn::Sub expects all variables to be strings."
            ))),
            None => Ok(new),
        }
    }

    /// Returns the value with entries of mappings in place of `Fn::FindInMap`, where all its keys are known.
    pub(crate) fn look_up(&self, value: &Value) -> Value {
        match (value.call(), value.data()) {
            (Some(("Fn::FindInMap", argument)), _) => {
                let found = self.entry(argument);
                found.map_or_else(|| value.clone(), |found| found.clone().at(value.origin()))
            }
            (_, Data::List(items)) => {
                changed(value, items.iter().map(|item| self.look_up(item)).collect::<Vec<_>>().into())
            }
            (_, Data::Map(map)) => {
                let mut new = map.clone();
                for (_, one) in new.iter_mut() {
                    *one = self.look_up(one);
                }
                changed(value, new.into())
            }
            _ => value.clone(),
        }
    }

    fn entry(&self, keys: &Value) -> Option<&Value> {
        let [map, first, second] = keys.list()? else { return None };
        self.mappings.get(map.text()?)?.get(first.text()?)?.get(second.text()?)
    }
}

/// Returns `new` with the origin of `old`; `old` itself where they are the same data.
fn changed(old: &Value, new: Value) -> Value {
    if *old == new { old.clone() } else { new.at(old.origin()) }
}

fn value(tree: &Tree, node: NodeId) -> Value {
    nodes::read(tree, node)
}

/// Returns the string of an `Fn::Sub` with other text in place of the placeholders for which `find` has one.
pub(crate) fn substitute(text: &str, find: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find('}').map_or(from.len(), |end| end + 1);
        let (placeholder, after) = from.split_at(end);
        let name = placeholder.strip_prefix("${").and_then(|name| name.strip_suffix('}')).unwrap_or_default();
        match find(name) {
            Some(new) => out.push_str(&new),
            None => out.push_str(placeholder),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
