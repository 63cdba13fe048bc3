//! The places of secrets, so that no report quotes them (reference/parameters.md#no-echo: no message holds the value of
//! a `NoEcho` parameter): the text of their values, also under duplicate keys.

use formwork_base::display::{MASK, shown};
use formwork_base::{Diagnostic, Diagnostics, IdSet, Severity, SourceMap, Span, codes};
use formwork_syntax::tree::Entry;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, View, symbol};
use formwork_template::{attribute, no_echo};

/// Finds the `Default` of every parameter that is `NoEcho` somewhere: in any file, and also where a later key of the
/// same name replaced the declaration, its `NoEcho` or its `Default`.
pub(crate) fn default_spans(tree: &Tree, sources: &SourceMap) -> Vec<Span> {
    let may_be_meant = || {
        sources.files().any(|file| {
            ["Ech", "ech", "ECH"]
                .iter()
                .any(|part| memchr::memmem::find(sources.text(file).as_bytes(), part.as_bytes()).is_some())
        })
    };
    if !tree.has_key(symbol::NO_ECHO) && tree.lost().next().is_none() && !may_be_meant() {
        return Vec::new();
    }
    let all = || (1..=tree.node_count() as u32).filter_map(|number| tree.node(number));
    let maps = || all().filter(|&node| tree.kind(node) == Kind::Map);
    let declarations = || {
        let entries = maps().flat_map(|map| tree.entries(map)).chain(tree.lost());
        entries.filter(|entry| tree.kind(entry.value) == Kind::Map)
    };
    let mut names: IdSet<Symbol> =
        declarations().filter(|entry| has_no_echo(tree, entry.value)).map(|entry| tree.symbol(entry.key)).collect();
    let lost = |name| tree.lost().filter(move |entry| tree.symbol(entry.key) == name);
    for entry in lost(symbol::NO_ECHO).filter(|entry| no_echo::is_secret(tree, entry.value)) {
        let around = declarations().filter(|around| tree.span(around.value).contains(tree.span(entry.key)));
        names.extend(around.min_by_key(|around| length(tree, *around)).map(|around| tree.symbol(around.key)));
    }
    if names.is_empty() {
        return Vec::new();
    }
    let mut spans = Vec::new();
    // A key that is not an attribute of parameters may be meant as `Default`.
    let may_be_default = |entry: &Entry| {
        let name = tree.symbol(entry.key);
        name == symbol::DEFAULT || !attribute::PARAMETER.contains(&name)
    };
    for declaration in declarations().filter(|entry| names.contains(&tree.symbol(entry.key))) {
        for entry in tree.entries(declaration.value).filter(may_be_default) {
            spans.extend(marks(tree, entry, sources));
            add_spans(tree, entry.value, &mut spans);
        }
        let whole = tree.span(declaration.value);
        spans.extend(lost(symbol::DEFAULT).map(|entry| tree.span(entry.value)).filter(|span| whole.contains(*span)));
    }
    spans.retain(|span| !span.is_none());
    spans.sort_unstable_by_key(|span| (span.start(), span.end()));
    spans.dedup();
    spans
}

/// The place between the colon and the value of a key: a secret that begins with `&` or `!` is read as an anchor or a
/// tag.
fn marks(tree: &Tree, entry: Entry, sources: &SourceMap) -> Option<Span> {
    let (key, value) = (tree.span(entry.key), tree.span(entry.value));
    let text = if key.end() < value.start() {
        sources.slice(Span::new(key.end(), value.start()))
    } else {
        // Only a mark may be there.
        let file = sources.file_of(key)?;
        let rest = sources.text(file).get((key.end() - sources.base(file)) as usize..)?;
        rest.lines().next().filter(|_| tree.kind(entry.value) == Kind::Null)?
    };
    let mark = text.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim_start();
    let end = key.end() + text.len() as u32;
    let start = end - mark.len() as u32;
    mark.starts_with(['&', '!', '*']).then(|| Span::new(start, end))
}

