//! Roles and their policies.

use formwork_base::{codes, suggest};

use crate::context::{Context, Input};
use crate::facts::Facts;
use crate::make;
use crate::policies::{self, Policy};
use crate::refusal::Refusal;
use crate::report::Remark;
use crate::resource::Resource;
use crate::value::Value;

/// The version of policy documents.
pub(crate) const VERSION: &str = "2012-10-17";

/// Returns the ARN of the managed policy for traces.
pub(crate) fn tracing(partition: &str) -> Value {
    managed_arn(partition, if partition == "aws" { "AWSXrayWriteOnlyAccess" } else { "AWSXRayDaemonWriteAccess" })
}

/// Returns the ARN of a managed policy of AWS by its path.
pub(crate) fn managed_arn(partition: &str, path: &str) -> Value {
    format!("arn:{partition}:iam::aws:policy/{path}").into()
}

/// Returns a policy document.
pub(crate) fn document(statements: Vec<Value>) -> Value {
    make::map([("Version", VERSION.into()), ("Statement", statements.into())])
}

/// Returns the document that lets a service assume a role.
pub(crate) fn trust(service: &str) -> Value {
    let statement = make::map([
        ("Action", make::list(["sts:AssumeRole"])),
        ("Effect", "Allow".into()),
        ("Principal", make::map([("Service", make::list([service]))])),
    ]);
    make::map([("Version", VERSION.into()), ("Statement", make::list([statement]))])
}

/// A role that is being made.
#[derive(Clone, Debug)]
pub(crate) struct Role {
    service: &'static str,
    pub(crate) managed: Vec<Value>,
    pub(crate) inline: Vec<Value>,
}

impl Role {
    pub(crate) fn new(service: &'static str) -> Role {
        Role { service, managed: Vec::new(), inline: Vec::new() }
    }

    /// Adds the `Policies` of the owner.
    pub(crate) fn add(&mut self, cx: &Context, input: &Input) -> Result<(), Refusal> {
        let Some(policies) = input.get("Policies") else { return Ok(()) };
        for (index, policy) in policies::entries(policies).iter().enumerate() {
            match policies::of(policy)? {
                Policy::Statement => {
                    let name = format!("{}RolePolicy{index}", input.id);
                    self.inline.push(policies::inline(&name, policy).at(policy.origin()));
                }
                Policy::Managed => {
                    let arn = managed(cx, policy);
                    // One that every role has is of the author who names it.
                    match self.managed.iter_mut().find(|known| **known == arn) {
                        Some(known) if known.origin().is_none() => *known = arn,
                        Some(_) => {}
                        None => self.managed.push(arn),
                    }
                }
                Policy::Template | Policy::Unknown => return Err(policies::not_valid(index, policy)),
            }
        }
        Ok(())
    }

    /// Returns the role of the owner.
    pub(crate) fn into_resource(self, input: &Input, tags: Value) -> Resource {
        let mut role = input.besides("Role", "AWS::IAM::Role");
        let properties = &input.properties;
        let trusted = properties.get("AssumeRolePolicyDocument").filter(|document| !document.is_null());
        role.set("AssumeRolePolicyDocument", trusted.cloned().unwrap_or_else(|| trust(self.service)));
        role.set("ManagedPolicyArns", self.managed);
        role.set_some("Path", input.get("RolePath").cloned());
        if !self.inline.is_empty() {
            role.set("Policies", self.inline);
        }
        let boundary = properties.get("PermissionsBoundary").filter(|boundary| !boundary.is_null());
        role.set_some("PermissionsBoundary", boundary.cloned());
        role.set("Tags", tags);
        role
    }
}

/// Returns the ARN of a managed policy: that of a name that AWS has, else the policy as it is.
fn managed(cx: &Context, policy: &Value) -> Value {
    let arn = |policy: &Value| {
        let found = Facts::embedded().managed_policies().arn(&cx.parameters.partition, policy.text()?)?;
        Some(Value::from(found).at(policy.origin()))
    };
    let arn = |policy: &Value| {
        let found = arn(policy);
        if found.is_none() {
            cx.unknown_policy(policy);
        }
        found
    };
    match policy.call() {
        Some(("Fn::If", argument)) => {
            let mut items = argument.list().unwrap_or_default().to_vec();
            for branch in items.iter_mut().skip(1) {
                if let Some(arn) = arn(branch) {
                    *branch = arn;
                }
            }
            make::call("Fn::If", Value::from(items).at(argument.origin())).at(policy.origin())
        }
        _ => arn(policy).unwrap_or_else(|| policy.clone()),
    }
}

impl Context {
    /// Remarks a name that is neither an ARN nor a managed policy of AWS.
    fn unknown_policy(&self, policy: &Value) {
        let Some(name) = policy.text().filter(|name| !name.starts_with("arn:") && !name.contains("{{")) else { return };
        let (facts, partition) = (Facts::embedded(), &self.parameters.partition);
        let title = format!("{name} is not a managed policy of AWS");
        let mut remark = Remark::new(codes::SERVERLESS_POLICY, title, policy.origin());
        let names = facts.managed_policies().names(partition).chain(facts.policy_templates().names());
        remark.help = suggest::nearest(name, names).map(|near| format!("did you mean `{near}`?"));
        remark.note = Some("the transform hands it on, and IAM accepts only ARNs".to_owned());
        self.remark(remark);
    }
}
