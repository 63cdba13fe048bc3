//! Lists of values with the Regions that have them.

use serde_json::Value;

/// Values, grouped by the Regions that have them.
#[derive(Debug)]
pub struct Catalog {
    /// Bits of Regions as in the table, and values in alphabetical order.
    groups: Vec<(Vec<u8>, Vec<String>)>,
}

impl Catalog {
    /// Reads a list of pairs: the Regions as hexadecimal digits, and the values, separated by spaces.
    pub(super) fn read(groups: &[Value]) -> Option<Catalog> {
        let group = |pair: &Value| {
            let (regions, values) = (pair.get(0)?.as_str()?, pair.get(1)?.as_str()?);
            let bytes = (0..regions.len()).step_by(2).map(|at| u8::from_str_radix(regions.get(at..at + 2)?, 16).ok());
            Some((bytes.collect::<Option<Vec<u8>>>()?, values.split(' ').map(str::to_owned).collect()))
        };
        Some(Catalog { groups: groups.iter().map(group).collect::<Option<_>>()? })
    }

    /// Returns all values, whatever the Region.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    /// Returns `true` if a Region has a value of the list, by the number of the Region in the table.
    pub fn is_in(&self, value: &str, region: usize) -> bool {
        let of_value = self.groups.iter().filter(|(_, values)| values.iter().any(|known| known == value));
        of_value.into_iter().any(|(set, _)| set.get(region / 8).is_some_and(|bits| bits >> (region % 8) & 1 == 1))
    }
}
