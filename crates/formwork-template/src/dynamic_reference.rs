//! Dynamic references: `{{resolve:ssm:name}}`.

use formwork_base::suggest;
use formwork_syntax::has_placeholder;

const STORES: [&str; 3] = ["ssm", "ssm-secure", "secretsmanager"];

/// Returns the first dynamic reference in `text`, braces included, in any letter case.
pub fn find(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'{', rest.as_bytes()) {
        rest = &rest[open..];
        if !rest.starts_with("{{") {
            rest = &rest[1..];
            continue;
        }
        let inner = &rest[2..];
        let is_resolve = inner.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("resolve:"));
        let store = inner.get(8..).filter(|_| is_resolve).and_then(|tail| tail.split(':').next()).unwrap_or("");
        if STORES.iter().any(|known| known.eq_ignore_ascii_case(store)) {
            let end = rest.find("}}").map_or(rest.len(), |end| end + 2);
            return Some(&rest[..end]);
        }
        rest = inner;
    }
    None
}

/// The error in the form of a dynamic reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidReference {
    /// Spaces around the parts.
    Spaces,
    /// Another store, with the most similar one, if any is similar.
    Store(Option<&'static str>),
    /// The name of the SSM parameter is missing, or the reference has more parts than a name and a version.
    Ssm,
    /// The version of the SSM parameter is not a number.
    Version,
    /// The name of the secret is missing, or the reference has too many parts.
    Secret,
    /// The part behind the secret is not `SecretString`.
    SecretString,
}

/// Returns everything in `text` that looks like a dynamic reference and is closed, braces included, also with spaces or
/// an unknown store.
pub fn all(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find("{{")?..];
            let inner = &rest[2..];
            let is_resolve = inner.trim_start().get(..8).is_some_and(|head| head.eq_ignore_ascii_case("resolve:"));
            if !is_resolve {
                rest = inner;
                continue;
            }
            let end = inner.find("}}")?;
            let found = &rest[..end + 4];
            rest = &inner[end + 2..];
            return Some(found);
        }
    })
}

/// Returns the error of a reference that [`all`] found. The value of a placeholder is not known.
pub fn invalid(reference: &str) -> Option<InvalidReference> {
    let inner = reference.strip_prefix("{{")?.strip_suffix("}}")?;
    if inner.trim() != inner {
        return Some(InvalidReference::Spaces);
    }
    let rest = inner.get("resolve:".len()..)?;
    let (store, rest) = rest.split_once(':').map_or((rest, None), |(store, rest)| (store, Some(rest)));
    if store.contains(['$', '&']) {
        return None;
    }
    let Some(store) = STORES.into_iter().find(|known| known.eq_ignore_ascii_case(store)) else {
        return Some(InvalidReference::Store(suggest::nearest(store, STORES)));
    };
    let is_computed = rest.is_some_and(has_placeholder);
    match (store, rest) {
        ("secretsmanager", None | Some("")) => Some(InvalidReference::Secret),
        (_, None | Some("")) => Some(InvalidReference::Ssm),
        _ if is_computed => None,
        ("secretsmanager", Some(rest)) => invalid_secret(rest),
        (_, Some(rest)) => match rest.split(':').collect::<Vec<_>>()[..] {
            [name] if !name.is_empty() => None,
            [name, version] if !name.is_empty() => {
                let is_number = !version.is_empty() && version.bytes().all(|digit| digit.is_ascii_digit());
                (!is_number).then_some(InvalidReference::Version)
            }
            _ => Some(InvalidReference::Ssm),
        },
    }
}

/// Checks `secret-id:SecretString:json-key:version-stage:version-id`, of which all but the first may be missing or
/// empty; the secret may be an ARN.
fn invalid_secret(rest: &str) -> Option<InvalidReference> {
    const PARTS_OF_ARN: usize = 7;
    const MOST: usize = 4;
    let mut parts = rest.split(':');
    if rest.starts_with("arn:") {
        parts.nth(PARTS_OF_ARN - 1)?;
    } else if parts.next().is_none_or(str::is_empty) {
        return Some(InvalidReference::Secret);
    }
    let rest: Vec<&str> = parts.collect();
    match rest.first() {
        Some(part) if !["", "SecretString"].contains(part) => Some(InvalidReference::SecretString),
        _ => (rest.len() > MOST).then_some(InvalidReference::Secret),
    }
}

