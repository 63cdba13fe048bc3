//! An event, its source and its target.

use formwork_syntax::NodeId;

use crate::context::{Context, Input, Translated};
use crate::iam::Role;
use crate::properties::Property;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// A source of events.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) properties: &'static [Property],
    /// Translates an event. The role is that of the owner, if the transform makes it.
    pub(crate) translate: fn(&mut Context, &Event<'_>, Option<&mut Role>) -> Translated,
}

/// The function or state machine that an event invokes.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// `Ref` of the function or its alias: `FunctionName` of a permission.
    pub(crate) name: Value,
    /// ARN of the function or its alias.
    pub(crate) arn: Value,
}

/// An event of a function or a state machine.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) owner: &'a Input,
    /// The name below `Events`.
    pub(crate) name: &'a str,
    /// The name of the source.
    pub(crate) kind: &'static str,
    pub(crate) properties: Map,
    pub(crate) origin: Option<NodeId>,
    pub(crate) target: &'a Target,
}

impl Event<'_> {
    /// Returns the ID of the owner and the name of the event.
    pub(crate) fn id(&self) -> String {
        format!("{}{}", self.owner.id, self.name)
    }

    /// Returns the value of a property that is neither null, `false`, zero nor empty.
    #[allow(dead_code, reason = "for sources that are added one by one")]
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.properties.get_true(name)
    }

    /// Returns the value of a property that is not null.
    pub(crate) fn written(&self, name: &str) -> Option<Value> {
        self.properties.get(name).filter(|value| !value.is_null()).cloned()
    }

    /// Returns a resource that the event becomes, with the conditions and policies of the owner.
    pub(crate) fn makes(&self, suffix: &str, kind: &'static str) -> Resource {
        Resource::new(format!("{}{suffix}", self.id()), kind).with(self.owner.passed()).from(self.origin)
    }

    /// Returns the permission of a service to invoke the function.
    pub(crate) fn permission(&self, suffix: &str, principal: &str) -> Resource {
        let mut permission = self.makes(suffix, "AWS::Lambda::Permission");
        permission.set("Action", "lambda:InvokeFunction");
        permission.set("FunctionName", self.target.name.clone());
        permission.set("Principal", principal);
        permission
    }
}
