//! Paths in references: `Name[key].Out`, `Name.*.Out`, `Config.prod.Size`.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step<'t> {
    pub(super) text: &'t str,
    pub(super) in_brackets: bool,
}

impl Step<'_> {
    pub(super) fn is_all(&self) -> bool {
        self.text == "*"
    }

    pub(super) fn index(&self) -> Option<usize> {
        self.text.bytes().all(|byte| byte.is_ascii_digit()).then(|| self.text.parse().ok()).flatten()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Path<'t> {
    pub(super) head: &'t str,
    pub(super) steps: Vec<Step<'t>>,
}

/// Parses a reference. Brackets keep dots together; quotes in them are left out
/// (reference/modules/copies.md#selectors).
pub(super) fn parse(text: &str) -> Path<'_> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (head, mut rest) = text.split_at(end);
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[')
            && let Some(close) = inner.find(']')
        {
            let text = inner[..close].trim();
            let unquoted = ['\'', '"'].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote));
            steps.push(Step { text: unquoted.unwrap_or(text), in_brackets: true });
            rest = &inner[close + 1..];
            continue;
        }
        let plain = rest.strip_prefix('.').unwrap_or(rest);
        // A bracket that is never closed is part of a name.
        let end =
            plain.char_indices().find(|&(at, c)| c == '.' || c == '[' && at > 0).map_or(plain.len(), |(at, _)| at);
        steps.push(Step { text: &plain[..end], in_brackets: false });
        rest = &plain[end..];
    }
    Path { head, steps }
}

/// Writes the steps as behind a name, without the first dot.
pub(super) fn written(steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in steps {
        if step.in_brackets {
            text.extend(["[", step.text, "]"]);
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(step.text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        let path = parse(text);
        let steps: Vec<String> =
            path.steps.iter().map(|step| format!("{}{}", if step.in_brackets { "#" } else { "" }, step.text)).collect();
        format!("{} {}", path.head, steps.join("|"))
    }

    #[test]
    fn paths_are_taken_apart() {
        assert_eq!(check("A"), "A ");
        assert_eq!(check("A.b.c"), "A b|c");
        assert_eq!(check("A[x.y].B"), "A #x.y|B");
        assert_eq!(check("A['k-1'].B"), "A #k-1|B");
        assert_eq!(check("A[*]"), "A #*");
        assert_eq!(check("A.*.B"), "A *|B");
        assert_eq!(check("A[]"), "A #");
        assert_eq!(check("A[x"), "A [x");
        assert_eq!(check("A..b"), "A |b");
        assert_eq!(check(".*.items[*]"), " *|items|#*");
        assert_eq!(check(""), " ");
    }
}
