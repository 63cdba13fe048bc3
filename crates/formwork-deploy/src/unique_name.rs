//! Names that no other run takes.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;

/// `PREFIX-20260131T100000-1a2b3c4d`: whole seconds alone collide. `RandomState` is seeded by the
/// system.
pub(crate) fn unique_name(prefix: &str) -> String {
    let time = DateTime::from_secs(DateTime::from(SystemTime::now()).secs()).fmt(Format::DateTime).unwrap_or_default();
    let time: String = time.chars().filter(|c| c.is_ascii_alphanumeric() && *c != 'Z').collect();
    let random = RandomState::new().build_hasher().finish() as u32;
    format!("{prefix}-{time}-{random:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_second_differ() {
        let names: std::collections::BTreeSet<String> = (0..50).map(|_| unique_name("formwork")).collect();
        assert_eq!(names.len(), 50);
        let name = names.first().expect("a name");
        assert!(name.starts_with("formwork-2") && name.len() == "formwork-20260131T100000-1a2b3c4d".len(), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
    }
}
