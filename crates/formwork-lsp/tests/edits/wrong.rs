//! Edits that make a template wrong without breaking its text: other keys, kinds and values.

/// Values in YAML that are wrong at most places.
const YAML: [&str; 14] = [
    "[1, 2]",
    "{a: b}",
    "nonsense",
    "-1",
    "99999999",
    "true",
    "''",
    "null",
    "!Ref Nothing",
    "!Ref AWS::Region",
    "AWS::SQS::Queu",
    "!GetAtt Nothing.Arn",
    "2012-10-17",
    "python2.7",
];
const JSON: [&str; 10] = [
    "[1, 2]",
    "{\"a\": \"b\"}",
    "\"nonsense\"",
    "-1",
    "99999999",
    "true",
    "\"\"",
    "null",
    "{\"Ref\": \"Nothing\"}",
    "\"AWS::SQS::Queu\"",
];

/// One line with a key, changed: the range of its bytes that are replaced, and the text.
pub fn wrong(random: &mut fastrand::Rng, text: &str) -> Option<(usize, usize, String)> {
    let at = text.floor_char_boundary(random.usize(..=text.len()));
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].split(['\n', '\r']).next()?;
    let colon = start + line.find(": ").or_else(|| line.strip_suffix(':').map(str::len))?;
    let is_json = text.trim_start().starts_with('{');
    let end = start + line.trim_end().trim_end_matches(',').len();
    match random.u8(..5) {
        // Another key.
        0 => {
            let behind = if is_json { text[..colon].rfind('"')? } else { colon };
            Some((behind, behind, "x".to_owned()))
        }
        // A required property is missing.
        1 => Some((start, start + line.len(), String::new())),
        _ => {
            let values: &[&str] = if is_json { &JSON } else { &YAML };
            let value = values[random.usize(..values.len())];
            Some((colon + 1, end.max(colon + 1), format!(" {value}")))
        }
    }
}
