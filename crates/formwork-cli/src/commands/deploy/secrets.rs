//! Values of `NoEcho` parameters, which nothing may show: the service repeats some in its sentences.

/// Values that are never shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets(Vec<String>);

const MASK: &str = "****";

/// Shorter values are also parts of words that mean nothing.
const SHORT: usize = 4;

impl Secrets {
    /// Longer ones first: one may hold another.
    pub(super) fn new(mut values: Vec<String>) -> Secrets {
        values.retain(|value| !value.is_empty());
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Secrets(values)
    }

    /// A string with every secret replaced. A short one is replaced where it is a word of its own.
    pub(super) fn mask(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            if secret.len() >= SHORT { text.replace(secret.as_str(), MASK) } else { mask_alone(&text, secret) }
        })
    }
}

fn mask_alone(text: &str, secret: &str) -> String {
    let (mut masked, mut rest, mut before) = (String::with_capacity(text.len()), text, None);
    while let Some(at) = rest.find(secret) {
        let (head, tail) = rest.split_at(at);
        let after = &tail[secret.len()..];
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_alone = !is_word(head.chars().last().or(before)) && !is_word(after.chars().next());
        masked.push_str(head);
        masked.push_str(if is_alone { MASK } else { secret });
        before = secret.chars().last();
        rest = after;
    }
    masked.push_str(rest);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go() {
        let secrets = Secrets::new(vec!["hunter2".into(), "hunter2-long".into(), String::new(), "ab".into()]);
        assert_eq!(secrets.mask("x hunter2-long y hunter2z"), "x **** y ****z");
        assert_eq!(secrets.mask("ab cab ab, abab (ab)"), "**** cab ****, abab (****)");
        assert_eq!(Secrets::default().mask("plain"), "plain");
    }
}
