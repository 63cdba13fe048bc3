//! XML documents in requests.

use std::fmt::{self, Write};

const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) etag: Option<String>,
    /// In Base64.
    pub(crate) sha256: String,
}

/// A version of an object, or a delete marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    pub(crate) key: String,
    pub(crate) id: Option<String>,
}

/// Returns the body of `CompleteMultipartUpload` for the parts of an object, in order.
pub(crate) fn completion(parts: &[Part]) -> String {
    let mut text = format!("<CompleteMultipartUpload xmlns=\"{NAMESPACE}\">");
    for Part { number, etag, sha256 } in parts {
        text.push_str("<Part>");
        if let Some(etag) = etag {
            let _ = write!(text, "<ETag>{}</ETag>", Escaped(etag));
        }
        let _ = write!(text, "<ChecksumSHA256>{}</ChecksumSHA256>", Escaped(sha256));
        let _ = write!(text, "<PartNumber>{number}</PartNumber></Part>");
    }
    text.push_str("</CompleteMultipartUpload>");
    text
}

/// Returns the body of `DeleteObjects` for versions. The response lists only those that stay.
pub(crate) fn deletion(versions: &[Version]) -> String {
    let mut text = format!("<Delete xmlns=\"{NAMESPACE}\">");
    for Version { key, id } in versions {
        let _ = write!(text, "<Object><Key>{}</Key>", Escaped(key));
        if let Some(id) = id {
            let _ = write!(text, "<VersionId>{}</VersionId>", Escaped(id));
        }
        text.push_str("</Object>");
    }
    text.push_str("<Quiet>true</Quiet></Delete>");
    text
}

/// Escapes a string as the content of an element. Line breaks and other control characters become numeric references:
/// readers of XML change them otherwise.
struct Escaped<'s>(&'s str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&apos;")?,
                c if c.is_control() || c == '\u{2028}' => write!(f, "&#x{:X};", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml_api::Element;

    #[test]
    fn parts_in_order() {
        let part =
            |number, etag: Option<&str>| Part { number, etag: etag.map(str::to_owned), sha256: "a+/=".to_owned() };
        assert_eq!(
            completion(&[part(1, Some("\"e\"")), part(2, None)]),
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Part><ETag>&quot;e&quot;</ETag><ChecksumSHA256>a+/=</ChecksumSHA256><PartNumber>1</PartNumber></Part><Part><ChecksumSHA256>a+/=</ChecksumSHA256><PartNumber>2</PartNumber></Part></CompleteMultipartUpload>"
        );
    }

    #[test]
    fn keys_arrive_as_they_are() {
        let keys = ["a<b>&\"c'", "line\r\nend\tx", "ü/日本\u{85}\u{2028}", " a  b ", "]]>", ""];
        let versions: Vec<_> =
            keys.iter().map(|&key| Version { key: key.to_owned(), id: Some("v&1".to_owned()) }).collect();
        let root = Element::parse(&deletion(&versions)).expect("well-formed");
        let objects = root.children.iter().filter(|child| child.name == "Object");
        let read: Vec<_> = objects.map(|object| (object.text_of("Key"), object.text_of("VersionId"))).collect();
        assert_eq!(read, keys.map(|key| (Some(key), Some("v&1"))));
        assert_eq!(root.text_of("Quiet"), Some("true"));
        assert!(!deletion(&[Version { key: "k".to_owned(), id: None }]).contains("VersionId"));
    }
}
