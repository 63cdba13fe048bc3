//! `CloudWatchLogs`: a subscription filter of a log group.

use super::event::{Event, Source};
use crate::context::{Context, Translated};
use crate::iam::Role;
use crate::make;
use crate::properties::{Kind, of};

pub(super) const SOURCE: Source = Source {
    name: "CloudWatchLogs",
    properties: &[of("LogGroupName", Kind::Text).required(), of("FilterPattern", Kind::Text).required()],
    translate,
};

#[allow(clippy::unnecessary_wraps, reason = "all sources have this signature")]
fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let group = event.written("LogGroupName").unwrap_or_default();
    let mut permission = event.permission("Permission", "logs.amazonaws.com");
    let arn = format!(
        "arn:{}:logs:${{AWS::Region}}:${{AWS::AccountId}}:log-group:${{__LogGroupName__}}:*",
        cx.parameters.partition
    );
    permission.set("SourceArn", make::sub_with(&arn, [("__LogGroupName__", group.clone())]));
    let mut filter = event.makes("", "AWS::Logs::SubscriptionFilter");
    filter.attributes.set("DependsOn", make::list([permission.id.as_str()]));
    filter.set("LogGroupName", group);
    filter.set_some("FilterPattern", event.written("FilterPattern"));
    filter.set("DestinationArn", event.target.arn.clone());
    Ok(vec![permission, filter])
}
