//! The tags of functions for editors, in `docs/guides/editors.md`: editors that read YAML report tags that they do not know.

use std::fs;

use formwork_syntax::function::Known;
use serde_json::json;

use crate::command::repository;

const PAGE: &str = "docs/guides/editors.md";
const BEGIN: &str = "<!-- Tags: written by `cargo xtask codegen`. -->\n";
const END: &str = "<!-- End of tags. -->\n";

/// The setting: each tag may be on a scalar, a list and a mapping, since arguments of functions are functions.
fn setting() -> String {
    let tags = Known::ALL.iter().map(|known| known.short()).filter(|tag| !tag.is_empty());
    let of = |tag: &str| {
        let forms = ["scalar", "sequence", "mapping"].map(|form| json!(format!("!{tag} {form}")).to_string());
        format!("    {}", forms.join(", "))
    };
    let lines: Vec<String> = tags.map(of).collect();
    format!("```json\n{{\n  \"yaml.customTags\": [\n{}\n  ]\n}}\n```\n", lines.join(",\n"))
}

/// Writes the setting into the page, or only compares; returns the page if it differs.
///
/// # Errors
/// When the page cannot be read or written, or has no marks.
pub(super) fn update(only_compares: bool) -> Result<Vec<String>, String> {
    let path = repository().join(PAGE);
    let error = |error: std::io::Error| format!("{PAGE}: {error}");
    let text = fs::read_to_string(&path).map_err(error)?;
    let new = with_setting(&text).ok_or_else(|| format!("{PAGE} has no line `{}`", BEGIN.trim_end()))?;
    if new == text {
        return Ok(Vec::new());
    }
    if !only_compares {
        fs::write(&path, new).map_err(error)?;
    }
    Ok(vec![format!("{PAGE} is stale")])
}

fn with_setting(page: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{}{END}{after}", setting()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_is_json_with_every_tag() {
        let setting = setting();
        let json = setting.trim_start_matches("```json\n").trim_end_matches("```\n");
        let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
        let tags = json["yaml.customTags"].as_array().expect("a list");
        assert!(tags.contains(&json!("!Sub scalar")) && tags.contains(&json!("!FindInMap sequence")));
        assert_eq!(tags.len(), 3 * Known::ALL.len());
    }

    #[test]
    fn what_is_between_the_marks_is_replaced() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        let new = with_setting(&page).expect("marks");
        assert!(new.starts_with("a\n") && new.ends_with("b\n") && !new.contains("old") && new.contains("!Ref scalar"));
        assert_eq!(with_setting("no marks"), None);
    }
}
