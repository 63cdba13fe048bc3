//! `DeploymentPreference`: deployments of aliases by `CodeDeploy`, with an application and a role that all share.

use formwork_syntax::NodeId;

use crate::context::{Context, Input};
use crate::deployments::{Deployment, Deployments};
use crate::iam;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Data, Map, Value};
use crate::{conditions, make, tags};

const APPLICATION: &str = "ServerlessDeploymentApplication";
const ROLE: &str = "CodeDeployServiceRole";
const CONDITION: &str = "ServerlessCodeDeployCondition";

/// Configurations of `CodeDeploy` for functions.
const CONFIGURATIONS: [&str; 9] = [
    "Canary10Percent5Minutes",
    "Canary10Percent10Minutes",
    "Canary10Percent15Minutes",
    "Canary10Percent30Minutes",
    "Linear10PercentEvery1Minute",
    "Linear10PercentEvery2Minutes",
    "Linear10PercentEvery3Minutes",
    "Linear10PercentEvery10Minutes",
    "AllAtOnce",
];

/// Adds the deployment of a function, and returns the update policy of its alias.
pub(super) fn add(cx: &mut Context, input: &Input, has_alias: bool) -> Result<Option<Value>, Refusal> {
    let Some(preference) = input.get("DeploymentPreference") else { return Ok(None) };
    let origin = preference.origin();
    let mut preference = preference.clone();
    for name in ["Enabled", "Type"] {
        if let Some(value) = preference.get(name) {
            let value = cx.parameters.look_up(&cx.parameters.resolve(value)?);
            preference.as_map().set(name, value);
        }
    }
    let passed = match preference.get("PassthroughCondition") {
        Some(value) => conditions::boolean(cx, value, "PassthroughCondition")?,
        None => false,
    };
    let is_enabled = preference.get("Enabled").is_none_or(|value| value.is_true() && !is_false(value));
    if !is_enabled {
        return Ok(None);
    }
    let refuse = |sentence: &str, at: Option<NodeId>| Err(Refusal::new(sentence).at(at.or(origin)));
    if preference.map().is_some_and(|map| !map.has("Type")) {
        return refuse("'DeploymentPreference' is missing required Property 'Type'", None);
    }
    let hooks = preference.get("Hooks");
    if let Some(hooks) = hooks.filter(|hooks| hooks.map().is_none()) {
        return refuse("'Hooks' property of 'DeploymentPreference' must be a dictionary", hooks.origin());
    }
    let update = update(input, hooks).at(origin);
    let condition = input.resource.get_true("Condition").filter(|_| passed).cloned();
    let own_tags = tags::propagated(input);
    for (key, value) in own_tags.into_iter().flat_map(Map::iter) {
        cx.deployments.tags.set(key, value.clone());
    }
    let tags = own_tags.map(|tags| tags::list(tags).into());
    cx.deployments.list.push(Deployment { id: input.id.clone(), preference, condition, tags, origin });
    if !has_alias {
        return refuse("'DeploymentPreference' requires AutoPublishAlias property to be specified.", None);
    }
    Ok(Some(update))
}

fn is_false(value: &Value) -> bool {
    matches!(value.text(), Some("false" | "False"))
}

fn update(input: &Input, hooks: Option<&Value>) -> Value {
    let mut update = make::map([
        ("ApplicationName", make::reference(APPLICATION)),
        ("DeploymentGroupName", make::reference(&group_id(&input.id))),
    ]);
    for (name, hook) in [("BeforeAllowTrafficHook", "PreTraffic"), ("AfterAllowTrafficHook", "PostTraffic")] {
        let hook = hooks.and_then(|hooks| hooks.get(hook)).filter(|hook| !hook.is_null());
        update.as_map().set_some(name, hook.cloned());
    }
    make::map([("CodeDeployLambdaAliasUpdate", update)])
}

fn group_id(function: &str) -> String {
    format!("{function}DeploymentGroup")
}

/// Returns the application, the role and the groups, if there is a deployment.
pub(crate) fn translate_shared(cx: &mut Context, refuse: &mut dyn FnMut(&str, Refusal)) -> Vec<Resource> {
    let Deployments { list, tags } = std::mem::take(&mut cx.deployments);
    let Some(first) = list.first() else { return Vec::new() };
    let condition = shared_condition(cx, &list);
    let tags = Some(tags::list(&tags)).filter(|tags| !tags.is_empty()).map(Value::from);
    let shared = |id: &str, kind: &'static str| {
        let mut resource = Resource::new(id, kind).from(first.origin);
        resource.attributes.set_some("Condition", condition.clone());
        resource
    };
    let mut application = shared(APPLICATION, "AWS::CodeDeploy::Application");
    application.set("ComputePlatform", "Lambda");
    application.set_some("Tags", tags.clone());
    let mut made = vec![application];
    if list.iter().any(|one| one.role().is_none()) {
        let mut role = shared(ROLE, "AWS::IAM::Role");
        role.set("AssumeRolePolicyDocument", iam::trust("codedeploy.amazonaws.com"));
        let path = "service-role/AWSCodeDeployRoleForLambda";
        role.set("ManagedPolicyArns", make::list([iam::managed_arn(&cx.parameters.partition, path)]));
        role.set_some("Tags", tags);
        made.push(role);
    }
    for one in &list {
        match one.group() {
            Ok(group) => made.push(group),
            Err(refusal) => refuse(&one.id, refusal),
        }
    }
    made
}

