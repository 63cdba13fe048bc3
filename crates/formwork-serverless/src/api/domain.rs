//! `Domain` of an API: the name, the mapping of its paths, and its records.

use crate::context::{Context, Input};
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The hosted zone of all distributions.
const DISTRIBUTIONS: &str = "Z2FDTNDATAQYW2";

/// The resources of a domain.
#[derive(Default)]
pub(super) struct Domain {
    /// The property as the deployment is hashed of it.
    pub(super) hashed: Option<Value>,
    made: Vec<Resource>,
}

impl Domain {
    /// Returns the resources.
    pub(super) fn made(self, _: &Context, _: &Input) -> Vec<Resource> {
        self.made
    }
}

/// Translates the domain of an API.
pub(super) fn translate(cx: &mut Context, input: &Input) -> Result<Domain, Refusal> {
    let Some(authored) = input.properties.get("Domain").filter(|domain| !domain.is_null()) else {
        return Ok(Domain::default());
    };
    let Some(own) = authored.map() else { return Ok(Domain::default()) };
    if let Some(missing) =
        ["DomainName", "CertificateArn"].into_iter().find(|name| !own.get(name).is_some_and(Value::is_true))
    {
        let sentence = format!("Property 'Domain.{missing}' is required.");
        return Err(Refusal::new(sentence).at(authored.origin()));
    }
    let kind = own.get_true("EndpointConfiguration").cloned().unwrap_or_else(|| "REGIONAL".into());
    let Some(kind_text) = kind.text().filter(|kind| ["EDGE", "REGIONAL", "PRIVATE"].contains(kind)) else {
        let sentence = "EndpointConfiguration for Custom Domains must be one of ['EDGE', 'REGIONAL', 'PRIVATE'].";
        return Err(Refusal::new(sentence).at(kind.origin()));
    };
    let (is_private, is_edge) = (kind_text == "PRIVATE", kind_text == "EDGE");
    let domain = name(input, own, kind_text)?;
    let mut made = vec![domain.clone()];
    made.extend(association(input, own, &domain, is_private)?);
    made.extend(mappings(input, own, &domain, is_private)?);
    made.extend(records(cx, input, own, &domain, kind_text)?);
    let mut hashed = authored.clone();
    hashed.as_map().set("EndpointConfiguration", kind.clone());
    if !is_private {
        hashed.as_map().set("ApiDomainName", domain.id.as_str());
        let route = hashed.as_map().get_mut("Route53").and_then(Value::map_mut);
        let is_missing = |route: &&mut Map| !route.get("DistributionDomainName").is_some_and(Value::is_true);
        if let Some(route) = route.filter(|route| is_edge && is_missing(route)) {
            route.set("DistributionDomainName", domain.get_att("DistributionDomainName"));
        }
    }
    Ok(Domain { hashed: Some(hashed), made })
}