/// Adds the places of a value, of everything below it, and of the value behind an alias.
fn add_spans(tree: &Tree, node: NodeId, spans: &mut Vec<Span>) {
    spans.extend([tree.span(node), tree.span(tree.authored(node))]);
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| add_spans(tree, item, spans)),
        View::Map => {
            for entry in tree.entries(node) {
                spans.push(tree.span(entry.key));
                add_spans(tree, entry.value, spans);
            }
        }
        View::Call(_, argument) => add_spans(tree, argument, spans),
        _ => {}
    }
}

fn length(tree: &Tree, entry: Entry) -> u32 {
    let span = tree.span(entry.value);
    span.end() - span.start()
}

/// Returns `true` if a declaration has the attribute `NoEcho`, or a misspelling of it.
fn has_no_echo(tree: &Tree, declaration: NodeId) -> bool {
    match tree.get(declaration, symbol::NO_ECHO) {
        Some(flag) => no_echo::is_secret(tree, flag),
        None => {
            tree.get(declaration, symbol::DEFAULT).is_some()
                && tree.entries(declaration).any(|entry| {
                    !attribute::PARAMETER.contains(&tree.symbol(entry.key)) && no_echo::is_meant(tree.text(entry.key))
                })
        }
    }
}

/// Finds the text after `Default:` in a text that could not be read as a whole, if `NoEcho`, or the beginning of it,
/// appears anywhere in it: it is unknown to which declaration it belongs, and where a broken block scalar or a string
/// without its closing quote ends. Both words may be misspelt in their letter case, escapes and marks. Without that
/// word, only values at a position that `is_unsure` are found: the end of a text, or the error, may be where the word
/// would be.
pub(crate) fn unread_default_spans(tree: &Tree, text: &str, base: u32, is_unsure: impl Fn(u32) -> bool) -> Vec<Span> {
    let words = Words::of(text);
    let is_meant = words.behind("noecho").next().is_some() || words.each().any(is_no_echo);
    let span = |(start, end): (usize, usize)| {
        let value = value_behind(&text[..start], &text[end..])?;
        let start = text.len() - value.len();
        let line = text[..end].rfind('\n').map_or(0, |end| end + 1);
        let indent = indentation(&text[line..]);
        let mut length = value.find('\n').map_or(value.len(), |end| end + 1);
        while length < value.len() && !ends_value(tree, &value[length..], indent) {
            length += value[length..].find('\n').map_or(value.len() - length, |end| end + 1);
        }
        let length = value[..length].trim_end_matches(['\n', '\r']).len();
        Some(Span::new(base + start as u32, base + (start + length) as u32))
    };
    let found = words.behind("default").filter(|&(start, _)| is_meant || is_unsure(base + start as u32));
    found.filter_map(span).collect()
}

/// Returns `true` if a word in lower case is meant to be `NoEcho`, or the beginning of it.
fn is_no_echo(word: &str) -> bool {
    const SHORTEST: usize = 3;
    word.len() >= SHORTEST && ("noecho".starts_with(word) || no_echo::is_meant(word))
}

/// The text after a key, from its value on; `None` if the key is part of a longer word, or a word in a sentence.
fn value_behind<'t>(before: &str, behind: &'t str) -> Option<&'t str> {
    if behind.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let rest = behind.trim_start_matches(['"', '\'', ']', '}', ' ', '\t']);
    let rest = if rest.starts_with([':', '=']) { rest } else { rest.trim_start() };
    if rest.starts_with([':', '=']) {
        return Some(rest.trim_start_matches([':', '=']).trim_start_matches([' ', '\t']));
    }
    let before = before.trim_end_matches(['"', '\'', ' ', '\t']);
    let is_key = before.is_empty() || before.ends_with(['\n', '\r', '{', '[', ',', '?', '-']);
    is_key.then_some(rest)
}

/// A text in lower case and without escapes.
struct Words {
    folded: String,
    /// The position of each byte in the original text; and the end.
    places: Vec<usize>,
}

