//! From rain (spec modules.md, section 24): its directives that have an equivalent are rewritten in
//! the text, so that comments and layout stay; the others are named.

use super::rain_s3;

/// A template that was brought over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Migrated {
    /// Its text.
    pub text: String,
    /// What has no equivalent, by line.
    pub left: Vec<Left>,
}

/// Something that stays for a person to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// Its line in the new text, from 1.
    pub line: usize,
    /// What it is, and what to do.
    pub what: String,
}

/// Directives without an equivalent, and what can be done about each.
const WITHOUT: [(&str, &str); 7] = [
    ("!Rain::S3Http", "`!Rain::S3Http` uploads a file: write the path alone where `formwork package` finds it"),
    ("!Rain::S3", "`!Rain::S3` uploads a file: write the path alone where `formwork package` finds it"),
    ("!Rain::Include", "`!Rain::Include` puts a fragment in: write it out, or use `AWS::Include`"),
    ("!Rain::Env", "`!Rain::Env` reads an environment variable: pass it as a parameter"),
    ("!Rain::Module", "`!Rain::Module` is the older form of a module: import it under `Modules`"),
    ("Rain::OutputValue", "`Rain::OutputValue` is worked out at deployment by rain alone"),
    ("IfParam", "`IfParam` and `IfNotParam` drop a resource: use a condition"),
];

/// Rewrites a template.
pub fn migrate(text: &str) -> Migrated {
    let mut out = String::with_capacity(text.len());
    let mut section = Section::None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line.trim();
        let is_blank = content.is_empty() || content.starts_with('#');
        if indent == 0 && !is_blank {
            section =
                if content == "Rain:" || content.starts_with("Rain: #") { Section::Rain(None) } else { Section::None };
            if section != Section::None {
                continue;
            }
        }
        let Section::Rain(own) = &mut section else {
            out.push_str(&directives(line));
            continue;
        };
        // What stands below `Rain` becomes sections of their own.
        let outer = *own.get_or_insert(if is_blank { 0 } else { indent });
        if is_blank && outer == 0 {
            *own = None;
        }
        let cut = line.get(outer.min(indent)..).unwrap_or(line);
        let renamed = if indent > outer { package_member(cut) } else { cut.to_owned() };
        out.push_str(&directives(&renamed));
    }
    let rewritten = rain_s3::rewrite(&out);
    let out = rewritten.text;
    let mut left: Vec<Left> = out
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with('#'))
        .filter_map(|(at, line)| {
            let (_, what) = WITHOUT.iter().find(|(mark, _)| is_there(line, mark))?;
            Some(Left { line: at + 1, what: (*what).to_owned() })
        })
        .collect();
    let run = "`Run` is a script that rain runs while it packages: run it before `formwork package`";
    left.extend(rewritten.runs.iter().map(|&line| Left { line, what: run.to_owned() }));
    left.sort_by_key(|left| left.line);
    Migrated { text: out, left }
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Section {
    None,
    /// Below `Rain`, whose members have this indentation.
    Rain(Option<usize>),
}

/// The older name of a package's place.
fn package_member(line: &str) -> String {
    let content = line.trim_start();
    match content.strip_prefix("Location:") {
        Some(rest) => format!("{}Source:{rest}", &line[..line.len() - content.len()]),
        None => line.to_owned(),
    }
}

/// A line with the directives that have an equivalent replaced.
fn directives(line: &str) -> String {
    if !line.contains("Rain") && !line.contains("[]") {
        return line.to_owned();
    }
    let line = line.replace("!Rain::Embed", "!InsertFile").replace("Rain::Embed:", "Fn::InsertFile:");
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find("!Rain::Constant") {
        out.push_str(&rest[..at]);
        let behind = &rest[at + "!Rain::Constant".len()..];
        let space = behind.len() - behind.trim_start_matches(' ').len();
        out.push_str("!Ref ");
        let name = &behind[space..];
        let quote = name.chars().next().filter(|c| *c == '"' || *c == '\'');
        if let Some(quote) = quote {
            out.push(quote);
        }
        out.push_str("Const::");
        rest = &name[quote.map_or(0, char::len_utf8)..];
    }
    out.push_str(rest);
    selectors(&out.replace("${Rain::", "${Const::"))
}

/// `Name[].Output` of older versions, `Name[*].Output` now.
fn selectors(line: &str) -> String {
    let is_reference = line.contains("GetAtt") || line.contains("${");
    if is_reference { line.replace("[].", "[*].") } else { line.to_owned() }
}

/// Whether a mark stands in a line as a whole word.
fn is_there(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(at, _)| !line[at + mark.len()..].starts_with(|c: char| c.is_ascii_alphanumeric()))
        || mark == "IfParam" && line.contains("IfNotParam:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_packages_become_sections() {
        let text = "# a template\nRain: # older\n  # names\n  Constants:\n    Arn: a\n    Both: \"${Rain::Arn}-b\"\n  Packages:\n    kit: # a kit\n      Location: ./kit.zip\n\nResources:\n  R:\n    Properties:\n      A: !Rain::Constant Arn # kept\n      B: !Sub ${Rain::Both}/*\n      C: !Rain::Embed note.txt\n";
        let want = "# a template\n  # names\nConstants:\n  Arn: a\n  Both: \"${Const::Arn}-b\"\nPackages:\n  kit: # a kit\n    Source: ./kit.zip\n\nResources:\n  R:\n    Properties:\n      A: !Ref Const::Arn # kept\n      B: !Sub ${Const::Both}/*\n      C: !InsertFile note.txt\n";
        assert_eq!(migrate(text), Migrated { text: want.to_owned(), left: Vec::new() });
    }

    #[test]
    fn what_has_no_equivalent_is_named() {
        let text = "Resources:\n  F:\n    Value: !Rain::S3\n      Path: x\n    Metadata:\n      Rain:\n        IfNotParam: A\n  # !Rain::Env in a comment\n";
        let found = migrate(text);
        assert_eq!(found.text, text);
        let lines: Vec<usize> = found.left.iter().map(|left| left.line).collect();
        assert_eq!(lines, [3, 7]);
    }

    #[test]
    fn what_is_not_of_rain_is_untouched() {
        let text = "Resources:\n  R: {A: [], B: !GetAtt Q.Arn}\r\n  Rainbow: x";
        assert_eq!(migrate(text).text, text);
        assert_eq!(migrate("A: !GetAtt Box[].Arn\n").text, "A: !GetAtt Box[*].Arn\n");
    }
}
