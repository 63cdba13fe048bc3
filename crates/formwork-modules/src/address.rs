//! Addresses of modules: one spelling for each place, so that a file is read once.

use std::net::{Ipv4Addr, Ipv6Addr};

use formwork_base::VirtualPath;
use formwork_base::display::mask_credentials;

/// The place of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Address {
    /// A file beside the root template or below the project root.
    Local(VirtualPath),
    /// An entry of a zip archive.
    Entry {
        /// The archive: local or remote.
        archive: Box<Address>,
        /// The entry's name.
        inner: VirtualPath,
    },
    /// A whole address, `https://...` or `s3://...`.
    Remote(String),
}

/// Reports an invalid address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unfit {
    /// Another scheme than https and s3.
    Scheme,
    /// A host or port that no address has.
    Host,
    /// A user name or password.
    Credentials,
    /// An address in S3 without a key.
    Key,
    /// The path leads out of the archive, host or bucket that the module came from.
    Outside,
    /// An absolute path in a module.
    Absolute,
}

impl Address {
    /// Returns `true` for a file on another machine, or in an archive there: nobody edits it here.
    pub(super) fn is_remote(&self) -> bool {
        match self {
            Address::Local(_) => false,
            Address::Entry { archive, .. } => archive.is_remote(),
            Address::Remote(_) => true,
        }
    }

    /// Returns the address that `text` names in a file at this address. `is_root` allows absolute paths.
    pub(super) fn resolve(&self, text: &str, is_root: bool) -> Result<Address, Unfit> {
        if let Some((scheme, rest)) = text.split_once("://") {
            check_remote(scheme, rest)?;
            let (address, inner) = split_archive(text, true);
            return Address::Remote(address.to_owned()).inside(inner);
        }
        let is_absolute = text.starts_with('/') || has_drive(text);
        if is_absolute && !is_root {
            return Err(Unfit::Absolute);
        }
        let (path, inner) = split_archive(text, false);
        let base = match self {
            Address::Local(own) => Address::Local(own.sibling(path)),
            Address::Entry { archive, inner: own } => {
                let sibling = own.sibling(path);
                if sibling.as_str().starts_with("..") {
                    return Err(Unfit::Outside);
                }
                Address::Entry { archive: archive.clone(), inner: sibling }
            }
            Address::Remote(own) => Address::Remote(remote_sibling(own, path).ok_or(Unfit::Outside)?),
        };
        base.inside(inner)
    }

    fn inside(self, inner: Option<&str>) -> Result<Address, Unfit> {
        let Some(inner) = inner else { return Ok(self) };
        let inner = VirtualPath::new(inner);
        if inner.as_str().starts_with("..") {
            return Err(Unfit::Outside);
        }
        Ok(Address::Entry { archive: Box::new(self), inner })
    }

    /// The path as reports, messages and source maps show it, without credentials.
    pub(super) fn shown(&self) -> String {
        match self {
            Address::Local(path) => path.to_string(),
            Address::Entry { archive, inner } => format!("{}!/{inner}", archive.shown()),
            Address::Remote(address) => mask_credentials(address).into_owned(),
        }
    }
}

/// Rejects an address that no host could fetch, so that every host rejects the same ones: the rules of the URL standard
/// for hosts, without its spellings of numbers as addresses.
fn check_remote(scheme: &str, rest: &str) -> Result<(), Unfit> {
    if scheme != "https" && scheme != "s3" {
        return Err(Unfit::Scheme);
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, place) = authority.rsplit_once('@').unwrap_or(("", authority));
    // A colon in brackets is part of an IPv6 address.
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (place, ""),
    };
    if !is_host(host) || !(port.is_empty() || port.parse::<u16>().is_ok()) {
        return Err(Unfit::Host);
    }
    if !user.is_empty() {
        return Err(Unfit::Credentials);
    }
    let key = path.split(['?', '#']).next().unwrap_or_default();
    if scheme == "s3" && key.trim_start_matches('/').is_empty() { Err(Unfit::Key) } else { Ok(()) }
}