impl Words {
    fn of(text: &str) -> Words {
        let mut words = Words { folded: String::with_capacity(text.len()), places: Vec::with_capacity(text.len() + 1) };
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let (c, length) = escaped(&text[at..]).unwrap_or((c, c.len_utf8()));
            words.folded.push(c.to_ascii_lowercase());
            words.places.resize(words.folded.len(), at);
            at += length;
        }
        words.places.push(at);
        words
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.folded.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty())
    }

    /// The start and the end of each occurrence of a word.
    fn behind(&self, word: &'static str) -> impl Iterator<Item = (usize, usize)> {
        self.folded.match_indices(word).map(|(at, _)| (self.places[at], self.places[at + word.len()]))
    }
}

/// The character of an escape of JSON or YAML at the beginning of a text, and the length of the escape.
fn escaped(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes() {
        [b'\\', b'x', ..] => 2,
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
    Some((char::from_u32(code)?, 2 + digits))
}

fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns `true` if a line after the value of a `Default` with this indentation is surely not part of the value:
/// another attribute of the parameter, a closing bracket, or the beginning of the next parameter or section.
fn ends_value(tree: &Tree, rest: &str, indent: usize) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let own = indentation(line);
    let words = line.trim();
    if own > indent || words.is_empty() {
        return false;
    }
    if words.bytes().all(|byte| b"}],".contains(&byte)) {
        return true;
    }
    let Some((key, value)) = words.split_once(':') else { return false };
    let key = key.trim().trim_matches(['"', '\'']);
    let is_attribute = attribute::PARAMETER.iter().any(|&known| tree.name(known) == key);
    is_attribute || own < indent && matches!(value.trim(), "" | "{" | "[")
}

struct Met {
    /// The secrets by their starts, each with its number and the greatest end up to there.
    sorted: Vec<(Span, usize, u32)>,
}

impl Met {
    fn new(secrets: &[Span]) -> Met {
        let mut sorted: Vec<_> = secrets.iter().enumerate().map(|(at, &secret)| (secret, at, 0)).collect();
        sorted.sort_unstable_by_key(|(secret, at, _)| (secret.start(), *at));
        let mut end = 0;
        for (secret, _, greatest) in &mut sorted {
            end = end.max(secret.end());
            *greatest = end;
        }
        Met { sorted }
    }

    /// The numbers of the secrets that overlap with any of these places, and of the secrets in those, in order. A place
    /// without text is where something is missing: it also overlaps with a secret that ends there.
    fn by(&self, places: &[Span]) -> Vec<usize> {
        let mut met = Vec::new();
        for place in places {
            let (start, end) = match place.start() {
                start if start < place.end() => (start, place.end()),
                start => (start.saturating_sub(1), start + 1),
            };
            let before = self.sorted.partition_point(|(secret, ..)| secret.start() < end);
            let reaching = self.sorted[..before].iter().rev().take_while(|(.., greatest)| *greatest > start);
            for &(secret, at, _) in reaching.filter(|(secret, ..)| secret.end() > start) {
                met.push(at);
                // The keys and values of a secret that is an object.
                let first = self.sorted.partition_point(|(inner, ..)| inner.start() < secret.start());
                let inside = self.sorted[first..].iter().take_while(|(inner, ..)| inner.start() < secret.end());
                met.extend(inside.map(|&(_, at, _)| at));
            }
        }
        met.sort_unstable();
        met.dedup();
        met
    }
}