/// Returns the name itself.
fn name(input: &Input, own: &Map, kind: &str) -> Result<Resource, Refusal> {
    let (word, of, passed): (_, _, &[&str]) = if kind == "PRIVATE" {
        let passed = &["SecurityPolicy", "Policy", "EndpointAccessMode"];
        ("ApiGatewayDomainNameV2", "AWS::ApiGateway::DomainNameV2", passed)
    } else {
        let passed =
            &["SecurityPolicy", "MutualTlsAuthentication", "OwnershipVerificationCertificateArn", "EndpointAccessMode"];
        ("ApiGatewayDomainName", "AWS::ApiGateway::DomainName", passed)
    };
    let name = own.get("DomainName").cloned().unwrap_or_default();
    let digits = hash::digest_of(&(&name).into());
    let origin = input.properties.get("Domain").and_then(Value::origin);
    let mut domain = Resource::new(format!("{word}{digits}"), of).with(input.passed()).from(origin);
    domain.set("DomainName", name);
    let mut endpoint = Map::new();
    endpoint.set("Types", Value::from(vec![Value::from(kind)]));
    endpoint.set_some("IpAddressType", own.get_true("IpAddressType").cloned());
    domain.set("EndpointConfiguration", endpoint);
    let certificate = if kind == "REGIONAL" { "RegionalCertificateArn" } else { "CertificateArn" };
    domain.set_some(certificate, own.get("CertificateArn").cloned());
    for name in ["OwnershipVerificationCertificateArn", "Policy"] {
        if let Some(value) = own.get_true(name).filter(|_| !passed.contains(&name)) {
            let sentence = format!("property {name} not defined for resource of type {of}");
            return Err(Refusal::new(sentence).at(value.origin()).about(name).of_resource(&domain.id));
        }
    }
    if let Some(value) = own.get_true("MutualTlsAuthentication").filter(|_| kind != "PRIVATE") {
        const KEYS: [&str; 2] = ["TruststoreUri", "TruststoreVersion"];
        let refuse = |sentence: &str| Err(Refusal::new(sentence).at(value.origin()));
        let Some(map) = value.map() else {
            return refuse("Property 'Domain.MutualTlsAuthentication' should be a map.");
        };
        if let Some(unknown) = map.keys().find(|key| !KEYS.contains(key)) {
            let sentence =
                "Available Domain.MutualTlsAuthentication fields are ['TruststoreUri', 'TruststoreVersion'].";
            return refuse(sentence).map_err(|refusal: Refusal| refusal.about(unknown).among(KEYS));
        }
    }
    for name in passed {
        domain.set_some(name, own.get_true(name).cloned());
    }
    Ok(domain)
}

fn association(input: &Input, own: &Map, domain: &Resource, is_private: bool) -> Result<Option<Resource>, Refusal> {
    let access = own.get("AccessAssociation").filter(|access| is_private && !access.is_null());
    let Some(access) = access else { return Ok(None) };
    if access.map().is_none() {
        let sentence = "Property 'Domain.AccessAssociation' should be a map.";
        return Err(Refusal::new(sentence).at(access.origin()));
    }
    let source = access.get("VpcEndpointId").filter(|source| !source.is_null());
    let parts = make::list([source.cloned().unwrap_or_default(), domain.id.as_str().into()]);
    let id = format!("DomainNameAccessAssociation{}", hash::digest_of(&(&parts).into()));
    let mut made = Resource::new(id, "AWS::ApiGateway::DomainNameAccessAssociation").with(input.passed());
    made.set_some("AccessAssociationSource", source.cloned());
    made.set("AccessAssociationSourceType", "VPCE");
    made.set("DomainNameArn", domain.reference());
    Ok(Some(made.from(access.origin())))
}

fn mappings(input: &Input, own: &Map, domain: &Resource, is_private: bool) -> Result<Vec<Resource>, Refusal> {
    let (kind, key) = if is_private {
        ("AWS::ApiGateway::BasePathMappingV2", "DomainNameArn")
    } else {
        ("AWS::ApiGateway::BasePathMapping", "DomainName")
    };
    let stage = super::stage::id(input);
    let new = |word: &str, path: Option<Value>| {
        let mut mapping = input.besides(&format!("{word}BasePathMapping"), kind);
        mapping.set_some("BasePath", path);
        mapping.set(key, domain.reference());
        mapping.set("RestApiId", make::reference(&input.id));
        mapping.set("Stage", make::reference(&stage));
        mapping
    };
    let authored = own.get_true("BasePath").filter(|paths| paths.text().is_some() || paths.list().is_some());
    let Some(authored) = authored else { return Ok(vec![new("", None)]) };
    let normalizes = own.get("NormalizeBasePath").is_none_or(Value::is_true);
    let single = std::slice::from_ref(authored);
    let mut made: Vec<Resource> = Vec::new();
    for (number, path) in authored.list().unwrap_or(single).iter().enumerate() {
        let Some(text) = path.text() else {
            let sentence = format!("Property 'Domain.BasePath[{number}]' should be a string.");
            return Err(Refusal::new(sentence).at(path.origin()));
        };
        let word: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let path_of = if normalizes { word.as_str() } else { text };
        let value = Value::from(path_of).at(path.origin());
        let mapping = new(if text == "/" { "" } else { &word }, Some(value)).from(path.origin());
        if !mapping.id.chars().all(|c| c.is_ascii_alphanumeric()) {
            let sentence = "Logical ids must be alphanumeric.";
            return Err(Refusal::new(sentence).at(path.origin()).of_resource(&mapping.id));
        }
        made.retain(|other| other.id != mapping.id);
        made.push(mapping);
    }
    Ok(made)
}