/// Returns the condition of what all functions share: theirs, if each has one.
fn shared_condition(cx: &mut Context, list: &[Deployment]) -> Option<Value> {
    let names: Option<Vec<&str>> = list.iter().map(|one| one.condition.as_ref().and_then(Value::text)).collect();
    let mut distinct: Vec<&str> = Vec::new();
    for name in names? {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.as_slice() {
        [one] => Some((*one).into()),
        several => {
            conditions::add_or(cx, CONDITION, several);
            Some(CONDITION.into())
        }
    }
}

impl Deployment {
    fn role(&self) -> Option<&Value> {
        self.preference.map()?.get_true("Role")
    }

    fn group(&self) -> Result<Resource, Refusal> {
        let mut group = Resource::new(group_id(&self.id), "AWS::CodeDeploy::DeploymentGroup").from(self.origin);
        group.attributes.set_some("Condition", self.condition.clone());
        let alarms = self.preference.get("Alarms").filter(|alarms| alarms.is_true() && !alarms.is_no_value());
        group.set_some("AlarmConfiguration", alarms.map(alarm_configuration).transpose()?);
        group.set("ApplicationName", make::reference(APPLICATION));
        let events = ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM", "DEPLOYMENT_STOP_ON_REQUEST"];
        let rollback = make::map([("Enabled", true.into()), ("Events", make::list(events))]);
        group.set("AutoRollbackConfiguration", rollback);
        let kind = self.preference.get("Type").filter(|kind| !kind.is_null());
        group.set_some("DeploymentConfigName", kind.map(|kind| configuration(kind, "")));
        let style = [("DeploymentType", "BLUE_GREEN".into()), ("DeploymentOption", "WITH_TRAFFIC_CONTROL".into())];
        group.set("DeploymentStyle", make::map(style));
        group.set("ServiceRoleArn", self.role().cloned().unwrap_or_else(|| make::get_att(ROLE, "Arn")));
        let triggers = self.preference.get("TriggerConfigurations").filter(|triggers| triggers.is_true());
        group.set_some("TriggerConfigurations", triggers.cloned());
        group.set_some("Tags", self.tags.clone());
        Ok(group)
    }
}

/// Returns the value with the full names of the configurations. `function` is the call around it.
fn configuration(value: &Value, function: &str) -> Value {
    match (value.data(), value.call()) {
        (Data::List(items), _) => {
            let items: Vec<Value> = items.iter().map(|item| configuration(item, "")).collect();
            Value::from(items).at(value.origin())
        }
        (_, Some((name, argument))) => make::call(name, configuration(argument, name)).at(value.origin()),
        (Data::Text(text), _) if CONFIGURATIONS.contains(&&**text) => {
            let full = [
                Value::from("CodeDeployDefault.Lambda${ConfigName}"),
                make::map([("ConfigName", Value::from(&**text))]),
            ];
            let full = make::list(full);
            if function == "Fn::Sub" { full } else { make::call("Fn::Sub", full) }.at(value.origin())
        }
        _ => value.clone(),
    }
}

fn alarm_configuration(alarms: &Value) -> Result<Value, Refusal> {
    let Some(("Fn::If", argument)) = alarms.call() else { return alarm_list(alarms) };
    let Some([condition, yes, no]) = argument.list() else {
        return Err(Refusal::new("Fn::If requires 3 arguments").at(alarms.origin()));
    };
    Ok(make::if_else(condition.clone(), alarm_list(yes)?, alarm_list(no)?).at(alarms.origin()))
}

fn alarm_list(alarms: &Value) -> Result<Value, Refusal> {
    let Some(items) = alarms.list() else {
        return Err(Refusal::new("Alarms must be a list").at(alarms.origin()));
    };
    if items.is_empty() {
        return Ok(Map::new().into());
    }
    let items: Vec<Value> = items.iter().map(|item| make::map([("Name", item.clone())]).at(item.origin())).collect();
    Ok(make::map([("Enabled", true.into()), ("Alarms", items.into())]).at(alarms.origin()))
}