/// Whether `text` can name a host or a bucket.
fn is_host(text: &str) -> bool {
    if let Some(inside) = text.strip_prefix('[') {
        return inside.strip_suffix(']').is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    let last = text.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x") || last.starts_with("0X");
    let is_forbidden = |c: char| c.is_ascii_control() || c.is_whitespace() || "<>[]\\^|%:@\"`{}".contains(c);
    !text.is_empty() && !text.contains(is_forbidden) && (!is_number || text.parse::<Ipv4Addr>().is_ok())
}

/// `a/b.zip/c/d.yaml` as archive and entry. The archive of a whole address may have a query, such as a version, in
/// front of the entry.
fn split_archive(text: &str, is_whole: bool) -> (&str, Option<&str>) {
    let plain = text.find(".zip/").map(|at| at + 4);
    let query = text.find(".zip?").filter(|&at| is_whole && plain.is_none_or(|plain| at < plain));
    let slash = query.and_then(|at| Some(at + text[at..].find('/')?)).or(plain);
    slash.map_or((text, None), |slash| (&text[..slash], Some(&text[slash + 1..])))
}

/// Returns whether a path begins with the name of a drive.
pub(super) fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// A path relative to a remote file, on the same host or in the same bucket.
fn remote_sibling(own: &str, path: &str) -> Option<String> {
    let (scheme, rest) = own.split_once("://")?;
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, own_path) = rest.split_once('/').unwrap_or((rest, ""));
    let sibling = VirtualPath::new(own_path).sibling(path);
    if sibling.as_str().starts_with("..") {
        return None;
    }
    Some(format!("{scheme}://{host}/{}", sibling.as_str().trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(own: &str, text: &str) -> String {
        let own = match own.split_once("://") {
            Some(_) => Address::Remote(own.to_owned()),
            None => Address::Local(VirtualPath::new(own)),
        };
        match own.resolve(text, false) {
            Ok(address) => address.shown(),
            Err(unfit) => format!("{unfit:?}"),
        }
    }

    #[test]
    fn addresses_are_relative_to_the_file_that_names_them() {
        assert_eq!(check("a/t.yaml", "./m.yaml"), "a/m.yaml");
        assert_eq!(check("a/t.yaml", "../m.yaml"), "m.yaml");
        assert_eq!(check("t.yaml", "kit.zip/x/m.yaml"), "kit.zip!/x/m.yaml");
        assert_eq!(check("t.yaml", "kit.zip/../m.yaml"), "Outside");
        assert_eq!(check("t.yaml", "/etc/m.yaml"), "Absolute");
        assert_eq!(check("t.yaml", "http://a/m.yaml"), "Scheme");
        assert_eq!(check("t.yaml", "httpsfoo://a/m.yaml"), "Scheme");
        assert_eq!(check("https://a.example/x/m.yaml", "n.yaml"), "https://a.example/x/n.yaml");
        assert_eq!(check("https://a.example/x/m.yaml?v=1", "../n.yaml"), "https://a.example/n.yaml");
        assert_eq!(check("s3://bucket/m.yaml", "../../n.yaml"), "Outside");
        assert_eq!(check("t.yaml", "s3://bucket/kit.zip/m.yaml"), "s3://bucket/kit.zip!/m.yaml");
        assert_eq!(
            check("t.yaml", "s3://bucket/kit.zip?versionId=v1/x/m.yaml"),
            "s3://bucket/kit.zip?versionId=v1!/x/m.yaml"
        );
        assert_eq!(check("t.yaml", "https://a.example/m.yaml?token=x"), "https://a.example/m.yaml?token=****");
        assert_eq!(check("t.yaml", "https://a.example/m.yaml?of=kit.zip"), "https://a.example/m.yaml?of=kit.zip");
    }

    #[test]
    fn addresses_that_no_host_could_fetch() {
        for text in
            ["hos t", "", ":443", "a.example:99999", "a.example:x", "1.2.3.4.5", "0x7f.1", "a%20b", "[::1", "a\\b", "."]
        {
            assert_eq!(check("t.yaml", &format!("https://{text}/m.yaml")), "Host", "{text}");
        }
        for text in ["a.example", "a.example:8443", "127.0.0.1", "[::1]:443", "bücher.example", "a.example."] {
            assert_eq!(check("t.yaml", &format!("https://{text}/m.yaml")), format!("https://{text}/m.yaml"));
        }
        assert_eq!(check("t.yaml", "https://user:secret@a.example/m.yaml"), "Credentials");
        assert_eq!(check("t.yaml", "https://user@hos t/m.yaml"), "Host");
        assert_eq!(check("t.yaml", "s3://bucket"), "Key");
        assert_eq!(check("t.yaml", "s3://bucket/?versionId=v1"), "Key");
        assert_eq!(check("t.yaml", "s3://my_bucket/m.yaml"), "s3://my_bucket/m.yaml");
    }
}
