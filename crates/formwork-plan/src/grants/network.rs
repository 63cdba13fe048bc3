//! Rules of security groups.

use formwork_template::value::Value;

/// Properties that define the peer of a rule, other than networks.
const PEERS: [&str; 8] = [
    "SourceSecurityGroupId",
    "SourceSecurityGroupName",
    "SourceSecurityGroupOwnerId",
    "SourcePrefixListId",
    "DestinationSecurityGroupId",
    "DestinationPrefixListId",
    "SecurityGroupId",
    "GroupId",
];

/// Reports rules of the new side that no rule of the old one covers.
pub(super) fn compare(name: &str, old: Option<&Value<'_>>, new: Option<&Value<'_>>, found: &mut Vec<String>) {
    let rules = |value: Option<&'_ Value<'_>>| value.map_or(0, |value| value.elements().len());
    if rules(new) == 0 {
        return;
    }
    let before = old.map_or(&[][..], Value::elements);
    for rule in new.map_or(&[][..], Value::elements) {
        if !before.iter().any(|other| covers(other, rule)) {
            found.push(format!("{name}: {}", words(rule)));
        }
    }
}

fn text(rule: &Value<'_>, name: &str) -> Option<String> {
    rule.get(name).map(|value| value.text().map_or_else(|| value.to_line().into_owned(), str::to_owned))
}

fn covers(outer: &Value<'_>, inner: &Value<'_>) -> bool {
    if !matches!((outer, inner), (Value::Map(_), Value::Map(_))) {
        return outer == inner;
    }
    let protocol = text(outer, "IpProtocol");
    let is_all = protocol.as_deref() == Some("-1");
    if !is_all && protocol != text(inner, "IpProtocol") {
        return false;
    }
    let same_peers = PEERS.iter().all(|peer| text(outer, peer) == text(inner, peer));
    let networks = ["CidrIp", "CidrIpv6"].iter().all(|name| match (text(outer, name), text(inner, name)) {
        (Some(outer), Some(inner)) => outer == inner || is_inside(&inner, &outer).unwrap_or(false),
        (outer, inner) => outer == inner,
    });
    same_peers && networks && (is_all || ports(outer, inner))
}

fn ports(outer: &Value<'_>, inner: &Value<'_>) -> bool {
    let port = |rule: &Value<'_>, name: &str| text(rule, name);
    let number = |port: Option<String>| port.and_then(|port| port.parse::<i64>().ok());
    let same = ["FromPort", "ToPort"].iter().all(|name| port(outer, name) == port(inner, name));
    let numbers = |rule: &Value<'_>| Some((number(port(rule, "FromPort"))?, number(port(rule, "ToPort"))?));
    same || numbers(outer)
        .zip(numbers(inner))
        .is_some_and(|((from, to), (start, end))| (from == -1 && to == -1) || (from <= start && end <= to))
}

/// Returns `true` if a network is inside of another one; `None` when one of them cannot be parsed.
fn is_inside(inner: &str, outer: &str) -> Option<bool> {
    let parse = |text: &str| -> Option<(bool, u128, u32)> {
        let (address, bits) = text.split_once('/')?;
        let bits: u32 = bits.parse().ok()?;
        match address.parse::<std::net::IpAddr>().ok()? {
            std::net::IpAddr::V4(address) if bits <= 32 => Some((true, u128::from(u32::from(address)) << 96, bits)),
            std::net::IpAddr::V6(address) if bits <= 128 => Some((false, u128::from(address), bits)),
            _ => None,
        }
    };
    let ((four, inner, inner_bits), (other_four, outer, outer_bits)) = (parse(inner)?, parse(outer)?);
    let mask = if outer_bits == 0 { 0 } else { u128::MAX << (128 - outer_bits) };
    Some(four == other_four && inner_bits >= outer_bits && inner & mask == outer & mask)
}

fn words(rule: &Value<'_>) -> String {
    let Value::Map(members) = rule else { return rule.to_line().into_owned() };
    let ports = match (text(rule, "FromPort"), text(rule, "ToPort")) {
        (Some(from), Some(to)) if from == to => format!(" {from}"),
        (Some(from), Some(to)) => format!(" {from}-{to}"),
        _ => String::new(),
    };
    let protocol = text(rule, "IpProtocol").unwrap_or_default();
    let protocol = if protocol == "-1" { "all protocols".to_owned() } else { protocol };
    let is_peer = |name: &str| name.starts_with("Cidr") || PEERS.contains(&name);
    let peers: Vec<String> =
        members.iter().filter(|(name, _)| is_peer(name)).filter_map(|(name, _)| text(rule, name)).collect();
    format!("{protocol}{ports} for {}", peers.join(" "))
}
