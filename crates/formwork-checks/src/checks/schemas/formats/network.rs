//! Addresses and CIDR blocks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Wrong;

/// Checks a CIDR block: an address and the length of its prefix.
pub(super) fn cidr(text: &str, is_v4: bool) -> Option<Wrong> {
    let (is_not, example) = if is_v4 {
        ("an IPv4 CIDR block", "an address and a prefix from 0 to 32, such as 10.0.0.0/16")
    } else {
        ("an IPv6 CIDR block", "an address and a prefix from 0 to 128, such as ::/0")
    };
    let (address, prefix) = text.split_once('/').unwrap_or((text, ""));
    let is_address = if is_v4 { address.parse::<Ipv4Addr>().is_ok() } else { address.parse::<Ipv6Addr>().is_ok() };
    let most: u8 = if is_v4 { 32 } else { 128 };
    let is_prefix = !prefix.starts_with('+') && prefix.parse::<u8>().is_ok_and(|prefix| prefix <= most);
    if is_address && is_prefix {
        return None;
    }
    // A backslash in the place of the slash.
    let meant = text.replace('\\', "/");
    let is_slip = meant != text && cidr(&meant, is_v4).is_none();
    Wrong::new(is_not, if is_slip { meant } else { example.to_owned() })
}

/// Checks the CIDR block of a VPC or of a subnet.
pub(super) fn of_vpc(text: &str) -> Option<Wrong> {
    if let Some(wrong) = cidr(text, true) {
        return Some(wrong);
    }
    let prefix = text.split_once('/').and_then(|(_, prefix)| prefix.parse::<u8>().ok())?;
    if (16..=28).contains(&prefix) {
        return None;
    }
    Wrong::new("a CIDR block of a VPC", "a prefix from 16 to 28, such as 10.0.0.0/16")
}

pub(super) fn v6(text: &str) -> Option<Wrong> {
    if text.parse::<Ipv6Addr>().is_ok() {
        None
    } else {
        Wrong::new("an IPv6 address", "an address such as 2001:db8::1")
    }
}

pub(super) fn address(text: &str, is_v4: bool) -> Option<Wrong> {
    let is_valid = if is_v4 { text.parse::<Ipv4Addr>().is_ok() } else { text.parse::<IpAddr>().is_ok() };
    if is_valid { None } else { Wrong::new("an IP address", "an address such as 10.0.0.4") }
}
