//! Replacement of the variables of a `ForEach`, and of an `Fn::ForEach` around imports, in strings
//! (reference/modules/copies.md#variables, reference/modules/copies.md#fn-foreach).

use formwork_base::Span;
use formwork_syntax::NodeId;
use formwork_template::logical_id;
use formwork_template::placeholder::Scanner;

use formwork_loops::copy_names::END;

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) identifier: String,
    pub(super) value: NodeId,
    pub(super) place: Span,
}

/// The items of a copy. An import with a `ForEach` in an `Fn::ForEach` has both, which are replaced together: the
/// variables of one are never read in the items of the other, and a variable ends where an item begins.
#[derive(Clone, Copy, Default)]
pub(super) struct Items<'v> {
    /// `$Identifier`, `$Index` and `$Value` of a `ForEach` attribute: the item and its number.
    pub(super) copy: Option<(&'v Item, usize)>,
    /// `${Name}` and `&{Name}` of an `Fn::ForEach`: the name and the item.
    pub(super) named: Option<(&'v str, &'v Item)>,
}

impl Items<'_> {
    pub(super) fn fill(self, text: &str) -> String {
        self.filled(text, false)
    }

    /// Fills a key: `&{Name}` becomes the alphanumeric characters of the item, and words are kept.
    pub(super) fn fill_key(self, text: &str) -> String {
        Items { copy: None, ..self }.filled(text, true)
    }

    /// Fills a path behind `$Value`, in which words are kept.
    pub(super) fn fill_path(self, text: &str) -> String {
        Items { copy: None, ..self }.filled(text, false)
    }

    fn filled(self, text: &str, is_key: bool) -> String {
        let mut made = String::with_capacity(text.len() + 32);
        let (mut scanner, mut from) = (Scanner::new(text), 0);
        if let Some((name, item)) = self.named {
            while let Some((_, found)) = scanner.next_placeholder() {
                if found.name != Some(name) {
                    scanner.enter(&found);
                    continue;
                }
                let end = text.len() - scanner.rest().len();
                self.add_words(&text[from..end - found.written.len()], &mut made);
                if is_key && found.mark == '&' {
                    made.push_str(&logical_id::stripped(&item.identifier));
                } else {
                    made.push_str(&item.identifier);
                }
                from = end;
            }
        }
        self.add_words(&text[from..], &mut made);
        made
    }

    /// Appends a text with the whole words `$Identifier` and `$Index` replaced.
    fn add_words(self, text: &str, out: &mut String) {
        let Some((item, index)) = self.copy else { return out.push_str(text) };
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('$') {
            let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
            let (word, after) = behind.split_at(end);
            out.push_str(before);
            rest = after.strip_prefix(END).unwrap_or(after);
            match word {
                "Identifier" => out.push_str(&item.identifier),
                "Index" => out.push_str(&index.to_string()),
                word => {
                    out.extend(["$", word]);
                    rest = after;
                }
            }
        }
        out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::Span;
    use formwork_syntax::{Origin, Tree};

    use super::*;

    fn item(identifier: &str) -> Item {
        let value = Tree::default().computed(identifier, Origin::Authored(Span::NONE));
        Item { identifier: identifier.to_owned(), value, place: Span::NONE }
    }

    #[test]
    fn words_are_whole() {
        let x = item("x");
        let words = |text: &str, index| Items { copy: Some((&x, index)), named: None }.fill(text);
        assert_eq!(words("a-$Identifier-$Index", 3), "a-x-3");
        assert_eq!(words("$IndexName $Identifiers $", 3), "$IndexName $Identifiers $");
        assert_eq!(words("Other[$Index].Out", 0), "Other[0].Out");
        assert_eq!(words("$Identifier\0a", 0), "xa");
    }

    #[test]
    fn names_in_keys_lose_other_characters() {
        let item = item("a-1");
        let items = Items { copy: None, named: Some(("K", &item)) };
        assert_eq!(items.fill_key("Box&{K}"), "Boxa1");
        assert_eq!(items.fill("b-&{K}-${K}"), "b-a-1-a-1");
        assert_eq!(items.fill("${B${K}}${K"), "${Ba-1}${K");
    }

    #[test]
    fn an_item_is_not_read_in_another_one() {
        let (own, outer) = (item("${K}"), item("$Index"));
        let items = Items { copy: Some((&own, 7)), named: Some(("K", &outer)) };
        assert_eq!(items.fill("$Identifier${K}$Index"), "${K}$Index7");
        assert_eq!(items.fill_key("$Identifier${K}"), "$Identifier$Index");
    }
}
