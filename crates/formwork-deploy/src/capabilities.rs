//! Checks the acknowledged capabilities before the service does.

use formwork::NeededCapability;

/// A required capability that is not acknowledged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MissingCapability<'a> {
    /// Name of the capability.
    pub name: &'static str,
    /// The reasons why it is required.
    pub reasons: Vec<&'a NeededCapability>,
    /// Set when the service will reject the change set. A change set needs `CAPABILITY_AUTO_EXPAND` only for transforms
    /// of nested stacks: the service decides.
    pub is_certain: bool,
}

/// Returns the capabilities in `needed` that `acknowledged` does not cover.
pub fn missing_capabilities<'a>(needed: &'a [NeededCapability], acknowledged: &[String]) -> Vec<MissingCapability<'a>> {
    let covers = |wanted: &str| {
        let is = |name: &String| name == wanted || wanted == "CAPABILITY_IAM" && name == "CAPABILITY_NAMED_IAM";
        acknowledged.iter().any(is)
    };
    let missing = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"].into_iter();
    let missing = missing.filter(|&name| !covers(name)).map(|name| MissingCapability {
        name,
        reasons: needed.iter().filter(|one| one.capability == name).collect(),
        is_certain: name != "CAPABILITY_AUTO_EXPAND",
    });
    missing.filter(|missing| !missing.reasons.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use formwork::Span;

    use super::*;

    #[test]
    fn what_is_acknowledged_is_not_missing() {
        let need = |capability| NeededCapability {
            capability,
            by: "Role".to_owned(),
            why: "a role".to_owned(),
            span: Span::default(),
        };
        let needed = [need("CAPABILITY_AUTO_EXPAND"), need("CAPABILITY_IAM"), need("CAPABILITY_IAM")];
        let missing = |acknowledged: &[&str]| {
            let acknowledged: Vec<String> = acknowledged.iter().map(|&name| name.to_owned()).collect();
            let missing = missing_capabilities(&needed, &acknowledged);
            missing.iter().map(|one| (one.name, one.reasons.len(), one.is_certain)).collect::<Vec<_>>()
        };
        assert_eq!(missing(&[]), [("CAPABILITY_IAM", 2, true), ("CAPABILITY_AUTO_EXPAND", 1, false)]);
        assert_eq!(missing(&["CAPABILITY_NAMED_IAM"]), [("CAPABILITY_AUTO_EXPAND", 1, false)]);
        assert_eq!(missing(&["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]), []);
    }
}
