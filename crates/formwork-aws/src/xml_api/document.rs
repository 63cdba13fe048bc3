//! XML responses as a small tree of elements.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

/// Deeper than any response of the calls made here.
const DEPTH_LIMIT: usize = 64;
/// More elements than any page of them has: one has at most a thousand items.
const ELEMENT_LIMIT: usize = 1_000_000;

/// An element of a response.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Element {
    /// Name without prefix.
    pub name: String,
    /// The text, empty for an element with children.
    pub text: String,
    /// The child elements.
    pub children: Vec<Element>,
}

impl Element {
    /// Parses a document.
    ///
    /// # Errors
    /// When the document is not well-formed: the error.
    pub fn parse(text: &str) -> Result<Element, String> {
        let mut reader = Reader::from_str(text);
        // A stack of open elements, below one that contains the whole document.
        let mut open = vec![Element::default()];
        let mut elements = 0;
        loop {
            let event = reader.read_event().map_err(|error| error.to_string())?;
            if matches!(event, Event::Start(_) | Event::Empty(_)) {
                elements += 1;
                if elements > ELEMENT_LIMIT {
                    return Err(format!("it has more than {ELEMENT_LIMIT} elements"));
                }
            }
            match event {
                Event::Start(start) => {
                    if open.len() > DEPTH_LIMIT {
                        return Err("it is nested too deeply".to_owned());
                    }
                    open.push(Element { name: start.local_name().as_ref().to_owned(), ..Element::default() });
                }
                Event::Empty(empty) => {
                    let element = Element { name: empty.local_name().as_ref().to_owned(), ..Element::default() };
                    last(&mut open).children.push(element);
                }
                Event::End(_) => {
                    let mut element = open.pop().unwrap_or_default();
                    if !element.children.is_empty() {
                        // Layout between children.
                        element.text.clear();
                    }
                    last(&mut open).children.push(element);
                }
                Event::Text(part) => last(&mut open).text.push_str(&part.xml10_content()),
                Event::CData(part) => last(&mut open).text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => {
                    let parent = last(&mut open);
                    if let Some(character) = reference.resolve_char_ref().map_err(|error| error.to_string())? {
                        parent.text.push(character);
                    } else {
                        let name = reference.xml10_content();
                        let resolved = resolve_predefined_entity(&name);
                        parent.text.push_str(resolved.ok_or_else(|| format!("the entity {name} is not known"))?);
                    }
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::DocType(_) => return Err("it has a document type".to_owned()),
            }
        }
        let mut document = open.pop().unwrap_or_default();
        match document.children.len() {
            1 if open.is_empty() => Ok(document.children.remove(0)),
            1.. if open.is_empty() => Err("it has more than one root".to_owned()),
            _ => Err("it ends too soon".to_owned()),
        }
    }

    /// Returns the first child with a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the text of the first child with a name.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str())
    }

    /// Returns the text of the first child with a name, as an owned string.
    pub fn string_of(&self, name: &str) -> Option<String> {
        self.text_of(name).map(str::to_owned)
    }

    /// Returns the elements of the first child with a name, a list.
    pub fn items(&self, list: &str) -> &[Element] {
        self.child(list).map(|list| list.children.as_slice()).unwrap_or_default()
    }

    /// Returns the first element with a name, here or below.
    pub(crate) fn find(&self, name: &str) -> Option<&Element> {
        if self.name == name {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(name))
    }
}

fn last(open: &mut Vec<Element>) -> &mut Element {
    if open.is_empty() {
        open.push(Element::default());
    }
    let at = open.len() - 1;
    &mut open[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_texts_and_entities() {
        let root = Element::parse(
            "<?xml version=\"1.0\"?>\n<!-- x --><r xmlns=\"u\"><a:set>\n <item><k>R&amp;D &#x41;&lt;</k><v/></item>\n <item><k><![CDATA[<b>]]></k></item>\n</a:set><nextToken>t</nextToken></r>",
        )
        .expect("well-formed");
        assert_eq!(root.name, "r");
        let texts: Vec<_> = root.items("set").iter().map(|item| (item.text_of("k"), item.text_of("v"))).collect();
        assert_eq!(texts, [(Some("R&D A<"), Some("")), (Some("<b>"), None)]);
        assert_eq!(root.text_of("nextToken"), Some("t"));
        assert!(root.items("none").is_empty() && root.find("v").is_some() && root.find("w").is_none());
    }

    #[test]
    fn what_is_not_well_formed() {
        let deep = "<a>".repeat(DEPTH_LIMIT + 2);
        let long = format!("<a>{}</a>", "<b/>".repeat(ELEMENT_LIMIT));
        for text in [
            "",
            "no",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a>&e;</a>",
            "</a>",
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a/>",
            &deep,
            &long,
        ] {
            assert!(Element::parse(text).is_err(), "{}", &text[..text.len().min(80)]);
        }
    }
}
