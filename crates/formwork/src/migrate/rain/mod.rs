//! Migrates rain templates (reference/modules/README.md#rain): directives that have an equivalent are rewritten in the
//! text, so that comments and layout stay; the others are listed.
//!
//! Each step parses the text, edits it and passes it on: `directives` in their places, `imports` that were resources,
//! the `section` `Rain`, uploads (`s3`). `notes` finds the rest, by line. `tests/rain/cases.txt` has the shapes.

mod directives;
mod document;
mod imports;
mod notes;
mod s3;
mod section;

use document::Rain;

/// A migrated template.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Migrated {
    /// The text of the template.
    pub text: String,
    /// Constructs without an equivalent, by line.
    pub left: Vec<Left>,
}

/// A construct that a person has to migrate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Left {
    /// The line in the new text, from 1.
    pub line: usize,
    /// The construct and the advice for it.
    pub what: String,
}

/// Returns the content of a file that a template embeds, by its path as written there; `None` when it cannot be read.
pub type Files<'f> = &'f dyn Fn(&str) -> Option<String>;

const SECTIONS: [&str; 12] = [
    "AWSTemplateFormatVersion",
    "Conditions",
    "Constants",
    "Mappings",
    "Modules",
    "Outputs",
    "Packages",
    "Parameters",
    "Rain",
    "Resources",
    "Rules",
    "Transform",
];

/// The reason why a file is not a rain template; a clause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MigrateError {
    /// Not readable: the first error.
    #[error("{0}")]
    Unreadable(String),
    /// Without any section of a template.
    #[error("it has no template section")]
    NoSection,
}

/// Rewrites a template. `files` reads the embedded files.
///
/// # Errors
/// When the file is not a template.
pub fn migrate(text: &str, files: Files<'_>) -> Result<Migrated, MigrateError> {
    let written = text;
    let rain = Rain::read(text).map_err(MigrateError::Unreadable)?;
    if !rain.tree.entries(rain.root).any(|entry| SECTIONS.contains(&rain.tree.text(entry.key))) {
        return Err(MigrateError::NoSection);
    }
    let text = directives::rewrite(&rain, files);
    let text = imports::rewrite(&Rain::read(&text).map_err(MigrateError::Unreadable)?);
    let rain = Rain::read(&text).map_err(MigrateError::Unreadable)?;
    let unknown = section::unknown(&rain);
    let rewritten = s3::rewrite(&section::rewrite(&rain));
    let mut left = notes::left(&Rain::read(&rewritten.text).map_err(MigrateError::Unreadable)?, &unknown, files);
    let run = "`Run` is a script that rain runs while it packages: run it before `formwork package`";
    left.extend(rewritten.runs.iter().map(|&line| Left { line, what: run.to_owned() }));
    left.sort_by_key(|left| left.line);
    Ok(Migrated { text: with_line_ends_of(written, rewritten.text), left })
}

/// Converts the line ends of added lines to those of the template.
fn with_line_ends_of(written: &str, text: String) -> String {
    let has_own = written.matches('\n').count() == written.matches("\r\n").count() && written.contains("\r\n");
    if has_own { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_packages_become_sections() {
        let text = "# a template\nRain: # older\n  # names\n  Constants:\n    Arn: a\n    Both: \"${Rain::Arn}-b\"\n  Packages:\n    kit: # a kit\n      Location: ./kit.zip\n\nResources:\n  R:\n    Properties:\n      A: !Rain::Constant Arn # kept\n      B: !Sub ${Rain::Both}/*\n      C: !Rain::Embed note.txt\n";
        let want = "# a template\n  # names\nConstants:\n  Arn: a\n  Both: \"${Const::Arn}-b\"\nPackages:\n  kit: # a kit\n    Source: ./kit.zip\n\nResources:\n  R:\n    Properties:\n      A: !Ref Const::Arn # kept\n      B: !Sub ${Const::Both}/*\n      C: !InsertFile note.txt\n";
        assert_eq!(
            migrate(text, &|_| Some("x".to_owned())).expect("a template"),
            Migrated { text: want.to_owned(), left: Vec::new() }
        );
    }

    #[test]
    fn what_has_no_equivalent_is_named() {
        let text = "Resources:\n  F:\n    Value: !Rain::S3\n      Path: x\n    Metadata:\n      Rain:\n        IfNotParam: A\n  # !Rain::Env in a comment\n";
        let found = migrate(text, &|_| None).expect("a template");
        assert_eq!(found.text, text);
        let lines: Vec<usize> = found.left.iter().map(|left| left.line).collect();
        assert_eq!(lines, [3, 7]);
    }

    #[test]
    fn added_lines_end_like_the_others() {
        let text = "Resources:\r\n  A:\r\n    Type: !Rain::Module a.yaml\r\n  B: {Type: T, P: !Rain::Embed b}\r\n  C:\r\n    P: !Rain::Embed b\r\n";
        let found = migrate(text, &|_| Some("\nx\ny\n".to_owned())).expect("a template").text;
        assert_eq!(
            found,
            "Modules:\r\n  A:\r\n    Source: a.yaml\r\n\r\nResources:\r\n  B: {Type: T, P: \"x\\ny\"}\r\n  C:\r\n    P: |-\r\n      x\r\n      y\r\n"
        );
    }

    #[test]
    fn what_is_not_of_rain_is_untouched() {
        let text = "Resources:\n  R: {A: [], B: !GetAtt Q.Arn}\r\n  Rainbow: x";
        assert_eq!(migrate(text, &|_| None).expect("a template").text, text);
        let text = "Outputs:\n  A: !GetAtt Box[].Arn\n";
        assert_eq!(migrate(text, &|_| None).expect("a template").text, text.replace("[]", "[*]"));
    }
}
