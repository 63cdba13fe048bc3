//! What is known while the resources of a template are translated, one after another.

use std::cell::RefCell;
use std::collections::BTreeMap;

use formwork_syntax::NodeId;

use crate::api::shared::Shared;
use crate::budget::Budget;
use crate::deployments::Deployments;
use crate::events::push::bucket_state::BucketState;
use crate::parameters::Parameters;
use crate::references::References;
use crate::refusal::Refusal;
use crate::report::Remark;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The state that all resources share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) parameters: Parameters,
    /// The authored resources, with the values of `Globals`.
    pub(crate) resources: Map,
    /// The section `Conditions`, which grows.
    pub(crate) conditions: Map,
    /// Set if the template has the section.
    pub(crate) has_conditions: bool,
    /// Set when a serverless resource stays as it is.
    pub(crate) has_kept: bool,
    pub(crate) references: References,
    pub(crate) deployments: Deployments,
    /// Buckets with events, by ID.
    pub(crate) buckets: BTreeMap<String, BucketState>,
    pub(crate) budget: Budget,
    /// Names and resources that APIs share.
    pub(crate) apis: Shared,
    remarks: RefCell<Vec<Remark>>,
}

impl Context {
    pub(crate) fn new(parameters: Parameters, resources: Map, conditions: Option<Map>, budget: Budget) -> Context {
        Context {
            parameters,
            resources,
            has_conditions: conditions.is_some(),
            conditions: conditions.unwrap_or_default(),
            has_kept: false,
            references: References::default(),
            deployments: Deployments::default(),
            buckets: BTreeMap::new(),
            budget,
            apis: Shared::default(),
            remarks: RefCell::default(),
        }
    }

    /// Adds a remark.
    pub(crate) fn remark(&self, remark: Remark) {
        self.remarks.borrow_mut().push(remark);
    }

    /// Returns the remarks.
    pub(crate) fn take_remarks(&self) -> Vec<Remark> {
        self.remarks.take()
    }
}

/// A serverless resource.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) id: String,
    pub(crate) resource: Map,
    pub(crate) properties: Map,
    pub(crate) origin: Option<NodeId>,
}

impl Input {
    /// Returns the value of a property that is neither null, `false`, zero nor empty.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.properties.get_true(name)
    }

    /// Returns the attributes for resources beside the one with the ID.
    pub(crate) fn passed(&self) -> Map {
        crate::attributes::of_all(&self.resource)
    }

    /// Returns a resource that is made besides, with an ID that begins with that of this resource.
    pub(crate) fn besides(&self, suffix: &str, kind: &'static str) -> Resource {
        Resource::new(format!("{}{suffix}", self.id), kind).with(self.passed()).from(self.origin)
    }
}

/// The resources that a resource becomes.
pub(crate) type Translated = Result<Vec<Resource>, Refusal>;
