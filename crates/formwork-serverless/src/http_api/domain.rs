//! `Domain` of an API of the second version.

use crate::context::{Context, Input};
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Returns the domain with its mappings and records.
pub(super) fn translate(cx: &mut Context, input: &Input, tags: Option<&Map>) -> Result<Vec<Resource>, Refusal> {
    let Some(authored) = input.get("Domain") else { return Ok(Vec::new()) };
    let resolved = cx.parameters.resolve(authored)?;
    let Some(own) = resolved.map() else { return Ok(Vec::new()) };
    let is_missing = |name: &&str| !own.get(name).is_some_and(Value::is_true);
    if let Some(missing) = ["DomainName", "CertificateArn"].iter().find(|name| is_missing(name)) {
        let sentence = "Custom Domains only works if both DomainName and CertificateArn are provided.";
        return Err(Refusal::new(sentence).at(authored.origin()).about(missing));
    }
    let name = own.get("DomainName").cloned().unwrap_or_default();
    let kind = own.get_true("EndpointConfiguration").cloned().unwrap_or_else(|| "REGIONAL".into());
    if kind.text() != Some("REGIONAL") {
        let sentence = "EndpointConfiguration for Custom Domains must be one of ['REGIONAL'].";
        return Err(Refusal::new(sentence).at(kind.origin()));
    }
    let id = format!("ApiGatewayDomainNameV2{}", hash::digest_of(&(&name).into()));
    let mut domain = Resource::new(id, "AWS::ApiGatewayV2::DomainName").with(input.passed()).from(authored.origin());
    domain.set("DomainName", own.get("DomainName").cloned().unwrap_or_default());
    let mut configuration = Map::new();
    configuration.set_some("CertificateArn", own.get("CertificateArn").cloned());
    configuration.set("EndpointType", kind);
    for name in ["OwnershipVerificationCertificateArn", "SecurityPolicy"] {
        configuration.set_some(name, own.get_true(name).cloned());
    }
    domain.set("DomainNameConfigurations", make::list([Value::from(configuration)]));
    check_trust(own)?;
    domain.set_some("MutualTlsAuthentication", own.get_true("MutualTlsAuthentication").cloned());
    // Without a document that has tags, the domain alone is tagged.
    let creator = || Map::from_iter([(super::CREATOR, Value::from("SAM"))]);
    domain.set("Tags", tags.cloned().unwrap_or_else(creator));
    let mut made = mappings(input, own, &domain)?;
    made.extend(crate::api::records(cx, input, own, &domain, crate::api::SECOND)?);
    made.insert(0, domain);
    Ok(made)
}

/// Refuses unknown keys of the property for mutual authentication; the translator takes the key for a resource.
fn check_trust(own: &Map) -> Result<(), Refusal> {
    const KEYS: [&str; 2] = ["TruststoreUri", "TruststoreVersion"];
    let Some(trust) = own.get_true("MutualTlsAuthentication").and_then(Value::map) else { return Ok(()) };
    let Some(unknown) = trust.keys().find(|key| !KEYS.contains(key)) else { return Ok(()) };
    let sentence = "Available MutualTlsAuthentication fields are ['TruststoreUri', 'TruststoreVersion'].";
    Err(Refusal::new(sentence).at(trust.key(unknown)).about(unknown).among(KEYS).of_resource(unknown))
}

fn mappings(input: &Input, own: &Map, domain: &Resource) -> Result<Vec<Resource>, Refusal> {
    let stage = super::stage_id(input);
    let new = |word: &str, path: Option<Value>| {
        let mut mapping = input.besides(&format!("{word}ApiMapping"), "AWS::ApiGatewayV2::ApiMapping");
        mapping.set("ApiId", make::reference(&input.id));
        mapping.set_some("ApiMappingKey", path);
        mapping.set("DomainName", domain.reference());
        mapping.set("Stage", make::reference(&stage));
        mapping
    };
    let authored = own.get_true("BasePath").filter(|paths| paths.text().is_some() || paths.list().is_some());
    let Some(authored) = authored else { return Ok(vec![new("", None)]) };
    let single = std::slice::from_ref(authored);
    let mut made = Vec::new();
    for path in authored.list().unwrap_or(single) {
        let Some(text) = path.text() else {
            return Err(Refusal::new("Basepath must be a string.").at(path.origin()));
        };
        let word: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let key = Value::from(text.trim_matches('/')).at(path.origin());
        let mapping = new(&word, Some(key)).from(path.origin());
        made.retain(|other: &Resource| other.id != mapping.id);
        made.push(mapping);
    }
    Ok(made)
}
