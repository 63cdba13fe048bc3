//! JSON in the snapshots of deployments: lines that are objects, and documents of several lines.

use serde_json::Value;

use super::blocks::repository;

/// Returns every object, with the name of its snapshot.
pub(crate) fn json() -> Vec<(String, Value)> {
    let folder = repository().join("crates/formwork-cli/tests/deploy/snapshots");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the snapshots").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(entry.path()).expect("a snapshot");
        let mut open: Option<String> = None;
        for line in text.lines() {
            if let Some(document) = &mut open {
                document.push_str(line);
                if line == "}" {
                    found.extend(open.take().map(|text| (name.clone(), parse(&text, &name))));
                }
            } else if line == "{" {
                open = Some("{".to_owned());
            } else if line.starts_with("{\"") && line.ends_with('}') {
                found.push((name.clone(), parse(line, &name)));
            }
        }
    }
    found
}

fn parse(text: &str, name: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
}
