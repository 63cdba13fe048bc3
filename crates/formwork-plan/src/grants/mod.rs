//! Permissions that a resource grants and did not grant before: a comparison of strings, not a proof.

mod document;
mod network;

use crate::comparison::Comparison;
use crate::facts::Facts;
use formwork_template::value::{Step, Value};

/// Describes everything that the new side allows and the old side does not cover. A new resource has no old side.
pub(crate) fn broadened<'t>(
    old: Option<&Value<'t>>,
    new: &Value<'t>,
    type_name: &str,
    (facts, comparison): (Option<&dyn Facts>, Comparison<'_, 't>),
) -> Vec<String> {
    let Some(facts) = facts else { return Vec::new() };
    let mut found = Vec::new();
    for (path, class) in facts.policies(type_name) {
        let steps: Vec<Step<'_>> =
            std::iter::once(Step::Name("Properties")).chain(path.iter().map(|name| Step::Name(name))).collect();
        let (before, after) = (old.and_then(|old| old.at(&steps)), new.at(&steps));
        if before.zip(after).is_some_and(|(a, b)| comparison.same(a, b)) || (before.is_none() && after.is_none()) {
            continue;
        }
        let name = path.last().map_or(type_name, String::as_str);
        of_class(&class, name, (before, after), &mut found);
        // Written alike, but reads something that differs.
        if let Some(after) = after.filter(|after| before == Some(after)) {
            found.push(format!("{name}: {}", after.to_line()));
        }
    }
    found.dedup();
    found
}

fn of_class<'t>(
    class: &str,
    name: &str,
    (old, new): (Option<&Value<'t>>, Option<&Value<'t>>),
    found: &mut Vec<String>,
) {
    let text = |value: Option<&Value<'t>>| value.and_then(Value::text);
    match class {
        "identity" | "trust" | "resource" => document::compare(&[old], &[new], found),
        "identities" => {
            let (a, b) = (documents(old), documents(new));
            document::compare(&a, &b, found);
        }
        "managed" | "member" => {
            let line = |item: &Value<'t>| item.text().map_or_else(|| item.to_line().into_owned(), str::to_owned);
            let lines = |value: Option<&Value<'t>>| -> Vec<String> {
                value.map_or(&[][..], Value::elements).iter().map(line).collect()
            };
            let before = lines(old);
            let added = lines(new).into_iter().filter(|line| !before.contains(line));
            found.extend(added.map(|line| format!("{name}: {line}")));
        }
        "boundary" if old.is_some() => {
            found.push(match new {
                Some(new) => format!("{name}: {}", new.to_line()),
                None => format!("no {name}"),
            });
        }
        "ingress" | "egress" => network::compare(name, old, new, found),
        "ingress-rule" | "egress-rule" | "lambda-permission" | "assignment" => {
            found.extend(new.map(|new| format!("{}: {}", class_words(class), new.to_line())));
        }
        "public-block" => {
            if let Some(old @ Value::Call(..)) = old {
                found.push(format!("{name} is no longer {}", old.to_line()));
            }
            for (key, value) in old.map(Value::members).unwrap_or_default() {
                let now = new.and_then(|new| new.get(key));
                let may_be = matches!(value, Value::Call(..)) || value.text() == Some("true");
                if may_be && text(now) != Some("true") && now != Some(value) {
                    found.push(format!("{key} is no longer {}", value.to_line()));
                }
            }
        }
        "public" => towards(name, (old, new), &["true"], found),
        "auth-none" => towards(name, (old, new), &["NONE"], found),
        "acl" => {
            let public = ["PublicRead", "PublicReadWrite", "AuthenticatedRead"];
            towards(name, (old, new), &public, found);
        }
        "scheme" => towards(name, (old, new), &["internet-facing"], found),
        _ => {}
    }
}

fn documents<'v, 't>(policies: Option<&'v Value<'t>>) -> Vec<Option<&'v Value<'t>>> {
    let items = policies.map_or(&[][..], Value::elements).iter();
    items.map(|item| item.get("PolicyDocument").or(Some(item))).collect()
}

fn class_words(class: &str) -> &'static str {
    match class {
        "ingress-rule" => "ingress",
        "egress-rule" => "egress",
        "lambda-permission" => "permission",
        _ => "assignment",
    }
}