/// The kind of a domain of an API of the second version.
pub(crate) const SECOND: &str = "SECOND";

/// Returns the group of record sets with those of this domain.
pub(crate) fn records(
    cx: &mut Context,
    input: &Input,
    own: &Map,
    domain: &Resource,
    kind: &str,
) -> Result<Option<Resource>, Refusal> {
    let Some(authored) = own.get("Route53").filter(|route| !route.is_null()) else { return Ok(None) };
    let Some(route) = authored.map() else {
        let sentence = "Property 'Domain.Route53' should be a map.";
        return Err(Refusal::new(sentence).at(authored.origin()));
    };
    let (zone_name, zone) = match (route.get_true("HostedZoneId"), route.get_true("HostedZoneName")) {
        (Some(zone), _) => ("HostedZoneId", zone),
        (None, Some(zone)) => ("HostedZoneName", zone),
        (None, None) => {
            let sentence = "HostedZoneId or HostedZoneName is required to enable Route53 support on Custom Domains.";
            return Err(Refusal::new(sentence).at(own.get("Route53").and_then(Value::origin)));
        }
    };
    let resolved = cx.parameters.resolve(zone)?;
    let name = own.get("DomainName").cloned().unwrap_or_default();
    let separates = route.get("SeparateRecordSetGroup").filter(|value| kind != SECOND && !value.is_null());
    if let Some(wrong) = separates.filter(|value| value.truth().is_none()) {
        let sentence = "Property 'Domain.Route53.SeparateRecordSetGroup' should be a boolean.";
        return Err(Refusal::new(sentence).at(wrong.origin()));
    }
    let hashed = match separates.and_then(Value::truth) {
        Some(true) => make::list([resolved, name.clone()]),
        _ => resolved,
    };
    let id = format!("RecordSetGroup{}", hash::digest_of(&(&hashed).into()));
    let mut sets = Vec::new();
    let is_six = route.get("IpV6").is_some_and(Value::is_true);
    for of in ["A", "AAAA"].into_iter().take(if is_six { 2 } else { 1 }) {
        let mut set = Map::new();
        set.set("Name", name.clone());
        set.set("Type", of);
        set.set("AliasTarget", target(route, domain, kind));
        set.set_some("Region", route.get_true("Region").cloned());
        set.set_some("SetIdentifier", route.get_true("SetIdentifier").cloned());
        sets.push(Value::from(set));
    }
    let (attributes, all) = cx.apis.record_sets.entry(id.clone()).or_insert_with(|| (input.passed(), Vec::new()));
    all.extend(sets);
    let mut group = Resource::new(id, "AWS::Route53::RecordSetGroup").with(attributes.clone());
    for name in ["HostedZoneId", "HostedZoneName"] {
        let zone = route.get(name).filter(|zone| !zone.is_null() && (kind != SECOND || name == zone_name));
        group.set_some(name, zone.cloned());
    }
    group.set("RecordSets", all.clone());
    Ok(Some(group.from(own.get("Route53").and_then(Value::origin))))
}

fn target(route: &Map, domain: &Resource, kind: &str) -> Map {
    let mut target = Map::new();
    target.set_some("EvaluateTargetHealth", route.get("EvaluateTargetHealth").cloned());
    match kind {
        "EDGE" => {
            target.set("HostedZoneId", DISTRIBUTIONS);
            let distribution = route.get_true("DistributionDomainName").cloned();
            target.set("DNSName", distribution.unwrap_or_else(|| domain.get_att("DistributionDomainName")));
        }
        "PRIVATE" => {
            target.set("HostedZoneId", route.get("VpcEndpointHostedZoneId").cloned().unwrap_or_default());
            target.set("DNSName", route.get("VpcEndpointDomainName").cloned().unwrap_or_default());
        }
        _ => {
            target.set("HostedZoneId", domain.get_att("RegionalHostedZoneId"));
            target.set("DNSName", domain.get_att("RegionalDomainName"));
        }
    }
    target
}
