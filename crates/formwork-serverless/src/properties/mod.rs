//! Which properties a serverless resource may have, and of which kind each is.

#[allow(dead_code, reason = "types of APIs are added one by one")]
mod table;

use formwork_syntax::NodeId;

use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Data, Map as Members, Value};

#[allow(unused_imports, reason = "types of APIs are added one by one")]
pub(crate) use table::{
    API, APPLICATION, CAPACITY_PROVIDER, CONNECTOR, FUNCTION, GRAPH_QL_API, HTTP_API, LAYER_VERSION, MICROVM_IMAGE,
    NETWORK_CONNECTOR, SIMPLE_TABLE, STATE_MACHINE, WEB_FUNCTION, WEB_SOCKET_API,
};

/// A property of a serverless type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property {
    pub(crate) name: &'static str,
    kind: Kind,
    is_required: bool,
    may_be_call: bool,
    /// Set if its absence is reported before unknown names.
    is_first: bool,
}

/// Returns a property that may be a call.
pub(crate) const fn of(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, is_required: false, may_be_call: true, is_first: false }
}

impl Property {
    pub(crate) const fn required(mut self) -> Property {
        self.is_required = true;
        self
    }

    pub(crate) const fn first(mut self) -> Property {
        self.is_first = true;
        self
    }

    pub(crate) const fn without_calls(mut self) -> Property {
        self.may_be_call = false;
        self
    }
}

/// The kinds of values that the translator distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Anything: it is handed on.
    Any,
    Bool,
    BoolOrMap,
    /// `Delete` or `Retain`.
    DeletionPolicy,
    List,
    ListOrMap,
    Map,
    /// A mapping, or a list of mappings.
    MapOrMaps,
    /// A mapping of mappings.
    Maps,
    Number,
    /// A mapping of numbers or mappings.
    NumbersByName,
    /// A string, reported as one of several kinds.
    OneText,
    /// A string, a mapping, or a list of them.
    Policies,
    Text,
    /// A string, or a list of strings or mappings.
    TextOrList,
    TextOrMap,
    /// A list of strings.
    Texts,
    /// A mapping of strings.
    TextsByName,
    /// A list of strings or mappings.
    TextsOrMaps,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        let is_text = |value: &Value| value.text().is_some();
        let is_map = |value: &Value| value.map().is_some();
        let is_number = |value: &Value| matches!(value.data(), Data::Number(text) if text.parse::<i64>().is_ok());
        let each = |fits: &dyn Fn(&Value) -> bool| value.list().is_some_and(|items| items.iter().all(fits));
        let every = |fits: &dyn Fn(&Value) -> bool| value.map().is_some_and(|map| map.iter().all(|(_, one)| fits(one)));
        let is_one = |value: &Value| is_text(value) || is_map(value);
        match self {
            Kind::Any => true,
            Kind::Bool => value.truth().is_some(),
            Kind::BoolOrMap => value.truth().is_some() || is_map(value),
            Kind::DeletionPolicy => matches!(value.text(), Some("Delete" | "Retain")),
            Kind::List => value.list().is_some(),
            Kind::ListOrMap => value.list().is_some() || is_map(value),
            Kind::Map => is_map(value),
            Kind::MapOrMaps => is_map(value) || each(&is_map),
            Kind::Maps => every(&is_map),
            Kind::Number => is_number(value) || value.truth().is_some(),
            Kind::NumbersByName => every(&|one| is_number(one) || is_map(one) || one.truth().is_some()),
            Kind::OneText | Kind::Text => is_text(value),
            Kind::Policies => is_one(value) || each(&is_one),
            Kind::TextOrList => is_text(value) || each(&is_one),
            Kind::TextOrMap => is_one(value),
            Kind::Texts => each(&is_text),
            Kind::TextsByName => every(&is_text),
            Kind::TextsOrMaps => each(&is_one),
        }
    }

    /// Returns what a value has to be, in words.
    fn words(self) -> &'static str {
        match self {
            Kind::Any => "anything",
            Kind::Bool => "true or false",
            Kind::BoolOrMap => "true, false or a mapping",
            Kind::DeletionPolicy => "Delete or Retain",
            Kind::List => "a list",
            Kind::ListOrMap => "a list or a mapping",
            Kind::Map => "a mapping",
            Kind::MapOrMaps => "a mapping or a list of mappings",
            Kind::Maps => "a mapping of mappings",
            Kind::Number => "a whole number",
            Kind::NumbersByName => "a mapping of numbers",
            Kind::OneText | Kind::Text => "a string",
            Kind::Policies => "a string, a mapping or a list of them",
            Kind::TextOrList => "a string or a list",
            Kind::TextOrMap => "a string or a mapping",
            Kind::Texts => "a list of strings",
            Kind::TextsByName => "a mapping of strings",
            Kind::TextsOrMaps => "a list of strings or mappings",
        }
    }

    fn sentence(self, name: &str) -> String {
        match self {
            Kind::Text => format!("Property '{name}' should be a string."),
            Kind::Map => format!("Property '{name}' should be a map."),
            Kind::DeletionPolicy => {
                format!("Property '{name}' should be a one of the strings: 'Delete' or 'Retain'.")
            }
            _ => format!("Type of property '{name}' is invalid."),
        }
    }
}

/// Compares the section `Properties` of a resource with a mapping.
pub(crate) fn check_section(resource: &Members) -> Result<(), Refusal> {
    match resource.get("Properties").filter(|section| section.map().is_none()) {
        Some(wrong) => Err(Refusal::new("Properties of a resource must be an object.").at(wrong.origin())),
        None => Ok(()),
    }
}

/// Compares the properties of a resource of `kind` with the table.
pub(crate) fn check(
    kind: &str,
    known: &[Property],
    properties: &Members,
    around: Option<NodeId>,
) -> Result<(), Refusal> {
    let is_missing = |property: &Property| properties.get(property.name).is_none_or(Value::is_null);
    if let Some(first) = known.iter().find(|property| property.is_first && is_missing(property)) {
        return Err(Refusal::new(format!("Missing required property '{}'.", first.name)).at(around));
    }
    for (name, _) in properties.iter() {
        if !known.iter().any(|property| property.name == name) {
            let sentence = format!("property {name} not defined for resource of type {kind}");
            let title = format!("{kind} has no property {name}");
            let known = known.iter().map(|property| property.name);
            return Err(Refusal::new(sentence).at(properties.key(name)).about(name).titled(title).among(known));
        }
    }
    for property in known {
        let name = property.name;
        let Some(value) = properties.get(name).filter(|value| !value.is_null()) else {
            if property.is_required {
                let refusal = Refusal::new(format!("Missing required property '{name}'.")).at(around);
                return Err(refusal.titled(format!("@ has no {name}")));
            }
            continue;
        };
        let is_call = property.may_be_call && value.map().is_some_and(|map| map.len() == 1);
        if !is_call && !property.kind.fits(value) {
            let title = format!("{name} of @ is {}, not {}", shown::kind(value), property.kind.words());
            return Err(Refusal::new(property.kind.sentence(name)).at(value.origin()).titled(title));
        }
    }
    Ok(())
}
