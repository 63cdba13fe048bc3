//! `!Rain::S3` and `!Rain::S3Http` as the value of an artifact property: rain uploads the file at the path, and so does
//! `formwork package` with the path alone.

use formwork_template::artifact;

pub(super) struct Rewritten {
    pub(super) text: String,
    pub(super) runs: Vec<usize>,
}

/// Keys of the object form. All but `Path` set what the artifact property itself decides.
const MEMBERS: [&str; 8] =
    ["Path", "Zip", "Run", "Extension", "Format", "BucketProperty", "KeyProperty", "VersionProperty"];

/// Replaces the directive by its path in artifact properties.
pub(super) fn rewrite(text: &str) -> Rewritten {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut rewritten = Rewritten { text: String::with_capacity(text.len()), runs: Vec::new() };
    let mut count = 0;
    let mut at = 0;
    while at < lines.len() {
        let taken = match property(lines[at]) {
            Some(property) => replaced(&property, &lines[at..]),
            None => None,
        };
        let (made, used, has_run) = taken.unwrap_or_else(|| (lines[at].to_owned(), 1, false));
        if has_run {
            rewritten.runs.push(count + 1);
        }
        count += made.matches('\n').count();
        rewritten.text += &made;
        at += used;
    }
    rewritten
}

/// A line that sets an artifact property to the directive.
struct Property<'l> {
    head: &'l str,
    rest: &'l str,
    indent: usize,
}

fn property(line: &str) -> Option<Property<'_>> {
    let at = line.find("!Rain::S3")?;
    let (head, rest) = line.split_at(at);
    let rest = rest.strip_prefix("!Rain::S3Http").or_else(|| rest.strip_prefix("!Rain::S3"))?;
    if !rest.starts_with([' ', '\n', '\r']) && !rest.is_empty() {
        return None;
    }
    let name = head.trim().strip_suffix(':')?;
    let is_artifact = artifact::ALL.iter().any(|artifact| artifact.property.last() == Some(&name));
    is_artifact.then_some(Property { head, rest, indent: head.len() - head.trim_start().len() })
}

/// Returns the new lines, the number of lines that they replace, and whether a `Run` was removed; `None` when the
/// directive is written in an unsupported way.
fn replaced(property: &Property<'_>, lines: &[&str]) -> Option<(String, usize, bool)> {
    let end = if lines[0].ends_with("\r\n") { "\r\n" } else { "\n" };
    let (value, comment) = uncommented(property.rest.trim());
    if let Some(inner) = value.strip_prefix('{') {
        let mut path = None;
        let mut has_run = false;
        for member in inner.strip_suffix('}')?.split(',') {
            let (name, value) = member.split_once(':')?;
            take(name.trim(), value.trim(), &mut path, &mut has_run)?;
        }
        return Some((format!("{}{}{comment}{end}", property.head, path?), 1, has_run));
    }
    if !value.is_empty() {
        return Some((format!("{}{value}{comment}{end}", property.head), 1, false));
    }
    let mut path = None;
    let mut has_run = false;
    let mut comments = String::new();
    let mut used = 1;
    for line in &lines[1..] {
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        if content.is_empty() || indent <= property.indent {
            break;
        }
        used += 1;
        let (member, note) = uncommented(content);
        if !member.is_empty() {
            let (name, value) = member.split_once(':')?;
            take(name, value.trim(), &mut path, &mut has_run)?;
        }
        if !note.is_empty() {
            comments.extend([&line[..indent], note.trim_start(), end]);
        }
    }
    Some((format!("{}{}{comment}{end}{comments}", property.head, path?), used, has_run))
}

fn take(name: &str, value: &str, path: &mut Option<String>, has_run: &mut bool) -> Option<()> {
    if !MEMBERS.contains(&name) || value.is_empty() {
        return None;
    }
    match name {
        "Path" => *path = Some(value.to_owned()),
        "Run" => *has_run = true,
        _ => {}
    }
    Some(())
}

/// Splits a value from the comment after it, with the spaces before that.
fn uncommented(text: &str) -> (&str, &str) {
    if text.starts_with('#') {
        return ("", text);
    }
    match text.find(" #") {
        Some(at) => (text[..at].trim_end(), &text[text[..at].trim_end().len()..]),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str, runs: &[usize]) {
        let found = rewrite(text);
        assert_eq!((found.text.as_str(), found.runs.as_slice()), (want, runs));
    }

    #[test]
    fn artifact_properties_hold_the_path_alone() {
        check("  TemplateURL: !Rain::S3Http a.yaml # child\n", "  TemplateURL: a.yaml # child\n", &[]);
        check("  CodeUri: !Rain::S3 './a b'\r\n", "  CodeUri: './a b'\r\n", &[]);
        check("  Code: !Rain::S3 {Path: x, Zip: true, Run: build.sh}\n", "  Code: x\n", &[1]);
        check(
            "A: 1\n  Code: !Rain::S3\n    Run: build.sh # slow\n    # where it is\n    Path: !Ref P\n    KeyProperty: S3Key\n  Next: 1\n",
            "A: 1\n  Code: !Ref P\n    # slow\n    # where it is\n  Next: 1\n",
            &[2],
        );
    }

    #[test]
    fn the_rest_is_left() {
        for text in [
            "  Value: !Rain::S3 a.yaml\n",
            "  Code: !Rain::S3Other a\n",
            "  Code: !Rain::S3\n    Zip: true\n",
            "  Code: !Rain::S3\n    Path:\n      Ref: A\n",
            "  Code: !Rain::S3 {Path: x, Other: y}\n",
        ] {
            check(text, text, &[]);
        }
    }
}
