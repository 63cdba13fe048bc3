//! `Domain`: an own domain with its mappings and records.

use super::tags_of_part;
use crate::context::Input;
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Refuses a domain with mutual TLS.
pub(super) fn check(domain: Option<&Value>) -> Result<(), Refusal> {
    let wrong = domain.and_then(Value::map).and_then(|own| own.get_true("MutualTlsAuthentication"));
    let sentence = "Mutual TLS domain name association is not supported for Websocket APIs.";
    wrong.map_or(Ok(()), |wrong| Err(Refusal::new(sentence).at(wrong.origin())))
}

/// Translates the domain, whose references to parameters are resolved.
pub(super) fn translate(input: &Input, domain: &Value, stage: &Resource) -> Result<Vec<Resource>, Refusal> {
    let refused = |sentence: &str| Refusal::new(sentence).at(domain.origin());
    let empty = Map::new();
    let own = domain.map().unwrap_or(&empty);
    let some = |name: &str| own.get(name).filter(|value| !value.is_null());
    let (Some(name), Some(certificate)) = (some("DomainName"), some("CertificateArn")) else {
        return Err(refused("Custom Domains only works if both DomainName and CertificateArn are provided."));
    };
    if some("EndpointConfiguration").is_some_and(|kind| kind.text() != Some("REGIONAL")) {
        return Err(refused("EndpointConfiguration for Custom Domains must be one of ['REGIONAL']."));
    }
    let id = format!("ApiGatewayDomainNameV2{}", digits(name));
    let mut configuration = Map::new();
    configuration.set("CertificateArn", certificate.clone());
    configuration.set("EndpointType", "REGIONAL");
    for key in ["OwnershipVerificationCertificateArn", "SecurityPolicy"] {
        configuration.set_some(key, own.get_true(key).cloned());
    }
    let mut resource = Resource::new(id, "AWS::ApiGatewayV2::DomainName").from(domain.origin());
    resource.set("DomainName", name.clone());
    resource.set("DomainNameConfigurations", make::list([Value::from(configuration)]));
    resource.set("Tags", tags_of_part(input));
    let mut made = mappings(input, own, &resource, stage)?;
    made.extend(records(own, name, &resource)?);
    made.insert(0, resource);
    Ok(made)
}

/// Returns the digits of an ID for a name.
fn digits(name: &Value) -> String {
    if name.is_true() { hash::digest_of(&name.into()) } else { String::new() }
}

fn mappings(input: &Input, own: &Map, domain: &Resource, stage: &Resource) -> Result<Vec<Resource>, Refusal> {
    let mapping = |name: &str| {
        let id = format!("{}{name}ApiMapping", input.id);
        let mut mapping = Resource::new(id, "AWS::ApiGatewayV2::ApiMapping").from(domain.origin);
        mapping.set("ApiId", make::reference(&input.id));
        mapping.set("DomainName", domain.reference());
        mapping.set("Stage", stage.reference());
        mapping
    };
    let authored = own.get_true("BasePath");
    let paths = match authored.map(|paths| (paths, paths.list())) {
        Some((_, Some(paths))) => paths,
        Some((path, None)) if path.text().is_some() => std::slice::from_ref(path),
        _ => return Ok(vec![mapping("")]),
    };
    let mut made: Vec<Resource> = Vec::new();
    for path in paths {
        let Some(text) = path.text() else {
            return Err(Refusal::new("Basepath must be a string.").at(path.origin()));
        };
        let is_allowed = |character: char| character.is_ascii_alphanumeric() || "/-_".contains(character);
        if !text.chars().all(is_allowed) {
            return Err(Refusal::new("Invalid Basepath name provided.").at(path.origin()));
        }
        let name: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut new = mapping(&name);
        new.set("ApiMappingKey", text.trim_matches('/'));
        made.retain(|other| other.id != new.id);
        made.push(new);
    }
    Ok(made)
}

fn records(own: &Map, name: &Value, domain: &Resource) -> Result<Option<Resource>, Refusal> {
    let Some(route) = own.get("Route53").filter(|route| !route.is_null()) else { return Ok(None) };
    let Some(own) = route.map().filter(|_| !route.is_call()) else {
        return Err(Refusal::new("Property 'Domain.Route53' should be a map.").at(route.origin()));
    };
    let some = |key: &str| own.get(key).filter(|value| !value.is_null());
    let Some(zone) = some("HostedZoneId").or_else(|| some("HostedZoneName")) else {
        let sentence = "HostedZoneId or HostedZoneName is required to enable Route53 support on Custom Domains.";
        return Err(Refusal::new(sentence).at(route.origin()));
    };
    let mut target = Map::new();
    target.set_some("EvaluateTargetHealth", some("EvaluateTargetHealth").cloned());
    target.set("HostedZoneId", domain.get_att("RegionalHostedZoneId"));
    target.set("DNSName", domain.get_att("RegionalDomainName"));
    let record = |kind: &str| {
        let mut record = Map::new();
        record.set("Name", name.clone());
        record.set("Type", kind);
        record.set("AliasTarget", target.clone());
        record.set_some("Region", some("Region").cloned());
        record.set_some("SetIdentifier", some("SetIdentifier").cloned());
        Value::from(record)
    };
    let mut records = vec![record("A")];
    if own.get("IpV6").and_then(Value::truth) == Some(true) {
        records.push(record("AAAA"));
    }
    let mut group = Resource::new(format!("RecordSetGroup{}", digits(zone)), "AWS::Route53::RecordSetGroup");
    group.origin = route.origin();
    let key = if own.has("HostedZoneId") { "HostedZoneId" } else { "HostedZoneName" };
    group.set_some(key, some(key).cloned());
    group.set("RecordSets", records);
    Ok(Some(group))
}
