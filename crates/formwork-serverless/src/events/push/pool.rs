//! `Cognito`: triggers of a pool of users.

use super::link::Link;
use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::Role;
use crate::make;
use crate::shown;
use crate::value::{Map, Value};

pub(super) const LINK: Link = Link {
    source: "Cognito",
    property: "UserPool",
    kind: "AWS::Cognito::UserPool",
    known: &[
        "AccountRecoverySetting",
        "AdminCreateUserConfig",
        "AliasAttributes",
        "AutoVerifiedAttributes",
        "DeletionProtection",
        "DeviceConfiguration",
        "EmailAuthenticationMessage",
        "EmailAuthenticationSubject",
        "EmailConfiguration",
        "EmailVerificationMessage",
        "EmailVerificationSubject",
        "EnabledMfas",
        "LambdaConfig",
        "MfaConfiguration",
        "Policies",
        "Schema",
        "SmsAuthenticationMessage",
        "SmsConfiguration",
        "SmsVerificationMessage",
        "UserAttributeUpdateSettings",
        "UserPoolAddOns",
        "UserPoolName",
        "UserPoolTags",
        "UserPoolTier",
        "UsernameAttributes",
        "UsernameConfiguration",
        "VerificationMessageTemplate",
        "WebAuthnRelyingPartyID",
        "WebAuthnUserVerification",
    ],
    not_here: "Cognito events must reference a Cognito UserPool in the same template.",
    not_text: "Ref in Userpool is not a string.",
    is_by_id: true,
};

/// Property of a pool with its triggers.
const TRIGGERS: &str = "LambdaConfig";

/// Translates an event: a permission, and triggers of the pool.
pub(super) fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let mut pool = LINK.resource(cx, event)?;
    if pool.section().is_some_and(|section| section.map().is_none() && !section.is_null()) {
        let at = pool.section().and_then(Value::origin);
        return Err(pool.refuse("Properties should be a map.", at));
    }
    let mut triggers = match pool.properties.get(TRIGGERS) {
        None => Value::from(Map::new()),
        Some(own) if own.map().is_some() => own.clone(),
        Some(own) => return Err(pool.refuse(format!("Property '{TRIGGERS}' should be a map."), own.origin())),
    };
    let wanted = event.written("Trigger").unwrap_or_default();
    for one in wanted.list().unwrap_or(std::slice::from_ref(&wanted)) {
        let name = one.text().unwrap_or_default();
        let map = triggers.as_map();
        if map.has(name) {
            let sentence = format!("Cognito trigger \"{}\" defined multiple times.", shown::plain(&wanted));
            return Err(event.refuse(event.name, sentence, one.origin()));
        }
        map.set(name, event.target.arn.clone().at(event.origin));
    }
    pool.properties.set(TRIGGERS, triggers);
    let id = format!("{}CognitoPermission", event.target.name.reference().unwrap_or(&event.owner.id));
    let mut permission = event.permission("Permission", "cognito-idp.amazonaws.com");
    permission.id = id;
    permission.set("SourceArn", make::get_att(&pool.id, "Arn"));
    pool.write(cx);
    Ok(vec![permission])
}
