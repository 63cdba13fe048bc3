//! Identities of findings that stay the same when lines move (reference/diagnostics.md#fingerprints).

use std::collections::HashMap;

use formwork_base::{Finding, hexadecimal};
use sha2::{Digest, Sha256};

/// Computes the fingerprints of a report.
#[derive(Clone, Default, Debug)]
pub struct Fingerprints {
    seen: HashMap<Site, usize>,
}

type Site = (String, String, String);

impl Fingerprints {
    /// Returns the fingerprint of a finding. It stays the same when lines move and when items of loops are added: it
    /// consists of the rule, the file, the path in the author's file, and a number that distinguishes findings with the
    /// same rule, file and path. `relative` turns the path of a file into one from the root of the repository.
    pub fn of(&mut self, finding: &Finding, relative: &dyn Fn(&str) -> String) -> String {
        let file = finding.place.file.as_deref().map(relative).unwrap_or_default();
        let path = finding.site.as_ref().or(finding.path.as_ref()).unwrap_or(&finding.message);
        self.of_site(&finding.id, &file, path)
    }

    /// Returns the fingerprint of the next finding of a rule in a file at a path.
    pub fn of_site(&mut self, rule: &str, file: &str, path: &str) -> String {
        let count = self.seen.entry((rule.to_owned(), file.to_owned(), path.to_owned())).or_insert(0);
        *count += 1;
        let mut hash = Sha256::new();
        for part in [rule, file, path, &count.to_string()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hexadecimal(&hash.finalize())
    }
}
