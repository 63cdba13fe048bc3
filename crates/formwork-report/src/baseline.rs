//! Findings that a project knows, and that a check passes over (reference/diagnostics.md#baseline).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use formwork_base::display::mask_credentials;
use formwork_base::{Code, Finding, Selection};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{machine, printable};

/// The version of the format.
const VERSION: u32 = 1;
/// The largest number of findings that are listed as gone.
const MOST: usize = 20;

/// A finding of a baseline. Its fingerprint identifies it; the rest is for readers of the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KnownFinding {
    /// The file, from the root of the repository.
    pub file: String,
    /// The path in the template, if the finding has one.
    pub path: Option<String>,
    /// The code, or the rule of another tool.
    pub code: String,
    /// The title of the finding when the baseline was written.
    pub message: String,
    /// The fingerprint (reference/diagnostics.md#fingerprints).
    pub fingerprint: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    findings: Vec<KnownFinding>,
}

/// The codes and tools of a run, so that a finding that it does not look for does not count as gone.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// The codes that are reported.
    pub selection: Selection,
    /// `true` if other tools run.
    pub has_tools: bool,
}

/// A baseline, and what a run has found so far.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The path of the file, as reports show it.
    name: String,
    known: BTreeMap<String, KnownFinding>,
    scope: Scope,
    /// Set if the run writes the baseline: everything that it finds is known.
    is_written: bool,
    found: Vec<KnownFinding>,
    seen: HashSet<String>,
    /// The files that were checked, from the root of the repository.
    files: BTreeSet<String>,
}

impl Baseline {
    /// Reads the text of a baseline; an empty one without a text.
    ///
    /// # Errors
    /// When the text is not a baseline of this version; the reason.
    pub fn read(name: &str, text: Option<&str>, scope: Scope) -> Result<Baseline, String> {
        let document = match text {
            Some(text) => serde_json::from_str::<Document>(text).map_err(|error| error.to_string())?,
            None => Document { version: VERSION, findings: Vec::new() },
        };
        if document.version != VERSION {
            return Err(format!("its version is {}, and this program reads version {VERSION}", document.version));
        }
        Ok(Baseline {
            name: name.to_owned(),
            known: document.findings.into_iter().map(|one| (one.fingerprint.clone(), one)).collect(),
            scope,
            is_written: false,
            found: Vec::new(),
            seen: HashSet::new(),
            files: BTreeSet::new(),
        })
    }

    /// Takes everything that is found from now on into the baseline.
    #[must_use]
    pub fn to_be_written(self) -> Baseline {
        Baseline { is_written: true, ..self }
    }

    /// Adds a file that was checked.
    pub fn add_file(&mut self, file: String) {
        self.files.insert(file);
    }

    /// Adds a finding of the run, and returns `true` if the baseline has it. `file` is its file from the root of the
    /// repository.
    pub fn takes(&mut self, finding: &Finding, file: String) -> bool {
        let Some(fingerprint) = &finding.fingerprint else { return false };
        if self.is_written {
            self.found.push(KnownFinding {
                file,
                path: finding
                    .site
                    .as_ref()
                    .or(finding.path.as_ref())
                    .map(|path| path.trim_start_matches('.').to_owned()),
                code: finding.id.clone(),
                message: mask_credentials(&finding.message).into_owned(),
                fingerprint: fingerprint.clone(),
            });
            return true;
        }
        let is_known = self.known.contains_key(fingerprint);
        if is_known {
            self.seen.insert(fingerprint.clone());
        }
        is_known
    }

    /// Returns the known findings that the run looked for and did not find, by file. `exists` is `true` for a file that
    /// exists.
    pub fn gone(&self, exists: &dyn Fn(&str) -> bool) -> Vec<&KnownFinding> {
        if self.is_written {
            return Vec::new();
        }
        let is_gone = |one: &&KnownFinding| !self.seen.contains(&one.fingerprint) && self.judges(one, exists);
        let mut gone: Vec<&KnownFinding> = self.known.values().filter(is_gone).collect();
        gone.sort();
        gone
    }

    /// Returns `true` if the run would have found a finding that is still there.
    fn judges(&self, one: &KnownFinding, exists: &dyn Fn(&str) -> bool) -> bool {
        if !self.files.contains(&one.file) {
            return !exists(&one.file);
        }
        match Code::parse(&one.code) {
            Some(code) => self.scope.selection.names(code),
            None => self.scope.has_tools,
        }
    }

