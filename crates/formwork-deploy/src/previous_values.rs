//! Previous parameter values of a stack, and the parameters that are sent (reference/deploy.md#parameters).

use formwork::DeclaredParameter;
use formwork::display::MASK;

use crate::stack_state::Stack;
use crate::submission::SentValue;

/// Values that a stack keeps: those of declared parameters without a passed value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreviousValues {
    /// Names of the parameters that the template of the stack declares.
    pub names: Vec<String>,
    /// Parameters with known previous values.
    pub known: Vec<(String, String)>,
    /// Parameters with hidden previous values.
    pub hidden: Vec<String>,
}

impl PreviousValues {
    /// Returns the values that a stack keeps whose template declares `names`.
    pub(crate) fn of(declared: &[DeclaredParameter], names: Vec<String>, stack: &Stack) -> PreviousValues {
        let (mut known, mut hidden) = (Vec::new(), Vec::new());
        for parameter in declared.iter().filter(|one| one.given.is_none() && names.contains(&one.name)) {
            let value = stack.parameters.iter().find(|(name, _)| *name == parameter.name);
            match value {
                Some((name, value)) if !parameter.no_echo && value != MASK => {
                    known.push((name.clone(), value.clone()));
                }
                _ => hidden.push(parameter.name.clone()),
            }
        }
        PreviousValues { names, known, hidden }
    }

    /// Returns `true` if the stack keeps no value.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.hidden.is_empty()
    }

    /// Returns every declared parameter that is sent: with the passed value, or with the previous one.
    pub fn sent(&self, declared: &[DeclaredParameter]) -> Vec<(String, SentValue)> {
        let sent = declared.iter().filter_map(|parameter| {
            let sent = match &parameter.given {
                Some(value) => SentValue::New(value.clone()),
                None if self.names.contains(&parameter.name) => SentValue::Previous,
                // A new parameter takes its Default.
                None => return None,
            };
            Some((parameter.name.clone(), sent))
        });
        sent.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(name: &str, given: Option<&str>, no_echo: bool) -> DeclaredParameter {
        DeclaredParameter { name: name.into(), given: given.map(str::to_owned), has_default: false, no_echo }
    }

    #[test]
    fn passed_previous_and_new_values() {
        let declared = [
            declared("Given", Some("g"), false),
            declared("Kept", None, false),
            declared("New", None, false),
            declared("Secret", None, true),
            // NoEcho in the stack's template, and not in the new one.
            declared("Bared", None, false),
        ];
        let names = ["Given", "Kept", "Secret", "Bared", "Gone"].map(str::to_owned).to_vec();
        let value = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let parameters =
            vec![value("Given", "old"), value("Kept", "k"), value("Secret", "****"), value("Bared", "****")];
        let stack = Stack { parameters, ..Stack::default() };
        let previous = PreviousValues::of(&declared, names, &stack);
        assert_eq!(previous.known, [value("Kept", "k")]);
        assert_eq!(previous.hidden, ["Secret", "Bared"]);
        let new = || ("Given".to_owned(), SentValue::New("g".to_owned()));
        let want = [
            new(),
            ("Kept".to_owned(), SentValue::Previous),
            ("Secret".to_owned(), SentValue::Previous),
            ("Bared".to_owned(), SentValue::Previous),
        ];
        assert_eq!(previous.sent(&declared), want);
        assert_eq!(PreviousValues::default().sent(&declared), [new()], "a stack that is created has no values");
    }
}
