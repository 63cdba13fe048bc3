//! Names and resources that the APIs of a template share.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::make;
use crate::value::{Map, Value};

/// Groups of record sets by ID, which several domains share, with the attributes of the first one.
pub(crate) type RecordSets = FxHashMap<String, (Map, Vec<Value>)>;

/// The APIs of the usage plan that several share.
#[derive(Debug, Default)]
pub(super) struct SharedPlans {
    /// IDs of the APIs and of their stages.
    pub(super) apis: Vec<(String, String)>,
    /// Attributes of the APIs.
    attributes: Vec<Map>,
}

/// Policies of resources, the strongest first.
const POLICIES: [&str; 3] = ["Retain", "Snapshot", "Delete"];

impl SharedPlans {
    /// Adds an API, its stage, and what it hands on.
    pub(super) fn add(&mut self, api: (String, String), attributes: Map) {
        self.apis.push(api);
        self.attributes.push(attributes);
    }

    /// Returns the attributes of what the APIs share, and the condition that it has under this name.
    pub(super) fn attributes(&self, name: &str) -> (Map, Option<Value>) {
        let mut shared = Map::new();
        let texts = |name: &'static str| self.attributes.iter().map(move |one| one.get(name).and_then(Value::text));
        for key in ["DeletionPolicy", "UpdateReplacePolicy"] {
            let policy = POLICIES.into_iter().find(|policy| texts(key).any(|own| own == Some(policy)));
            shared.set_some(key, policy);
        }
        // Without the condition of all APIs it is always there.
        let conditions: Option<BTreeSet<&str>> = texts("Condition").collect();
        let condition = conditions.filter(|conditions| !conditions.is_empty()).map(|conditions| {
            shared.set("Condition", name);
            let mut any = conditions.iter().copied();
            if let (Some(only), None) = (any.next(), any.next()) {
                return only.into();
            }
            let any = conditions.iter().map(|one| make::call("Condition", Value::from(*one)));
            make::call("Fn::Or", any.collect::<Vec<Value>>())
        });
        (shared, condition)
    }
}

/// What all APIs of a template share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// `FunctionName` of the functions with events of an API: IDs and names.
    functions: FxHashMap<String, FxHashMap<String, String>>,
    /// Groups of record sets by ID.
    pub(crate) record_sets: RecordSets,
    /// Usage plans of several APIs.
    pub(super) plans: SharedPlans,
}

impl Shared {
    /// Adds the name of a function with an event of an API.
    pub(crate) fn add_function(&mut self, api: &str, id: &str, name: &str) {
        self.functions.entry(api.to_owned()).or_default().entry(id.to_owned()).or_default().push_str(name);
    }

    /// Returns the names of the functions of an API, in the order of the resources.
    pub(super) fn names(&self, api: &str, order: impl FnOnce() -> Vec<String>) -> String {
        let Some(all) = self.functions.get(api) else { return String::new() };
        order().iter().filter_map(|id| all.get(id)).map(String::as_str).collect()
    }
}