    /// Returns the text of the file with the findings of the run, and those that the run did not look for.
    pub fn text(&self, exists: &dyn Fn(&str) -> bool) -> String {
        let is_left = |one: &&KnownFinding| !self.judges(one, exists);
        let found: HashSet<&str> = self.found.iter().map(|one| one.fingerprint.as_str()).collect();
        let left = self.known.values().filter(is_left).filter(|one| !found.contains(one.fingerprint.as_str()));
        let mut findings: Vec<KnownFinding> = self.found.iter().chain(left).cloned().collect();
        findings.sort();
        machine(serde_json::to_string_pretty(&Document { version: VERSION, findings })) + "\n"
    }

    /// Returns the lines about findings that are gone; empty without any.
    pub fn gone_lines(&self, exists: &dyn Fn(&str) -> bool) -> String {
        let gone = self.gone(exists);
        let count = match gone.len() {
            0 => return String::new(),
            1 => "1 finding is gone".to_owned(),
            count => format!("{count} findings are gone"),
        };
        let mut text = format!("{}: {count}; `--write-baseline` removes what is gone\n", printable(&self.name));
        for one in gone.iter().take(MOST) {
            let path = one.path.as_deref().unwrap_or_default();
            let place = [one.file.as_str(), path].join(" ");
            let _ =
                writeln!(text, "  {} {}: {}", printable(&one.code), printable(place.trim()), printable(&one.message));
        }
        if gone.len() > MOST {
            let _ = writeln!(text, "  and {} more", gone.len() - MOST);
        }
        text
    }

    /// Returns the part of the baseline in the summary of a report in JSON.
    pub fn to_json(&self, known: usize, exists: &dyn Fn(&str) -> bool) -> Value {
        json!({"file": self.name, "known": known, "gone": self.gone(exists)})
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{CodePattern, Diagnostic, SourceMap, codes};

    use super::*;

    fn finding(message: &str) -> Finding {
        let mut found = Diagnostic::new(codes::DUPLICATE_KEY, message).resolve(&SourceMap::new());
        found.fingerprint = Some(message.to_owned());
        found
    }

    fn written(found: &[(&str, &str)]) -> String {
        let mut baseline = Baseline::read("b.json", None, Scope::default()).expect("empty").to_be_written();
        for (file, message) in found {
            baseline.add_file((*file).to_owned());
            assert!(baseline.takes(&finding(message), (*file).to_owned()));
        }
        baseline.text(&|_| true)
    }

    #[test]
    fn known_findings_are_taken_and_missing_ones_are_gone() {
        let text = written(&[("b.yaml", "two"), ("a.yaml", "one"), ("c.yaml", "three"), ("d.yaml", "four")]);
        let mut baseline = Baseline::read("b.json", Some(&text), Scope::default()).expect("a baseline");
        baseline.add_file("a.yaml".to_owned());
        baseline.add_file("b.yaml".to_owned());
        assert!(baseline.takes(&finding("one"), "a.yaml".to_owned()));
        assert!(!baseline.takes(&finding("new"), "a.yaml".to_owned()));
        // c.yaml was not checked, and d.yaml does not exist.
        let exists = |file: &str| file != "d.yaml";
        let gone: Vec<&str> = baseline.gone(&exists).iter().map(|one| one.message.as_str()).collect();
        assert_eq!(gone, ["two", "four"]);
        let lines = baseline.gone_lines(&exists);
        assert!(lines.starts_with("b.json: 2 findings are gone; "), "{lines}");
        assert_eq!(baseline.to_json(1, &exists)["gone"][0]["file"], "b.yaml");
    }

    #[test]
    fn what_was_not_looked_for_is_not_gone_and_stays() {
        let text = written(&[("a.yaml", "one"), ("c.yaml", "three")]);
        let ignore = vec![CodePattern::parse("FW0003").expect("a code")];
        let scope = Scope { selection: Selection { select: Vec::new(), ignore }, has_tools: false };
        let mut baseline = Baseline::read("b.json", Some(&text), scope).expect("a baseline");
        baseline.add_file("a.yaml".to_owned());
        assert!(baseline.gone(&|_| true).is_empty());
        assert_eq!(baseline.to_be_written().text(&|_| true), text);
    }

    #[test]
    fn another_document_is_refused() {
        for text in ["", "{}", "[]", "{\"version\": 2, \"findings\": []}"] {
            assert!(Baseline::read("b.json", Some(text), Scope::default()).is_err(), "{text}");
        }
    }
}