/// Reports a value that becomes, or may become, one of those that open a resource.
fn towards(name: &str, (old, new): (Option<&Value<'_>>, Option<&Value<'_>>), open: &[&str], found: &mut Vec<String>) {
    let Some(new) =
        new.filter(|new| old != Some(new) && old.and_then(Value::text).is_none_or(|old| Some(old) != new.text()))
    else {
        return;
    };
    if new.has_call() || new.text().is_some_and(|value| open.iter().any(|open| open.eq_ignore_ascii_case(value))) {
        found.push(format!("{name}: {}", new.text().map_or_else(|| new.to_line().into_owned(), str::to_owned)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_facts::TestFacts;
    use crate::test_values::value;

    fn found(type_name: &str, old: &str, new: &str) -> Vec<String> {
        let body = |properties: &str| value(&format!(r#"{{"Type": "{type_name}", "Properties": {properties}}}"#));
        let renames = crate::references::Renames::default();
        let comparison =
            Comparison { strict_types: false, renames: &renames, secrets: &[], definitions: None, resources: None };
        broadened(Some(&body(old)), &body(new), type_name, (Some(&TestFacts), comparison))
    }

    #[test]
    fn allows_that_nothing_covers_are_found() {
        let policy = |statement: &str| format!(r#"{{"PolicyDocument": {{"Statement": [{statement}]}}}}"#);
        let narrow = policy(r#"{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::a/*"}"#);
        let wide = policy(r#"{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::a/*"}"#);
        let kind = "AWS::IAM::ManagedPolicy";
        assert_eq!(found(kind, &narrow, &wide), ["Allow s3:* on arn:aws:s3:::a/*"]);
        assert!(found(kind, &wide, &narrow).is_empty());
        let upper = policy(r#"{"Effect": "Allow", "Action": "S3:getobject", "Resource": "arn:aws:s3:::a/*"}"#);
        assert!(found(kind, &narrow, &upper).is_empty());
    }

    #[test]
    fn denies_that_go_broaden() {
        let policy = |statement: &str| format!(r#"{{"PolicyDocument": {{"Statement": [{statement}]}}}}"#);
        let deny = policy(r#"{"Effect": "Deny", "Action": "s3:*", "Resource": "*"}"#);
        let kind = "AWS::IAM::ManagedPolicy";
        assert_eq!(found(kind, &deny, &policy("")), ["no Deny s3:* on *"]);
        assert!(found(kind, &policy(""), &deny).is_empty());
    }

    #[test]
    fn a_condition_narrows_and_its_removal_broadens() {
        let statement = |condition: &str| {
            format!(
                r#"{{"PolicyDocument": {{"Statement": {{"Effect": "Allow", "Action": "*", "Resource": "*"{condition}}}}}}}"#
            )
        };
        let narrow = statement(r#", "Condition": {"Bool": {"aws:SecureTransport": "true"}}"#);
        let kind = "AWS::IAM::ManagedPolicy";
        assert!(found(kind, &statement(""), &narrow).is_empty());
        assert_eq!(found(kind, &narrow, &statement("")), ["Allow * on *"]);
    }

    #[test]
    fn rules_of_security_groups_are_compared_by_range_and_network() {
        let rules = |rules: &str| format!(r#"{{"SecurityGroupIngress": [{rules}]}}"#);
        let rule = |from: u32, to: u32, network: &str| {
            format!(r#"{{"IpProtocol": "tcp", "FromPort": {from}, "ToPort": {to}, "CidrIp": "{network}"}}"#)
        };
        let kind = "AWS::EC2::SecurityGroup";
        let old = rules(&rule(0, 1000, "10.0.0.0/8"));
        assert!(found(kind, &old, &rules(&rule(443, 443, "10.1.0.0/16"))).is_empty());
        assert_eq!(found(kind, &old, &rules(&rule(443, 443, "0.0.0.0/0"))).len(), 1);
        assert_eq!(found(kind, &old, &rules(&rule(443, 2000, "10.1.0.0/16"))).len(), 1);
    }

    #[test]
    fn what_opens_a_resource_is_found() {
        assert_eq!(
            found("AWS::RDS::DBInstance", "{}", r#"{"PubliclyAccessible": true}"#),
            ["PubliclyAccessible: true"]
        );
        let blocked = r#"{"PublicAccessBlockConfiguration": {"BlockPublicAcls": true}}"#;
        assert_eq!(found("AWS::S3::Bucket", blocked, "{}"), ["BlockPublicAcls is no longer true"]);
        assert!(found("AWS::S3::Bucket", "{}", blocked).is_empty());
    }
}
