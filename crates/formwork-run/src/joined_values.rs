//! Detects parameter values that contain the assignment of another parameter: `--parameter-overrides "A=b C=d"` is one
//! word (reference/command-line.md#parameter-values).

use formwork::DeclaredParameter;
use formwork_report::printable;

/// Returns warnings about values that contain ` NAME=`, where NAME is another declared parameter. Values are not shown.
pub fn warnings(declared: &[DeclaredParameter]) -> Vec<String> {
    let joined = declared.iter().filter_map(|parameter| {
        let value = parameter.given.as_deref()?;
        let other = declared.iter().find(|other| other.name != parameter.name && assigns(value, &other.name))?;
        let (name, other) = (printable(&parameter.name), printable(&other.name));
        Some(format!(
            "warning: the value of {name} contains {other}=, and {other} is a parameter\n  help: quote each value on its own: {name}=VALUE {other}=VALUE\n"
        ))
    });
    joined.collect()
}

fn assigns(value: &str, name: &str) -> bool {
    value.split_whitespace().skip(1).any(|word| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[(&str, Option<&str>)]) -> usize {
        let declared = |&(name, value): &(&str, Option<&str>)| DeclaredParameter {
            name: name.to_owned(),
            given: value.map(str::to_owned),
            has_default: false,
            no_echo: false,
        };
        warnings(&values.iter().map(declared).collect::<Vec<_>>()).len()
    }

    #[test]
    fn only_assignments_of_other_parameters_are_reported() {
        assert_eq!(check(&[("A", Some("b C=d")), ("C", None)]), 1);
        assert_eq!(check(&[("A", Some("b D=d")), ("C", None)]), 0);
        assert_eq!(check(&[("A", Some("C=d")), ("C", None)]), 0);
        assert_eq!(check(&[("A", Some("b A=d")), ("C", None)]), 0);
        assert_eq!(check(&[("A", Some("b")), ("C", Some("d"))]), 0);
    }
}