/// Masks the quotes of secrets in diagnostics that point at them, and drops fixes that would write one.
pub(crate) fn mask<'d>(
    diagnostics: impl IntoIterator<Item = &'d mut Diagnostic>,
    secrets: &[Span],
    sources: &SourceMap,
) {
    let met = Met::new(secrets);
    for diagnostic in diagnostics {
        let edits = diagnostic.fix.iter().flat_map(|fix| fix.edits.iter().map(|(span, _)| *span));
        let labels = diagnostic.primary.iter().chain(&diagnostic.related).map(|label| label.span);
        let places: Vec<Span> = labels.chain(edits).collect();
        let met: Vec<&str> = met.by(&places).into_iter().map(|at| sources.slice(secrets[at])).collect();
        if met.is_empty() {
            continue;
        }
        diagnostic.fix = None;
        let labels = diagnostic.primary.iter_mut().chain(&mut diagnostic.related).map(|label| &mut label.text);
        let words = diagnostic.notes.iter_mut().chain(&mut diagnostic.help);
        for text in labels.chain(words).chain([&mut diagnostic.message]).chain(&mut diagnostic.path) {
            for secret in &met {
                mask_quotes(text, secret);
            }
        }
    }
}

/// Replaces quotes of a secret in a text: of all of it, a part, or a tag or alias at its beginning.
fn mask_quotes(text: &mut String, secret: &str) {
    let is_part = |word: &&str| {
        let plain = word.trim_end_matches('…').trim_start_matches(['!', '*']);
        // Shorter parts are found in any file, and mean nothing.
        let is_long = plain.chars().count() > 2 || plain == secret.trim_matches(['"', '\'']);
        is_long && plain.contains(char::is_alphanumeric) && (secret.contains(plain) || shown(secret).contains(plain))
    };
    let mut found: Vec<String> = Vec::new();
    for quote in ['`', '"', '\''] {
        for quoted in text.split(quote).skip(1).step_by(2) {
            let marked =
                quoted.split_whitespace().filter(|word| word.trim_matches(['"', '\'']).starts_with(['!', '*']));
            let words = marked.chain([quoted]).map(|word| word.trim().trim_matches(['`', '"', '\'']));
            found.extend(words.filter(is_part).map(str::to_owned));
        }
    }
    // A part that begins with a mark is quoted up to where the parser took it to end.
    let marked = secret.split_whitespace().filter(|word| word.starts_with(['!', '*', '&']));
    for core in marked.chain([secret]).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())) {
        if core.chars().count() > 2 {
            *text = text.replace(core, MASK);
        }
    }
    found.sort_unstable_by_key(|word| std::cmp::Reverse(word.len()));
    for word in found {
        let quotes = [("`", "`"), ("\"", "\""), ("'", "'")];
        let marks = [(" ", " "), ("`", " "), (" ", "`")];
        let is_marked = word.starts_with(['!', '*']);
        for (before, behind) in quotes.into_iter().chain(marks.into_iter().filter(|_| is_marked)) {
            *text = text.replace(&[before, &word, behind].concat(), &[before, MASK, behind].concat());
        }
    }
}

/// Removes quotes from the errors of a parameters file: names of tags and aliases there are the beginnings of values
/// without quotes, and a line that is not an entry may be one.
pub(crate) fn without_values(found: Diagnostics, sources: &SourceMap) -> Vec<Diagnostic> {
    found.into_sorted(sources).into_iter().map(value_free).collect()
}

fn value_free(found: Diagnostic) -> Diagnostic {
    let found = match found.code {
        codes::NOT_WELL_FORMED | codes::JSON_AS_YAML if found.indicator.is_none() => without_quotes(found),
        _ => found,
    };
    let (what, mark) = match found.code {
        codes::UNKNOWN_TAG | codes::TWO_TAGS => ("a value begins with `!`, which begins a tag in YAML", '!'),
        codes::ALIAS | codes::ALIAS_CYCLE => ("a value begins with `*`, which begins an alias in YAML", '*'),
        codes::NOT_WELL_FORMED if found.indicator == Some('*') => {
            ("a value begins with `*`, which begins an alias in YAML", '*')
        }
        _ => return found,
    };
    let is_harmless = found.severity == Severity::Note;
    let mut free = Diagnostic::new(found.code, what).severity(found.severity);
    free.primary = found.primary.map(|label| formwork_base::Label { text: String::new(), ..label });
    free.count = found.count;
    if is_harmless { free } else { free.help(format!("quote a value that begins with `{mark}`")) }
}

