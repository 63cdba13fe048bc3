//! The template to use when the command line has none (reference/build.md#built-template), and the lines that report
//! it.

use std::path::{Path, PathBuf};

use formwork_run::default_template;

pub use formwork_run::default_template::{BUILD, is_built, refuse_outside, source_folder};

use crate::terminal::say_line;

/// Returns the template of the working directory, and prints its path.
///
/// # Errors
/// When the directory has no template.
pub fn find() -> Result<PathBuf, String> {
    Ok(default_template::find(say_line)?)
}

/// Returns the built template, else the template of the working directory, and prints its path.
///
/// # Errors
/// When neither exists.
pub fn built_or_own() -> Result<PathBuf, String> {
    Ok(default_template::built_or_own(say_line)?)
}

/// Returns the template of the command line, else that of the working directory.
///
/// # Errors
/// When the command line has no template and the directory has none.
pub fn named_or_own(named: Option<&PathBuf>) -> Result<PathBuf, String> {
    named.map_or_else(find, |named| Ok(named.clone()))
}

/// Returns the template of the command line, else the built one, else that of the working directory.
///
/// # Errors
/// When none of them exists.
pub fn named_or_built(named: Option<&PathBuf>) -> Result<PathBuf, String> {
    named.map_or_else(built_or_own, |named| Ok(named.clone()))
}

/// Returns the template and the word after it, both of which are optional. A single word is the template if it is a
/// file or has the name of one; otherwise it follows the template of the working directory.
///
/// # Errors
/// When the command line has no template and the directory has none.
pub fn before_word(template: Option<&Path>, word: Option<&str>) -> Result<(PathBuf, Option<String>), String> {
    let own = |word: &str| Ok((find()?, Some(word.to_owned())));
    match (template, word) {
        (Some(template), Some(word)) => Ok((template.to_owned(), Some(word.to_owned()))),
        (Some(template), None) if is_template(template) => Ok((template.to_owned(), None)),
        (Some(template), None) => own(&template.to_string_lossy()),
        (None, Some(word)) => own(word),
        (None, None) => Ok((find()?, None)),
    }
}

/// Returns `true` if a word has the name of a template, or is a file that exists.
fn is_template(word: &Path) -> bool {
    let ending = word.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    word.as_os_str() == "-" || ["yaml", "yml", "json", "template"].contains(&ending) || word.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_templates() {
        assert!(["-", "a.yaml", "b/c.template", "src"].into_iter().all(|word| is_template(Path::new(word))));
        assert!(["Bucket", "Resources.Bucket.Type", "FW0201"].into_iter().all(|word| !is_template(Path::new(word))));
    }
}
