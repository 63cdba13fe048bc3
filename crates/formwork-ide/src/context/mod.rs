//! The context of a cursor, by the text alone: it is usually broken while somebody writes it.

mod block;
mod flow;

/// A step of a path from the root of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Into the value of a key; a short tag is a key with the long name of its function.
    Key(String),
    /// Into an element of a list.
    Index(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Key,
    Value,
    Element,
    /// A comment, a block scalar.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    /// The path to the mapping of the key, or to the value.
    pub(crate) path: Vec<Step>,
    pub(crate) place: Place,
    /// The token under the cursor, without quotes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) quote: Option<char>,
    pub(crate) siblings: Vec<String>,
    /// Set when the token is a name in `${}`.
    pub(crate) is_placeholder: bool,
    /// Set in a collection in brackets or braces.
    pub(crate) is_flow: bool,
    pub(crate) has_colon: bool,
    /// The column of the keys of the mapping, in block style.
    pub(crate) column: usize,
}

impl Context {
    /// A position in block style, whose token is determined later.
    fn at(path: Vec<Step>, place: Place, quote: Option<char>, siblings: Vec<String>, column: usize) -> Context {
        Context {
            path,
            place,
            start: 0,
            end: 0,
            quote,
            siblings,
            is_placeholder: false,
            is_flow: false,
            has_colon: false,
            column,
        }
    }

    pub(crate) fn new(text: &str, offset: usize) -> Context {
        let mut context = if text.trim_start().starts_with(['{', '[']) {
            flow::document(text, offset)
        } else {
            block::document(text, offset)
        };
        context.find_token(text, offset);
        context
    }

    /// The keys of the path, without functions and positions in lists.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let keys = self.path.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        });
        keys.filter(|key| !is_function(key)).collect()
    }

    /// The innermost function around, with the position of the argument: `Fn::If` and 1. `None` when a key is between.
    pub(crate) fn call(&self) -> Option<(&str, Option<usize>)> {
        match self.path.as_slice() {
            [.., Step::Key(function), Step::Index(at)] if is_function(function) => Some((function, Some(*at))),
            [.., Step::Key(function)] if is_function(function) => Some((function, None)),
            _ => None,
        }
    }

    fn find_token(&mut self, text: &str, offset: usize) {
        let (before, after) = (text.get(..offset).unwrap_or_default(), text.get(offset..).unwrap_or_default());
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        let is_end = |c: char| match self.quote {
            Some(quote) => c == quote || c == '\n' || c == '\r',
            None => c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | '"' | '\''),
        };
        // The placeholder of `Fn::Sub` that is not closed in front of the cursor.
        let open = line.rfind(['$', '&']).filter(|at| {
            line.get(at + 1..)
                .is_some_and(|rest| rest.starts_with('{') && !rest.contains('}') && !rest.contains(char::is_whitespace))
        });
        if let Some(at) = open.filter(|_| self.place != Place::Nothing) {
            let end = after
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, ':' | '.' | '_' | '-')))
                .unwrap_or(after.len());
            self.is_placeholder = true;
            self.start = offset - line.len() + at + 2;
            self.end = offset + end;
            return;
        }
        let back = before
            .rfind(is_end)
            .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
        self.start = back.max(offset - line.len());
        let mut end = offset + after.find(is_end).unwrap_or(after.len());
        let token = text.get(self.start..end).unwrap_or_default();
        if self.place != Place::Value && self.quote.is_none() && token.ends_with(':') {
            end -= 1;
            self.has_colon = true;
        } else if self.quote.is_some() {
            let behind = text.get(end..).unwrap_or_default();
            self.has_colon = behind.get(1..).is_some_and(|rest| rest.trim_start_matches(' ').starts_with(':'));
        }
        self.end = end.max(self.start);
    }
}

pub(crate) fn is_function(key: &str) -> bool {
    key == "Ref" || key.starts_with("Fn::") && !key.starts_with("Fn::ForEach")
}

