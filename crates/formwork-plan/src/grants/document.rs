//! Policy documents, expanded into grants.

use formwork_base::matches_wildcard;

use formwork_template::value::Value;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Grant {
    is_allow: bool,
    principal: Option<String>,
    action: String,
    resource: Option<String>,
    condition: Option<String>,
    /// Set for `NotAction`, `NotResource` and `NotPrincipal`, which only an equal grant covers.
    is_inverse: bool,
}

pub(super) fn compare(old: &[Option<&Value<'_>>], new: &[Option<&Value<'_>>], found: &mut Vec<String>) {
    let spread = |documents: &[Option<&Value<'_>>]| {
        let mut grants = Vec::new();
        for document in documents.iter().flatten() {
            grants_of(document, &mut grants);
        }
        grants
    };
    let (before, after) = (spread(old), spread(new));
    let uncovered = |grant: &&Grant, others: &[Grant]| !others.iter().any(|other| other.covers(grant));
    for grant in after.iter().filter(|grant| grant.is_allow && uncovered(grant, &before)) {
        found.push(grant.words());
    }
    for grant in before.iter().filter(|grant| !grant.is_allow && uncovered(grant, &after)) {
        found.push(format!("no {}", grant.words()));
    }
}

fn grants_of(document: &Value<'_>, grants: &mut Vec<Grant>) {
    let Some(statements) = document.get("Statement") else {
        // An unknown document is compared as a whole.
        if !matches!(document, Value::Map(_)) {
            grants.push(Grant {
                is_allow: true,
                principal: None,
                action: document.to_line().into_owned(),
                resource: None,
                condition: None,
                is_inverse: true,
            });
        }
        return;
    };
    for statement in statements.elements() {
        // A statement with an unknown effect is compared as a whole.
        let is_open = !matches!(statement, Value::Map(_)) || statement.get("Effect").is_some_and(Value::has_call);
        let is_allow = statement.get("Effect").and_then(Value::text) != Some("Deny");
        let part = |name: &str, inverse: &str| match (statement.get(name), statement.get(inverse)) {
            (_, Some(value)) => (lines(value, true), true),
            (Some(value), _) => (lines(value, false), false),
            (None, None) => (Vec::new(), false),
        };
        let (actions, no_action) = part("Action", "NotAction");
        let (resources, no_resource) = part("Resource", "NotResource");
        let (principals, no_principal) = part("Principal", "NotPrincipal");
        let actions = if is_open { vec![statement.to_line().into_owned()] } else { actions };
        for action in &actions {
            for principal in options(&principals) {
                for resource in options(&resources) {
                    grants.push(Grant {
                        is_allow,
                        principal: principal.clone(),
                        action: action.clone(),
                        resource: resource.clone(),
                        condition: statement.get("Condition").map(|condition| sorted(condition)),
                        is_inverse: no_action || no_resource || no_principal || is_open,
                    });
                }
            }
        }
    }
}

fn options(lines: &[String]) -> Vec<Option<String>> {
    if lines.is_empty() { vec![None] } else { lines.iter().cloned().map(Some).collect() }
}

/// Returns the elements of an action, a resource or a principal; those of an inverse one as a single line.
fn lines(value: &Value<'_>, is_inverse: bool) -> Vec<String> {
    let one = |value: &Value<'_>| value.text().map_or_else(|| value.to_line().into_owned(), str::to_owned);
    let mut lines: Vec<String> = match value {
        Value::Map(kinds) => kinds
            .iter()
            .flat_map(|(kind, names)| {
                names.elements().iter().map(move |name| match one(name) {
                    star if star == "*" => star,
                    name => format!("{kind}:{name}"),
                })
            })
            .collect(),
        other => other.elements().iter().map(one).collect(),
    };
    if is_inverse {
        lines.sort_unstable();
        return vec![format!("not {}", lines.join(", "))];
    }
    lines
}

/// Writes a value in a form that does not depend on the order of keys and elements.
fn sorted(value: &Value<'_>) -> String {
    match value {
        Value::Map(members) => {
            let mut members: Vec<String> =
                members.iter().map(|(key, value)| format!("{key}={}", sorted(value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        Value::List(items) => {
            let mut items: Vec<String> = items.iter().map(sorted).collect();
            items.sort_unstable();
            format!("[{}]", items.join(","))
        }
        scalar => scalar.text().map_or_else(|| scalar.to_line().into_owned(), str::to_owned),
    }
}

impl Grant {
    fn covers(&self, other: &Grant) -> bool {
        if self.is_allow != other.is_allow {
            return false;
        }
        if self.is_inverse || other.is_inverse {
            return self == other;
        }
        let is_in = |a: &Option<String>, b: &Option<String>, is_case: bool| match (a, b) {
            (Some(pattern), Some(text)) => matches(pattern, text, is_case),
            (a, b) => a == b,
        };
        let same_principal = self.principal == other.principal || self.principal.as_deref() == Some("*");
        matches(&self.action, &other.action, false)
            && is_in(&self.resource, &other.resource, true)
            && same_principal
            && (self.condition.is_none() || self.condition == other.condition)
    }

    fn words(&self) -> String {
        let mut words = format!("{} {}", if self.is_allow { "Allow" } else { "Deny" }, self.action);
        if let Some(resource) = &self.resource {
            words.extend([" on ", resource]);
        }
        if let Some(principal) = &self.principal {
            words.extend([" to ", principal]);
        }
        if self.condition.is_some() {
            words += " with a condition";
        }
        words
    }
}

/// Returns `true` if a pattern with `*` and `?` matches a string, which may itself contain them: only `*` matches a
/// `*`.
fn matches(pattern: &str, text: &str, is_case: bool) -> bool {
    let is_same = |p: char, c: char| if is_case { p == c } else { p.eq_ignore_ascii_case(&c) };
    matches_wildcard(pattern, text, |p, c| is_same(p, c) || (p == '?' && c != '*'))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards_match() {
        assert!(matches("s3:*", "s3:Get*", false) && !matches("s3:Get*", "s3:*", false));
        assert!(matches("s3:Get?", "S3:geta", false) && !matches("s3:Get?", "s3:Get*", false));
        assert!(matches("a*b*c", "axxbyyc", true) && !matches("a*b*c", "axxbyy", true));
        assert!(matches("*", "", true) && matches("**", "x", true) && !matches("", "x", true));
    }
}
