//! The account snapshot (reference/account-data.md#snapshot).

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

/// Values of a type, in listing order, each with its attributes; `None` for a requested value that does not exist.
pub type Values = IndexMap<String, Option<Attributes>>;

/// The known data of an account and Region. It is written with its properties in this order.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Snapshot {
    #[serde(rename = "FormworkAccountSnapshot")]
    version: &'static str,
    /// ID of the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The Region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Time of the capture, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
    /// Captured types with their values.
    #[serde(skip_serializing_if = "IndexMap::is_empty", serialize_with = "existing")]
    pub types: IndexMap<String, Values>,
    /// Captured types whose listing is partial.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<String>,
    /// Stored parameters by the requested name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ssm_parameters: Option<IndexMap<String, StoredParameter>>,
    /// Exports of stacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exports: Option<IndexMap<String, String>>,
}

/// The file format: missing values are separate from existing ones.
#[derive(Serialize)]
struct Written<'s> {
    #[serde(flatten)]
    snapshot: &'s Snapshot,
    #[serde(rename = "Absent", skip_serializing_if = "IndexMap::is_empty")]
    absent: IndexMap<&'s str, Vec<&'s str>>,
}

fn existing<S: Serializer>(types: &IndexMap<String, Values>, serializer: S) -> Result<S::Ok, S::Error> {
    fn of_type(values: &Values) -> IndexMap<&str, &Attributes> {
        values.iter().filter_map(|(value, attributes)| Some((value.as_str(), attributes.as_ref()?))).collect()
    }
    serializer.collect_map(types.iter().map(|(kind, values)| (kind, of_type(values))))
}

/// Attributes of a value.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Attributes {
    /// The VPC of a subnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vpc_id: Option<String>,
    /// The zone of a subnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub availability_zone: Option<String>,
    /// The default network ACL of a VPC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_network_acl: Option<String>,
    /// The default security group of a VPC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_security_group: Option<String>,
    /// Tags, for types that have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<IndexMap<String, String>>,
}

/// A stored SSM parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct StoredParameter {
    /// `String` or `StringList`.
    #[serde(rename = "Type")]
    pub kind: String,
    /// The value; elements of a list are separated by commas.
    pub value: String,
    /// Version of the parameter.
    pub version: i64,
}

impl Default for Snapshot {
    fn default() -> Snapshot {
        Snapshot {
            version: "1",
            account: None,
            region: None,
            partition: None,
            captured_at: None,
            types: IndexMap::new(),
            incomplete: Vec::new(),
            ssm_parameters: None,
            exports: None,
        }
    }
}

impl Snapshot {
    /// Merges a later capture of the same account and Region, which takes precedence type by type; some values of a
    /// type are added to the known ones.
    pub fn merge(&mut self, later: Snapshot) {
        for (mine, theirs) in [
            (&mut self.account, later.account),
            (&mut self.region, later.region),
            (&mut self.partition, later.partition),
            (&mut self.captured_at, later.captured_at),
        ] {
            if theirs.is_some() {
                *mine = theirs;
            }
        }
        for (kind, values) in later.types {
            let is_partial = later.incomplete.contains(&kind);
            match self.types.get_mut(&kind) {
                Some(mine) if is_partial => mine.extend(values),
                _ => {
                    self.incomplete.retain(|other| *other != kind);
                    if is_partial {
                        self.incomplete.push(kind.clone());
                    }
                    self.types.insert(kind, values);
                }
            }
        }
        // The remaining sections are not types.
        for section in later.incomplete {
            if !self.types.contains_key(&section) && !self.incomplete.contains(&section) {
                self.incomplete.push(section);
            }
        }
        if let Some(stored) = later.ssm_parameters {
            self.ssm_parameters.get_or_insert_default().extend(stored);
        }
        if let Some(exports) = later.exports {
            self.exports = Some(exports);
        }
    }

    /// Returns the requested values that do not exist, by type.
    fn absent(&self) -> IndexMap<&str, Vec<&str>> {
        fn missing(values: &Values) -> Vec<&str> {
            values.iter().filter(|(_, attributes)| attributes.is_none()).map(|(value, _)| value.as_str()).collect()
        }
        let types = self.types.iter().map(|(kind, values)| (kind.as_str(), missing(values)));
        types.filter(|(_, values)| !values.is_empty()).collect()
    }

    /// Returns the snapshot as a JSON file.
    pub fn to_json(&self) -> String {
        let written = Written { snapshot: self, absent: self.absent() };
        let mut text =
            serde_json::to_string_pretty(&written).unwrap_or_else(|_| unreachable!("strings and numbers only"));
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(kind: &str, values: &[&str], incomplete: &[&str]) -> Snapshot {
        let values = values.iter().map(|&value| (value.to_owned(), Some(Attributes::default()))).collect();
        let mut snapshot = Snapshot::default();
        snapshot.types.insert(kind.to_owned(), values);
        snapshot.incomplete = incomplete.iter().map(|&kind| kind.to_owned()).collect();
        snapshot
    }

    fn check(mut first: Snapshot, later: Snapshot, values: &[&str], incomplete: &[&str]) {
        first.merge(later);
        assert_eq!(first.types["T"].keys().collect::<Vec<_>>(), values);
        assert_eq!(first.incomplete, incomplete);
    }

    #[test]
    fn some_values_are_added_and_all_replace() {
        let (all, some) = (&[][..], &["T"][..]);
        check(capture("T", &["a"], some), capture("T", &["b"], some), &["a", "b"], some);
        check(capture("T", &["a"], some), capture("T", &["b"], all), &["b"], all);
        check(capture("T", &["a"], all), capture("T", &["b"], some), &["a", "b"], all);
        check(capture("T", &["a"], all), capture("U", &["b"], &["SsmParameters"]), &["a"], &["SsmParameters"]);
    }
}
