//! Managed policies of AWS.

use std::collections::BTreeMap;

/// Managed policies by name, with the partitions that have them.
#[derive(Debug, Default)]
pub struct ManagedPolicies {
    partitions: Vec<String>,
    /// Per name, the path (`service-role/NAME`) in each partition.
    policies: BTreeMap<String, Vec<Option<String>>>,
}

impl ManagedPolicies {
    /// Reads lines of a bit per partition, as a decimal number, and a path.
    pub(super) fn new<'a>(partitions: &[String], lines: impl Iterator<Item = &'a str>) -> ManagedPolicies {
        let mut policies: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
        for line in lines {
            let Some((bits, path)) = line.split_once(' ') else { continue };
            let bits: u32 = bits.parse().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or(path);
            let paths = policies.entry(name.to_owned()).or_insert_with(|| vec![None; partitions.len()]);
            for (number, slot) in paths.iter_mut().enumerate() {
                if bits.checked_shr(number as u32).is_some_and(|bits| bits & 1 == 1) {
                    *slot = Some(path.to_owned());
                }
            }
        }
        ManagedPolicies { partitions: partitions.to_vec(), policies }
    }

    /// Returns the ARN of the policy of a name in a partition.
    pub fn arn(&self, partition: &str, name: &str) -> Option<String> {
        let number = self.number(partition)?;
        let path = self.policies.get(name)?.get(number)?.as_ref()?;
        Some(format!("arn:{partition}:iam::aws:policy/{path}"))
    }

    /// Returns the names of the policies of a partition, sorted.
    pub fn names(&self, partition: &str) -> impl Iterator<Item = &str> {
        let number = self.number(partition);
        self.policies.iter().filter_map(move |(name, paths)| {
            let path = paths.get(number?)?;
            path.is_some().then_some(name.as_str())
        })
    }

    fn number(&self, partition: &str) -> Option<usize> {
        self.partitions.iter().position(|known| known == partition)
    }
}
