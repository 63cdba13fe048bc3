//! Actions of statements.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Severity, codes};

use super::super::scalar::is_placeholder;
use super::super::walk::{At, Walk};
use super::super::words;
use super::words::quoted;
use super::{Certain, Class};

impl Walk<'_> {
    pub(super) fn action(&mut self, at: At, class: Class) {
        let tree = self.tree;
        let Some(text) = tree.string(at.node).filter(|text| !is_placeholder(text) && *text != "*") else { return };
        let Some((service, action)) = text.split_once(':') else {
            // A word alone is reported with the documents that are recognized by their keys.
            let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !is_word {
                let sentence = "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.";
                self.wrong_action(at, sentence, "the service and a colon, such as `s3:GetObject`", Certain::Yes);
            }
            return;
        };
        if class == Class::Trust && !service.eq_ignore_ascii_case("sts") && !service.contains('*') {
            let sentence = "AssumeRole policy must only specify STS AssumeRole actions.";
            return self.wrong_action(at, sentence, "`sts:AssumeRole`", Certain::Yes);
        }
        let service = service.to_ascii_lowercase();
        if service.contains(['*', '?']) {
            return;
        }
        let schemas = self.schemas;
        let Some(mut actions) = schemas.actions(&service) else {
            // Without a table no service is known.
            if schemas.action_services().next().is_none() {
                return;
            }
            let near = slip(&service, schemas.action_services());
            let help = match near {
                Some(near) => format!("`{near}:{}`", shown(action)),
                None => "the prefix of a service, such as `s3:GetObject`".to_owned(),
            };
            let severity = self.warning();
            return self.unknown_action(at, &format!("service {} is not known", shown(&service)), &help, severity);
        };
        let name = action.to_ascii_lowercase();
        if !actions.any(|known| matches(&name, known)) {
            let known: Vec<&str> = schemas.actions(&service).into_iter().flatten().collect();
            let begun = || known.iter().copied().find(|known| known.starts_with(&name));
            let near = slip(&name, known.iter().copied()).or_else(begun);
            let help = near.map_or_else(|| format!("an action of {service}"), |near| format!("`{service}:{near}`"));
            // An action may be newer than the table, or be one of those that services accept and do not list.
            let severity = if near.is_some() { self.warning() } else { self.note() };
            self.unknown_action(at, &format!("{service} does not have the action {}", shown(action)), &help, severity);
        }
    }

    fn wrong_action(&mut self, at: At, sentence: &str, help: &str, certain: Certain) {
        let Some(severity) = self.policy_severity(certain) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{} of {subject} is not an action", quoted(self.tree.text(at.node)));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
            .at(self.tree.span(at.node))
            .note(format!("IAM: `{sentence}`"))
            .help(self.advice(at.node, help));
        self.push(diagnostic, severity, "action");
    }

    fn unknown_action(&mut self, at: At, message: &str, help: &str, severity: Option<Severity>) {
        let Some(severity) = severity else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{} of {subject} does not match an action", quoted(self.tree.text(at.node)));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
            .at(self.tree.span(at.node))
            .note(message)
            .help(self.advice(at.node, help));
        let diagnostic = match self.schemas.date() {
            Some(date) => diagnostic.note(format!("known as of {date}")),
            None => diagnostic,
        };
        self.push(diagnostic, severity, "action");
    }
}

/// Returns `true` if a name matches a pattern with `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut at, mut of, mut star) = (0, 0, None);
    while let Some(&byte) = name.get(of) {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(&wanted) if wanted == b'?' || wanted == byte => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((from, to)) = star else { return false };
                star = Some((from, to + 1));
                at = from + 1;
                of = to + 1;
            }
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|&byte| byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks_match() {
        for (pattern, name, expected) in [
            ("getobject", "getobject", true),
            ("get*", "getobject", true),
            ("*object*", "getobjectacl", true),
            ("get?bject", "getobject", true),
            ("get*x", "getobject", false),
            ("getobjcts", "getobject", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
