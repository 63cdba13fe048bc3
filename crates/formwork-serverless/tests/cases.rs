//! Templates with the answers of AWS's translator (`expect.py`).

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::run::run;

/// Returns the directory of the cases.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// A template, and the words behind its name.
pub(crate) struct Case<'t> {
    pub(crate) name: &'t str,
    pub(crate) words: Vec<&'t str>,
    pub(crate) text: &'t str,
}

/// Returns the cases of an area.
pub(crate) fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.split("# ===== ").skip(1).filter_map(|case| {
        let (head, text) = case.split_once('\n')?;
        let mut words = head.split_whitespace();
        Some(Case { name: words.next()?, words: words.collect(), text })
    })
}

/// Returns the templates of the areas.
pub(crate) fn texts() -> Vec<String> {
    areas().into_iter().map(|(_, text, _)| text).collect()
}

/// Returns the areas with their names, and the answers that are stored for them.
pub(crate) fn areas() -> Vec<(String, String, Map<String, Value>)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(directory()).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let of_path = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("text");
        let answers = std::fs::read_to_string(path.with_extension("json")).expect("answers: run tests/expect.py");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, text, serde_json::from_str(&answers).expect("JSON"))
    };
    paths.iter().map(of_path).collect()
}

/// An attribute in the long spelling may be one string. The translator has the dependencies of a bucket in the order of
/// a set, which is another one each time.
pub(crate) fn normal(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(normal),
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get("Fn::GetAtt").filter(|_| map.len() == 1)
                && let Some((id, attribute)) = text.split_once('.')
            {
                let parts = serde_json::json!([id, attribute]);
                map.insert("Fn::GetAtt".to_owned(), parts);
            }
            if let Some(Value::Array(items)) = map.get_mut("DependsOn") {
                items.sort_by_key(ToString::to_string);
            }
            map.values_mut().for_each(normal);
        }
        _ => {}
    }
}

/// Compares the answers for an area with ours, and returns the number of cases and what differs.
pub(crate) fn compare(text: &str, answers: &Map<String, Value>) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases(text) {
        count += 1;
        let mut want = answers.get(case.name).cloned().unwrap_or_default();
        let mut found = run(case.text, &case.words).answer();
        normal(&mut want);
        normal(&mut found);
        // Where the translator fails, the template is refused.
        let is_equal = if want.get("crash").is_some() { found.get("errors").is_some() } else { want == found };
        if !is_equal {
            wrong.push(format!("{}\nwant {want:#}\nfound {found:#}", case.name));
        }
    }
    (count, wrong)
}

#[test]
fn answers_are_those_of_the_translator() {
    let mut all = Vec::new();
    for (area, text, answers) in areas() {
        let (count, wrong) = compare(&text, &answers);
        assert_eq!(count, answers.len(), "{area}: run tests/expect.py");
        all.extend(wrong.into_iter().map(|wrong| format!("{area}: {wrong}")));
    }
    assert!(all.is_empty(), "{} differ:\n{}", all.len(), all.join("\n"));
}
