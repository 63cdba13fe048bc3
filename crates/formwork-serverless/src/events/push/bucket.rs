//! `S3`: the bucket notifies the function.

use super::bucket_state::BucketState;
use super::link::{Link, Linked};
use crate::budget::Size;
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

/// The notifications of functions.
const OF_FUNCTIONS: &str = "LambdaConfigurations";

/// Marks that the dependencies of a bucket are known.
const DEPENDENCIES: &str = "DependsOn";

/// Translates an event: a permission, and notifications of the bucket.
pub(super) fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let mut permission = event.permission("Permission", "s3.amazonaws.com");
    permission.set("SourceAccount", make::reference("AWS::AccountId"));
    let count = event.get("Events").and_then(Value::list).map_or(1, <[Value]>::len);
    let filter = event.get("Filter").map(Size::of).unwrap_or_default();
    cx.budget.spend(filter, count).map_err(|refusal| refusal.at(event.origin))?;
    let mut bucket = LINK.resource(cx, event)?;
    let mut state = cx.buckets.remove(&bucket.id).unwrap_or_default();
    let condition = permission.attributes.get_true("Condition").cloned();
    let changed = change(&mut bucket, event, (&permission.id, condition.as_ref()), &mut state);
    state.tags = tags::propagated(event.owner).map(tags::list);
    cx.buckets.insert(bucket.id.clone(), state);
    bucket.is_refused = changed.is_err();
    bucket.write(cx);
    changed.map(|()| vec![permission])
}

fn change(
    bucket: &mut Linked,
    event: &Event<'_>,
    (permission, condition): (&str, Option<&Value>),
    state: &mut BucketState,
) -> Result<(), Refusal> {
    match condition {
        Some(condition) => depend_by_tag(bucket, permission, condition)?,
        None => depend(bucket, event, permission, state)?,
    }
    notify(bucket, event, condition, state)
}

/// Replaces the tags of buckets by those of the last function with an event of the bucket, if that propagates its tags.
pub(crate) fn set_tags(cx: &mut Context) {
    for (id, state) in &mut cx.buckets {
        let Some(tags) = state.tags.take() else { continue };
        let properties = cx.resources.get_mut(id).and_then(|bucket| bucket.as_map().get_mut("Properties"));
        if let Some(properties) = properties {
            properties.as_map().set("Tags", tags);
        }
    }
}

/// Makes the bucket depend on the permission.
fn depend(bucket: &mut Linked, event: &Event<'_>, permission: &str, state: &mut BucketState) -> Result<(), Refusal> {
    let mut own = bucket.take_dependencies();
    let origin = own.as_ref().and_then(Value::origin);
    let mut all: Vec<Value> = match &mut own {
        None => Vec::new(),
        Some(one) if one.text().is_some() => vec![one.clone()],
        Some(one) if one.list().is_some() => std::mem::take(one.as_list()),
        Some(one) => {
            let Some(map) = one.map() else {
                let sentence = "Invalid type for field 'DependsOn'. Expected a string or list of strings.";
                return Err(Refusal::new(sentence).at(origin).of_resource(&event.id()));
            };
            map.keys().map(Value::from).collect()
        }
    };
    if state.known.insert(DEPENDENCIES.to_owned()) {
        all.retain(|one| state.add(one));
    }
    let permission = Value::from(permission).at(event.origin);
    if state.add(&permission) {
        all.push(permission);
    }
    bucket.set_dependencies(Value::from(all).at(origin.or(event.origin)));
    if bucket.has_wrong_properties {
        return Err(bucket.refuse_properties());
    }
    Ok(())
}

/// Makes the bucket depend on a permission that has a condition: by a tag with a reference to it.
fn depend_by_tag(bucket: &mut Linked, permission: &str, condition: &Value) -> Result<(), Refusal> {
    if bucket.has_odd_properties() {
        return Err(bucket.refuse_properties());
    }
    if let Some(tags) = bucket.properties.get("Tags").filter(|tags| tags.list().is_none()) {
        return Err(bucket.refuse("Property 'Tags' should be a list.", tags.origin()));
    }
    let value = make::if_else(condition.clone(), make::reference(permission), "no dependency".into());
    let key = format!("sam:ConditionalDependsOn:{permission}");
    let tag = make::map([("Key", key.into()), ("Value", value)]);
    bucket.properties.entry("Tags", Vec::new()).as_list().push(tag);
    Ok(())
}

/// Adds a notification for each kind of event.
fn notify(
    bucket: &mut Linked,
    event: &Event<'_>,
    condition: Option<&Value>,
    state: &mut BucketState,
) -> Result<(), Refusal> {
    if let Some(own) = bucket.properties.get(NOTIFICATIONS).filter(|own| own.map().is_none()) {
        return Err(bucket.refuse(format!("Property '{NOTIFICATIONS}' should be a map."), own.origin()));
    }
    let all = bucket.properties.get(NOTIFICATIONS).and_then(|own| own.get(OF_FUNCTIONS));
    if let Some(own) = all.filter(|own| own.list().is_none() && !own.is_null()) {
        return Err(bucket.refuse("Invalid type for LambdaConfigurations. Must be a list.", own.origin()));
    }
    let notifications = bucket.properties.entry(NOTIFICATIONS, Map::new()).as_map();
    let all = notifications.entry(OF_FUNCTIONS, Vec::new()).as_list();
    if state.known.insert(OF_FUNCTIONS.to_owned()) {
        for one in all.iter() {
            state.add(one);
        }
    }
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
        if state.add(&made) {
            all.push(made);
        }
    }
    Ok(())
}
