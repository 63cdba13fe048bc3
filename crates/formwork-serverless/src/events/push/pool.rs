//! `Cognito`: triggers of a pool of users.

use super::link::{Link, Linked};
use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::Role;
use crate::make;
use crate::refusal::Refusal;
use crate::shown;
use crate::value::Map;

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
    let changed = change(&mut pool, event);
    pool.is_refused = changed.is_err();
    let id = format!("{}CognitoPermission", event.target.name.reference().unwrap_or(&event.owner.id));
    let mut permission = event.permission("Permission", "cognito-idp.amazonaws.com");
    permission.id = id;
    permission.set("SourceArn", make::get_att(&pool.id, "Arn"));
    pool.write(cx);
    changed.map(|()| vec![permission])
}

fn change(pool: &mut Linked, event: &Event<'_>) -> Result<(), Refusal> {
    if pool.has_odd_properties() {
        return Err(pool.refuse_properties());
    }
    if let Some(own) = pool.properties.get(TRIGGERS).filter(|own| own.map().is_none()) {
        return Err(pool.refuse(format!("Property '{TRIGGERS}' should be a map."), own.origin()));
    }
    let triggers = pool.properties.entry(TRIGGERS, Map::new()).as_map();
    let wanted = event.written("Trigger").unwrap_or_default();
    for one in wanted.list().unwrap_or(std::slice::from_ref(&wanted)) {
        let name = one.text().unwrap_or_default();
        if triggers.has(name) {
            let sentence = format!("Cognito trigger \"{}\" defined multiple times.", shown::plain(&wanted));
            return Err(event.refuse(event.name, sentence, one.origin()));
        }
        triggers.set(name, event.target.arn.clone().at(event.origin));
    }
    Ok(())
}
