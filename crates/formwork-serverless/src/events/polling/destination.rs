//! `DestinationConfig`: where batches go that failed.

use super::{allow, policy};
use crate::events::event::Event;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::Value;

/// Sets the destination of a mapping. Returns the policies that it needs.
pub(super) fn set(event: &Event<'_>, mapping: &mut Resource) -> Result<Vec<Value>, Refusal> {
    let Some(authored) = event.get("DestinationConfig") else { return Ok(Vec::new()) };
    let Some(failure) = authored.get("OnFailure").filter(|failure| failure.map().is_some()) else {
        let refusal = Refusal::new("Property 'DestinationConfig.OnFailure' should be a map.");
        return Err(refusal.of_event(&event.id()).at(authored.origin()));
    };
    let mut new = failure.clone();
    let kind = if failure.get("Type").is_some() { new.as_map().remove("Type") } else { None };
    let mut config = authored.clone();
    if kind.is_some() {
        config.as_map().set("OnFailure", new.at(failure.origin()));
    }
    mapping.set("DestinationConfig", config);
    let Some(kind) = kind.filter(Value::is_true) else { return Ok(Vec::new()) };
    let target = failure.get("Destination").cloned().unwrap_or_default();
    let statements = match kind.text() {
        Some("SQS") => vec![allow("sqs:SendMessage", target)],
        Some("SNS") => vec![allow("sns:publish", target)],
        Some("S3") => vec![
            allow("s3:PutObject", make::join("/", vec![target.clone(), "*".into()])),
            allow("s3:ListBucket", target),
        ],
        Some("Kafka") => return Ok(Vec::new()),
        _ => {
            let refusal = Refusal::new("The only valid values for 'Type' are 'SQS', 'SNS', 'S3', and 'Kafka'");
            return Err(refusal.of_event(&event.id()).at(kind.origin()));
        }
    };
    let name = format!("{}{}Policy", event.id(), kind.text().unwrap_or_default());
    Ok(vec![policy(&name, statements)])
}
