//! `IoTRule`: a rule of topics.

use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::Role;
use crate::make;
use crate::value::Map;

/// Translates an event.
#[allow(clippy::unnecessary_wraps, reason = "all sources have this signature")]
pub(super) fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let mut rule = event.makes("", "AWS::IoT::TopicRule");
    let action = make::map([("Lambda", make::map([("FunctionArn", event.target.arn.clone())]))]);
    let mut payload = Map::new();
    payload.set("Sql", event.written("Sql").unwrap_or_default());
    payload.set_some("AwsIotSqlVersion", event.get("AwsIotSqlVersion").cloned());
    payload.set("RuleDisabled", false);
    payload.set("Actions", make::list([action]));
    rule.set("TopicRulePayload", payload);
    let mut permission = event.permission("Permission", "iot.amazonaws.com");
    permission.set("SourceAccount", make::sub("${AWS::AccountId}"));
    let arn = format!("arn:{}:iot:${{AWS::Region}}:${{AWS::AccountId}}:rule/${{RuleName}}", cx.parameters.partition);
    permission.set("SourceArn", make::sub_with(&arn, [("RuleName", rule.reference())]));
    Ok(vec![permission, rule])
}
