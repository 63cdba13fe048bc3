//! Names and resources that the APIs of a template share.

use rustc_hash::FxHashMap;

use crate::value::{Map, Value};

/// Groups of record sets by ID, which several domains share, with the attributes of the first one.
pub(crate) type RecordSets = FxHashMap<String, (Map, Vec<Value>)>;

/// The APIs of the usage plan that several share.
#[derive(Debug, Default)]
pub(super) struct SharedPlans {
    pub(super) apis: Vec<(String, String)>,
    pub(super) attributes: Option<Map>,
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
