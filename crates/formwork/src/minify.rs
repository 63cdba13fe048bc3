//! A template in as few bytes as JSON takes.

use formwork_base::Limits;
use formwork_syntax::Format;

use crate::reformat;

/// Writes a template as JSON without white space. `None` when it is no template, or too large for
/// `limits`.
pub fn minify(text: &str, limits: &Limits) -> Option<String> {
    let json = reformat(text, Format::Json, limits)?;
    let (mut dense, mut is_text, mut is_escaped) = (String::with_capacity(json.len()), false, false);
    for c in json.chars() {
        if !is_text && matches!(c, ' ' | '\t' | '\n' | '\r') {
            continue;
        }
        dense.push(c);
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_text,
            '"' => is_text = !is_text,
            _ => {}
        }
    }
    Some(dense)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_values_goes() {
        let text = "A: !Sub \"x \\\"y\\\\ z\"\nB:\n  - 1.50\n  - 'p q'\n";
        let want = r#"{"A":{"Fn::Sub":"x \"y\\ z"},"B":[1.50,"p q"]}"#;
        assert_eq!(minify(text, &Limits::default()).as_deref(), Some(want));
    }
}