/// Returns `true` when a top-level property accepts `ssm-secure`, itself or deeper.
pub fn takes_secure(resource_type: &str, property: &str) -> bool {
    const PROPERTIES: [(&str, &str); 12] = [
        ("AWS::DirectoryService::MicrosoftAD", "Password"),
        ("AWS::DirectoryService::SimpleAD", "Password"),
        ("AWS::ElastiCache::ReplicationGroup", "AuthToken"),
        ("AWS::IAM::User", "LoginProfile"),
        ("AWS::KinesisFirehose::DeliveryStream", "RedshiftDestinationConfiguration"),
        ("AWS::OpsWorks::App", "AppSource"),
        ("AWS::OpsWorks::App", "SslConfiguration"),
        ("AWS::OpsWorks::Stack", "CustomCookbooksSource"),
        ("AWS::OpsWorks::Stack", "RdsDbInstances"),
        ("AWS::RDS::DBCluster", "MasterUserPassword"),
        ("AWS::RDS::DBInstance", "MasterUserPassword"),
        ("AWS::Redshift::Cluster", "MasterUserPassword"),
    ];
    PROPERTIES.contains(&(resource_type, property))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_looks_like_one() {
        let found: Vec<_> = all("a{{ resolve:ssm:a }}b{{x}}{{resolve:smm:b}}{{resolve:ssm:").collect();
        assert_eq!(found, ["{{ resolve:ssm:a }}", "{{resolve:smm:b}}"]);
    }

    #[test]
    fn errors() {
        for (text, expected) in [
            ("{{resolve:ssm:/a/b}}", None),
            ("{{resolve:ssm:a:12}}", None),
            ("{{RESOLVE:SSM:a:12}}", None),
            ("{{resolve:ssm:/a/${AWS::StackName}/b:1}}", None),
            ("{{resolve:${Store}:a}}", None),
            ("{{resolve:secretsmanager:a}}", None),
            ("{{resolve:secretsmanager:a:SecretString:b::}}", None),
            ("{{resolve:secretsmanager:a:::v}}", None),
            ("{{resolve:secretsmanager:arn:aws:secretsmanager:eu-west-1:1:secret:a-x:SecretString:b}}", None),
            ("{{ resolve:ssm:a}}", Some(InvalidReference::Spaces)),
            ("{{resolve:smm:a}}", Some(InvalidReference::Store(Some("ssm")))),
            ("{{resolve:vault:a}}", Some(InvalidReference::Store(None))),
            ("{{resolve:ssm}}", Some(InvalidReference::Ssm)),
            ("{{resolve:ssm-secure:}}", Some(InvalidReference::Ssm)),
            ("{{resolve:ssm:a:1:2}}", Some(InvalidReference::Ssm)),
            ("{{resolve:ssm:a:latest}}", Some(InvalidReference::Version)),
            ("{{resolve:secretsmanager}}", Some(InvalidReference::Secret)),
            ("{{resolve:secretsmanager:a:SecretString:b:c:d:e}}", Some(InvalidReference::Secret)),
            ("{{resolve:secretsmanager:a:SecretBinary:b}}", Some(InvalidReference::SecretString)),
        ] {
            assert_eq!(invalid(text), expected, "{text}");
        }
    }

    #[test]
    fn finds_all_stores_in_any_case() {
        assert_eq!(find("x{{resolve:ssm:/a:1}}y"), Some("{{resolve:ssm:/a:1}}"));
        assert_eq!(find("{{RESOLVE:SecretsManager:x}}"), Some("{{RESOLVE:SecretsManager:x}}"));
        assert_eq!(find("{{other}} {{resolve:x:y}}"), None);
        assert_eq!(all("{{resolve:ssm:a}}{{resolve:ssm-secure:b}}").count(), 2);
    }
}