/// The long name of a short tag.
pub(crate) fn long_name(tag: &str) -> Option<String> {
    let known = formwork::tree::Known::from_short(tag.strip_prefix('!')?)?;
    // `Condition` is a key of many mappings.
    Some(if known.long() == "Condition" { "Fn::Condition".to_owned() } else { known.long().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> (Context, String) {
        let offset = text.find('‸').expect("a cursor");
        let text = text.replace('‸', "");
        let context = Context::new(&text, offset);
        let token = text[context.start..context.end].to_owned();
        (context, token)
    }

    fn shown(text: &str) -> String {
        let (context, token) = at(text);
        let steps = context.path.iter().map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(at) => at.to_string(),
        });
        format!("{} {:?} {token:?}", steps.collect::<Vec<_>>().join("/"), context.place)
    }

    #[test]
    fn keys_and_values_of_blocks() {
        assert_eq!(shown("Re‸"), " Key \"Re\"");
        assert_eq!(shown("Resources:\n  A:\n    Ty‸pe: x\n"), "Resources/A Key \"Type\"");
        assert_eq!(shown("Resources:\n  A:\n    Type: AWS::S‸3\n"), "Resources/A/Type Value \"AWS::S3\"");
        assert_eq!(shown("Resources:\n  A:\n    ‸\n    Type: x\n"), "Resources/A Key \"\"");
        assert_eq!(shown("Resources:\n  A:\n    X: !Ref ‸\n"), "Resources/A/X/Ref Value \"\"");
        assert_eq!(shown("A:\n  - ‸"), "A/0 Element \"\"");
        assert_eq!(shown("A:\n- a\n- Key: ‸"), "A/1/Key Value \"\"");
        assert_eq!(shown("A:\n  B: |\n    text ‸\n"), "A/B Nothing \"\"");
        assert_eq!(shown("A: # ‸"), "A Nothing \"\"");
        assert_eq!(shown("A:\n  X:\n    !Ref ‸"), "A/X/Ref Value \"\"");
        assert_eq!(shown("A:\n  - !If\n    - ‸"), "A/0/Fn::If/0 Element \"\"");
    }

    #[test]
    fn collections_in_brackets() {
        assert_eq!(shown("A: {Type: x, ‸}"), "A Key \"\"");
        assert_eq!(shown("A: !If [C, ‸]"), "A/Fn::If/1 Value \"\"");
        assert_eq!(shown("A: [a,\n  !Ref ‸]"), "A/1/Ref Value \"\"");
        assert_eq!(shown("A: [a,\n  {b: c}]\nB‸"), " Key \"B\"");
        assert_eq!(shown("{\"A\": {\"Ref\": \"E‸nv\"}}"), "A/Ref Value \"Env\"");
        assert_eq!(shown("{\"A\": {\"B\": 1, \"‸\"}}"), "A Key \"\"");
        assert_eq!(shown("{\"A\": [1, {\"x\": [‸"), "A/1/x/0 Value \"\"");
        assert_eq!(shown("[{\"A\": \"‸\"}]"), "0/A Value \"\"");
        assert_eq!(shown("[\n  {\"A\": 1},\n  {\"‸\"}]"), "1 Key \"\"");
    }

    #[test]
    fn names_in_placeholders() {
        let (context, token) = at("A: !Sub \"x-${En‸v}-y\"");
        assert!(context.is_placeholder);
        assert_eq!(token, "Env");
        assert!(at("A: !Sub \"x-${‸").0.is_placeholder);
        assert!(!at("A: !Sub \"${Env}-‸\"").0.is_placeholder);
    }

    #[test]
    fn siblings_are_on_both_sides() {
        assert_eq!(
            at("R:\n  A:\n    Type: x\n    ‸\n    Properties:\n      P: 1\n  B: 1\n").0.siblings,
            ["Type", "Properties"]
        );
        assert_eq!(at("A: {Type: x, ‸, Foo: 1}").0.siblings, ["Type", "Foo"]);
    }
}
