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
    let Some(authored) = input.get("Domain") else { return Ok(Domain::default()) };
    let Some(own) = authored.map() else { return Ok(Domain::default()) };
    if let Some(missing) =
        ["DomainName", "CertificateArn"].into_iter().find(|name| !own.get(name).is_some_and(Value::is_true))
    {
        let sentence = format!("Property 'Domain.{missing}' is required.");
        return Err(Refusal::new(sentence).at(authored.origin()));
    }
    let resolved = cx.parameters.resolve(authored)?;
    let name = resolved.get("DomainName").cloned().unwrap_or_default();
    let digits = hash::digest_of(&(&name).into());
    let kind = own.get_true("EndpointConfiguration").cloned().unwrap_or_else(|| "REGIONAL".into());
    let Some(kind_text) = kind.text().filter(|kind| ["EDGE", "REGIONAL", "PRIVATE"].contains(kind)) else {
        let sentence = "EndpointConfiguration for Custom Domains must be one of ['EDGE', 'REGIONAL', 'PRIVATE'].";
        return Err(Refusal::new(sentence).at(kind.origin()));
    };
    let (is_private, kind_is_edge) = (kind_text == "PRIVATE", kind_text == "EDGE");
    let (word, of) = if is_private {
        ("ApiGatewayDomainNameV2", "AWS::ApiGateway::DomainNameV2")
    } else {
        ("ApiGatewayDomainName", "AWS::ApiGateway::DomainName")
    };
    let mut domain = Resource::new(format!("{word}{digits}"), of).with(input.passed()).from(authored.origin());
    domain.set("DomainName", own.get("DomainName").cloned().unwrap_or_default());
    let mut endpoint = Map::new();
    endpoint.set("Types", Value::from(vec![kind.clone()]));
    endpoint.set_some("IpAddressType", own.get_true("IpAddressType").cloned());
    domain.set("EndpointConfiguration", endpoint);
    let certificate = if kind_text == "REGIONAL" { "RegionalCertificateArn" } else { "CertificateArn" };
    domain.set_some(certificate, own.get("CertificateArn").cloned());
    let passed: &[&str] = if is_private {
        &["SecurityPolicy", "Policy"]
    } else {
        &["SecurityPolicy", "MutualTlsAuthentication", "OwnershipVerificationCertificateArn", "EndpointAccessMode"]
    };
    for name in passed {
        domain.set_some(name, own.get_true(name).cloned());
    }
    let mut made = vec![domain];
    if let Some(domain) = made.first().cloned() {
        made.extend(association(input, own, &domain, is_private));
        made.extend(mappings(cx, input, own, &domain, is_private)?);
        made.extend(records(cx, input, own, &domain, kind_text)?);
    }
    let mut hashed = authored.clone();
    hashed.as_map().set("EndpointConfiguration", kind);
    if let Some(domain) = made.first().filter(|_| !is_private) {
        hashed.as_map().set("ApiDomainName", domain.id.as_str());
        let route = hashed.as_map().get_mut("Route53").and_then(Value::map_mut);
        if let Some(route) =
            route.filter(|route| kind_is_edge && !route.get("DistributionDomainName").is_some_and(Value::is_true))
        {
            route.set("DistributionDomainName", domain.get_att("DistributionDomainName"));
        }
    }
    Ok(Domain { hashed: Some(hashed), made })
}

fn association(input: &Input, own: &Map, domain: &Resource, is_private: bool) -> Option<Resource> {
    let access = own.get_true("AccessAssociation").filter(|_| is_private)?;
    let source = access.get("VpcEndpointId").cloned().unwrap_or_default();
    let parts = make::list([source.clone(), domain.id.as_str().into()]);
    let id = format!("DomainNameAccessAssociation{}", hash::digest_of(&(&parts).into()));
    let mut made = Resource::new(id, "AWS::ApiGateway::DomainNameAccessAssociation").with(input.passed());
    made.set("AccessAssociationSource", source);
    made.set("AccessAssociationSourceType", "VPCE");
    made.set("DomainNameArn", domain.reference());
    Some(made.from(access.origin()))
}

fn mappings(
    cx: &Context,
    input: &Input,
    own: &Map,
    domain: &Resource,
    is_private: bool,
) -> Result<Vec<Resource>, Refusal> {
    let (kind, key) = if is_private {
        ("AWS::ApiGateway::BasePathMappingV2", "DomainNameArn")
    } else {
        ("AWS::ApiGateway::BasePathMapping", "DomainName")
    };
    let stage = super::stage::id(cx, input)?;
    let new = |word: &str, path: Option<Value>| {
        let mut mapping = input.besides(&format!("{word}BasePathMapping"), kind);
        mapping.set_some("BasePath", path);
        mapping.set(key, domain.reference());
        mapping.set("RestApiId", make::reference(&input.id));
        mapping.set("Stage", make::reference(&stage));
        mapping
    };
    let Some(authored) = own.get_true("BasePath") else { return Ok(vec![new("", None)]) };
    let normalizes = own.get("NormalizeBasePath").is_some_and(Value::is_true);
    let single = std::slice::from_ref(authored);
    let mut made = Vec::new();
    for path in authored.list().unwrap_or(single) {
        let Some(text) = path.text() else {
            return Err(Refusal::new("Invalid Basepath name provided.").at(path.origin()));
        };
        let word: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let path_of = if normalizes { word.as_str() } else { text.trim_matches('/') };
        let value = Value::from(path_of).at(path.origin());
        made.push(new(if text == "/" { "" } else { &word }, Some(value)).from(path.origin()));
    }
    Ok(made)
}

/// Returns the group of record sets with those of this domain.
pub(crate) fn records(
    cx: &mut Context,
    input: &Input,
    own: &Map,
    domain: &Resource,
    kind: &str,
) -> Result<Option<Resource>, Refusal> {
    let Some(route) = own.get_true("Route53").and_then(Value::map) else { return Ok(None) };
    let (zone_name, zone) = match (route.get_true("HostedZoneId"), route.get_true("HostedZoneName")) {
        (Some(zone), _) => ("HostedZoneId", zone),
        (None, Some(zone)) => ("HostedZoneName", zone),
        (None, None) => {
            let sentence = "HostedZoneId or HostedZoneName is required to enable Route53 support on Custom Domains.";
            return Err(Refusal::new(sentence).at(own.get("Route53").and_then(Value::origin)));
        }
    };
    let resolved = cx.parameters.resolve(zone)?;
    let digits = hash::digest_of(&(&resolved).into());
    let id = format!("RecordSetGroup{digits}");
    let mut sets = Vec::new();
    let name = own.get("DomainName").cloned().unwrap_or_default();
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
    group.set(zone_name, zone.clone());
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
            target.set_some("HostedZoneId", route.get_true("VpcEndpointHostedZoneId").cloned());
            target.set_some("DNSName", route.get_true("VpcEndpointDomainName").cloned());
        }
        _ => {
            target.set("HostedZoneId", domain.get_att("RegionalHostedZoneId"));
            target.set("DNSName", domain.get_att("RegionalDomainName"));
        }
    }
    target
}
