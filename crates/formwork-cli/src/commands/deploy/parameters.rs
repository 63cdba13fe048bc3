//! Which parameters are sent, and how (reference/deploy.md#parameters).

use formwork::DeclaredParameter;
use formwork_deploy::{Sent, Stack};

use super::local::Kept;

/// Every declared parameter with a value, or with the one that the stack has; `known` are the stack's.
pub(super) fn sent(declared: &[DeclaredParameter], known: &[String]) -> Vec<(String, Sent)> {
    let sent = declared.iter().filter_map(|parameter| {
        let sent = match &parameter.given {
            Some(value) => Sent::Value(value.clone()),
            None if known.contains(&parameter.name) => Sent::Previous,
            // A new one takes its Default.
            None => return None,
        };
        Some((parameter.name.clone(), sent))
    });
    sent.collect()
}

/// What of the stack's values is kept: those of declared parameters that nobody gave a value.
pub(super) fn kept(declared: &[DeclaredParameter], known: &[String], stack: &Stack) -> Kept {
    let mut kept = Kept::default();
    for parameter in declared.iter().filter(|parameter| parameter.given.is_none() && known.contains(&parameter.name)) {
        let value = stack.parameters.iter().find(|(name, _)| *name == parameter.name);
        match value {
            Some((name, value)) if !parameter.no_echo && value != HIDDEN => {
                kept.known.push((name.clone(), value.clone()));
            }
            _ => kept.hidden.push(parameter.name.clone()),
        }
    }
    kept
}

/// What the service shows in the place of a `NoEcho` value.
const HIDDEN: &str = "****";

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(name: &str, given: Option<&str>, no_echo: bool) -> DeclaredParameter {
        DeclaredParameter { name: name.into(), given: given.map(str::to_owned), has_default: false, no_echo }
    }

    #[test]
    fn given_kept_and_new() {
        let declared = [
            declared("Given", Some("g"), false),
            declared("Kept", None, false),
            declared("New", None, false),
            declared("Secret", None, true),
            // The stack's template hides it, the new one does not.
            declared("Bared", None, false),
        ];
        let known = ["Given", "Kept", "Secret", "Bared", "Gone"].map(str::to_owned);
        let want = [
            ("Given".to_owned(), Sent::Value("g".to_owned())),
            ("Kept".to_owned(), Sent::Previous),
            ("Secret".to_owned(), Sent::Previous),
            ("Bared".to_owned(), Sent::Previous),
        ];
        assert_eq!(sent(&declared, &known), want);
        let value = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let parameters =
            vec![value("Given", "old"), value("Kept", "k"), value("Secret", "****"), value("Bared", "****")];
        let stack = Stack { parameters, ..Stack::default() };
        let want = Kept { known: vec![value("Kept", "k")], hidden: vec!["Secret".into(), "Bared".into()] };
        assert_eq!(kept(&declared, &known, &stack), want);
        assert_eq!(sent(&declared, &[]), want_of_create());
    }

    fn want_of_create() -> Vec<(String, Sent)> {
        vec![("Given".to_owned(), Sent::Value("g".to_owned()))]
    }
}
