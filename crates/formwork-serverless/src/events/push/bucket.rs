//! `S3`: the bucket notifies the function.

use super::link::{Link, Linked};
use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::Role;
use crate::refusal::Refusal;
use crate::value::{Map, Value};
use crate::{make, tags};

pub(super) const LINK: Link = Link {
    source: "S3",
    property: "Bucket",
    kind: "AWS::S3::Bucket",
    known: &[
        "AccelerateConfiguration",
        "AccessControl",
        "AnalyticsConfigurations",
        "BucketEncryption",
        "BucketName",
        "CorsConfiguration",
        "IntelligentTieringConfigurations",
        "InventoryConfigurations",
        "LifecycleConfiguration",
        "LoggingConfiguration",
        "MetricsConfigurations",
        "NotificationConfiguration",
        "ObjectLockConfiguration",
        "ObjectLockEnabled",
        "OwnershipControls",
        "PublicAccessBlockConfiguration",
        "ReplicationConfiguration",
        "Tags",
        "VersioningConfiguration",
        "WebsiteConfiguration",
    ],
    not_here: "S3 events must reference an S3 bucket in the same template.",
    not_text: "'Ref' value in S3 events is not a valid string.",
    is_by_id: false,
};

/// Property of a bucket with its notifications.
const NOTIFICATIONS: &str = "NotificationConfiguration";

/// Translates an event: a permission, and notifications of the bucket.
pub(super) fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let mut permission = event.permission("Permission", "s3.amazonaws.com");
    permission.set("SourceAccount", make::reference("AWS::AccountId"));
    let mut bucket = LINK.resource(cx, event)?;
    let condition = permission.attributes.get_true("Condition").cloned();
    if let Some(condition) = &condition {
        depend_by_tag(&mut bucket, &permission.id, condition)?;
    } else {
        depend(&mut bucket, event, &permission.id)?;
    }
    notify(&mut bucket, event, condition.as_ref())?;
    let tags = tags::propagated(event.owner).map(tags::list);
    cx.bucket_tags.set(&bucket.id, tags.map_or_else(Value::default, Value::from));
    bucket.write(cx);
    Ok(vec![permission])
}

/// Replaces the tags of buckets by those of the last function with an event of the bucket, if that propagates its tags.
pub(crate) fn set_tags(cx: &mut Context) {
    for (id, tags) in cx.bucket_tags.iter().filter(|(_, tags)| !tags.is_null()) {
        let properties = cx.resources.get_mut(id).and_then(|bucket| bucket.as_map().get_mut("Properties"));
        if let Some(properties) = properties {
            properties.as_map().set("Tags", tags.clone());
        }
    }
}

/// Makes the bucket depend on the permission.
fn depend(bucket: &mut Linked, event: &Event<'_>, permission: &str) -> Result<(), Refusal> {
    let mut all: Vec<Value> = match bucket.dependencies() {
        None => Vec::new(),
        Some(one) if one.text().is_some() => vec![one.clone()],
        Some(one) => match (one.list(), one.map()) {
            (Some(items), _) => items.to_vec(),
            (None, Some(map)) => map.keys().map(Value::from).collect(),
            (None, None) => {
                let sentence = "Invalid type for field 'DependsOn'. Expected a string or list of strings.";
                return Err(Refusal::new(sentence).at(one.origin()).of_resource(&event.id()));
            }
        },
    };
    all.push(Value::from(permission).at(event.origin));
    let mut seen: Vec<Value> = Vec::with_capacity(all.len());
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    bucket.set_dependencies(seen);
    if bucket.has_wrong_properties {
        let at = bucket.section().and_then(Value::origin);
        return Err(bucket.refuse("Properties should be a map.", at));
    }
    Ok(())
}

/// Makes the bucket depend on a permission that has a condition: by a tag with a reference to it.
fn depend_by_tag(bucket: &mut Linked, permission: &str, condition: &Value) -> Result<(), Refusal> {
    if bucket.section().is_some_and(|section| section.map().is_none() && !section.is_null()) {
        let at = bucket.section().and_then(Value::origin);
        return Err(bucket.refuse("Properties should be a map.", at));
    }
    let mut tags = match bucket.properties.get("Tags") {
        None => Vec::new(),
        Some(tags) => match tags.list() {
            Some(items) => items.to_vec(),
            None => return Err(bucket.refuse("Property 'Tags' should be a list.", tags.origin())),
        },
    };
    let value = make::if_else(condition.clone(), make::reference(permission), "no dependency".into());
    let key = format!("sam:ConditionalDependsOn:{permission}");
    tags.push(make::map([("Key", key.into()), ("Value", value)]));
    let origin = bucket.properties.get("Tags").and_then(Value::origin);
    bucket.properties.set("Tags", Value::from(tags).at(origin));
    Ok(())
}

/// Adds a notification for each kind of event.
fn notify(bucket: &mut Linked, event: &Event<'_>, condition: Option<&Value>) -> Result<(), Refusal> {
    let mut notifications = match bucket.properties.get(NOTIFICATIONS) {
        None => Value::from(Map::new()),
        Some(own) if own.map().is_some() => own.clone(),
        Some(own) => {
            return Err(bucket.refuse(format!("Property '{NOTIFICATIONS}' should be a map."), own.origin()));
        }
    };
    let mut all = match notifications.get("LambdaConfigurations").filter(|own| !own.is_null()) {
        None => Vec::new(),
        Some(own) => match own.list() {
            Some(items) => items.to_vec(),
            None => {
                let sentence = "Invalid type for LambdaConfigurations. Must be a list.";
                return Err(bucket.refuse(sentence, own.origin()));
            }
        },
    };
    let events = event.written("Events").unwrap_or_default();
    for one in events.list().unwrap_or(std::slice::from_ref(&events)) {
        let mut made = Map::new();
        made.set("Event", one.clone());
        made.set_some("Filter", event.written("Filter"));
        made.set("Function", event.target.arn.clone());
        let made = Value::from(made).at(event.origin);
        let made = match condition {
            Some(condition) => make::if_else(condition.clone(), made, make::no_value()).at(event.origin),
            None => made,
        };
        if !all.contains(&made) {
            all.push(made);
        }
    }
    let origin = notifications.get("LambdaConfigurations").and_then(Value::origin);
    notifications.as_map().set("LambdaConfigurations", Value::from(all).at(origin));
    bucket.properties.set(NOTIFICATIONS, notifications);
    Ok(())
}
