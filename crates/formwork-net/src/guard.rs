//! Rejects addresses that a template must not reach: this machine, its network, the metadata service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The host name of this machine.
pub(crate) const LOCALHOST: &str = "localhost";

/// Parses a literal IP address.
pub(crate) fn address(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

/// Returns `true` if a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    host == LOCALHOST || address(host).is_some_and(|address| address.is_loopback())
}

/// Returns the kind of an address that is not public; `None` for a public one.
pub(crate) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    let [a, b, ..] = address.octets();
    if address.is_loopback() || address.is_unspecified() || a == 0 {
        Some("a loopback address")
    } else if address.is_link_local() {
        Some("a link-local address")
    } else if address.is_private() || (a == 100 && (64..128).contains(&b)) || (a == 198 && (b == 18 || b == 19)) {
        Some("a private address")
    } else if address.is_broadcast() || address.is_multicast() || a >= 240 {
        Some("not the address of a single host")
    } else {
        None
    }
}

fn v6(address: Ipv6Addr) -> Option<&'static str> {
    // An IPv4 address embedded in IPv6 is checked like IPv4.
    let embedded = address.to_ipv4_mapped().or_else(|| {
        let parts = address.segments();
        let low = || Ipv4Addr::from((u32::from(parts[6]) << 16) | u32::from(parts[7]));
        let is_translated = parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
        let is_compatible = parts[..6] == [0; 6] && parts[6] != 0;
        if is_translated || is_compatible {
            Some(low())
        } else if parts[0] == 0x2002 {
            Some(Ipv4Addr::from((u32::from(parts[1]) << 16) | u32::from(parts[2])))
        } else {
            None
        }
    });
    if let Some(embedded) = embedded {
        return v4(embedded);
    }
    let first = address.segments()[0];
    if address.is_loopback() || address.is_unspecified() {
        Some("a loopback address")
    } else if first & 0xffc0 == 0xfe80 {
        Some("a link-local address")
    } else if first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfec0 {
        Some("a private address")
    } else if address.is_multicast() {
        Some("not the address of a single host")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_pass() {
        for text in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "::127.0.0.1",
            "ff02::1",
        ] {
            assert!(not_public(text.parse().expect(text)).is_some(), "{text}");
        }
        for text in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"] {
            assert_eq!(not_public(text.parse().expect(text)), None, "{text}");
        }
    }
}