/// Reduces the error of a text that is not well-formed to the mistake: the words of the file in its backquotes, and the
/// code in its advice, may be a value.
fn without_quotes(mut found: Diagnostic) -> Diagnostic {
    const FORM: &str = "write one `Name: value` per line, or JSON, and put a value with special characters in quotes";
    let quotes_words = |text: &str| {
        let of_words = |quote: char| text.split(quote).skip(1).step_by(2).any(|it| it.contains(char::is_alphanumeric));
        of_words('`') || of_words('"') || of_words('\'')
    };
    if quotes_words(&found.message) {
        "this is not an entry of parameter values".clone_into(&mut found.message);
    }
    found.notes.retain(|note| note.starts_with("CloudFormation: ") || !quotes_words(note));
    if found.help.iter().any(|help| quotes_words(help)) {
        found.help = vec![FORM.to_owned()];
    }
    for label in found.primary.iter_mut().chain(&mut found.related).filter(|label| quotes_words(&label.text)) {
        label.text.clear();
    }
    found.fix = None;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> Vec<&str> {
        hidden_at(text, |_| false)
    }

    fn hidden_at(text: &str, is_unsure: impl Fn(u32) -> bool) -> Vec<&str> {
        let spans = unread_default_spans(&Tree::new(), text, 0, is_unsure);
        spans.iter().map(|span| &text[span.start() as usize..span.end() as usize]).collect()
    }

    #[test]
    fn values_of_unread_texts_end_where_something_else_surely_begins() {
        assert_eq!(hidden("A: {Default: x}"), [] as [&str; 0]);
        assert_eq!(hidden("A: {NoEcho: true, Default: x, B: y}\nC: d"), ["x, B: y}\nC: d"]);
        assert_eq!(
            hidden("P:\n  NoEcho: true\n  Default: |\n      one\n    two\n three: 3\n  Type: String\n  Description: x"),
            ["|\n      one\n    two\n three: 3"]
        );
        assert_eq!(hidden("P:\n  NoEcho: true\n  Default: \"one\n   two\nQ:\n  Type: x"), ["\"one\n   two"]);
        assert_eq!(hidden("P:\n  NoEcho: true\n  ? Default\n  : one\n  NoEcho: true"), ["one"]);
        assert_eq!(hidden("{\n \"Default\": \"one\n\",\n \"NoEcho\": true\n}"), ["\"one\n\","]);
        assert_eq!(hidden("DEFAULT:: one\nnoecho"), ["one\nnoecho"]);
        assert_eq!(hidden("\"Def\\u0061ult\": one\n\"No\\x45cho\": true\nType: x"), ["one\n\"No\\x45cho\": true"]);
        assert_eq!(hidden("P:\n  NoEcho: true\n  Default 'one\n  Type: x"), ["one"]);
        assert_eq!(hidden("P:\n  [Default]: one\n  NoEcho: true"), ["one"]);
        assert_eq!(hidden("P:\n  Default: one\n  NoEch"), ["one\n  NoEch"]);
        assert_eq!(hidden("P:\n  Default: one\n  No"), [] as [&str; 0]);
        assert_eq!(hidden_at("P:\n  Default: one\nQ:\n  Default: two\n  No", |at| at > 10), ["two\n  No"]);
        assert_eq!(hidden("NoEcho: true\nDescription: the Default of x\nDefaultValue: y"), [] as [&str; 0]);
    }

    #[test]
    fn quoted_parts_of_a_secret_are_masked() {
        let masked = |text: &str, secret: &str| {
            let mut text = text.to_owned();
            mask_quotes(&mut text, secret);
            text
        };
        assert_eq!(masked("`!abc` is a tag: \"!abc\"", "!abc d"), "`!****` is a tag: \"!****\"");
        assert_eq!(masked("write `Fn::Sub: !hidden ...`", "!Sub !hidden"), "write `Fn::****: !**** ...`");
        assert_eq!(masked("`a` and `b` in a template", "a"), "`****` and `b` in a template");
    }
}
