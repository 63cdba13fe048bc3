//! The template on its way to the service: in the request, or through a bucket
//! (reference/deploy.md#template).

use formwork::{Limits, minify};
use formwork_deploy::TemplateSource;

/// Most bytes of a template in a request.
const INLINE: usize = 51_200;
/// Most bytes of a template in a bucket.
const MOST: usize = 1_048_576;

/// Where templates go that are too large for a request.
pub(in crate::commands) trait TemplateStore {
    /// Stores a template and returns its https address.
    ///
    /// # Errors
    /// When it cannot be stored, in words.
    fn put(&self, text: &str) -> Result<String, String>;
}

/// A template that can be sent.
#[derive(Debug)]
pub(in crate::commands) struct Body {
    pub(in crate::commands) source: TemplateSource,
    /// What was done to make that possible.
    pub(in crate::commands) note: Option<String>,
}

/// Why a template cannot be sent.
#[derive(Debug)]
pub(in crate::commands) enum Unsendable {
    /// It is too large, and there is no bucket; or too large for one.
    TooLarge(String),
    /// It cannot be stored.
    NotStored(String),
}

/// Makes a template ready to be sent. One that is too large is first written without white space, and
/// then stored.
///
/// # Errors
/// When it is too large, or cannot be stored.
pub(in crate::commands) fn prepare(text: String, store: Option<&dyn TemplateStore>) -> Result<Body, Unsendable> {
    let bytes = text.len();
    if bytes <= INLINE {
        return Ok(Body { source: TemplateSource::Body(text), note: None });
    }
    let dense = minify(&text, &Limits::default());
    if let Some(dense) = dense.as_ref().filter(|dense| dense.len() <= INLINE) {
        let note = format!(
            "the template has {bytes} bytes: it is sent as JSON without white space, {} bytes, to stay below {INLINE}",
            dense.len()
        );
        return Ok(Body { source: TemplateSource::Body(dense.clone()), note: Some(note) });
    }
    let Some(store) = store else {
        return Err(Unsendable::TooLarge(format!(
            "the template has {bytes} bytes: `Templates with a size greater than 51,200 bytes must be deployed via an S3 Bucket. Please add the --s3-bucket parameter to your command. The local template will be copied to that S3 bucket and then deployed.`"
        )));
    };
    let (text, note) = match dense {
        _ if bytes <= MOST => (text, None),
        Some(dense) if dense.len() <= MOST => {
            let note = format!("the template has {bytes} bytes: it is sent as JSON without white space");
            (dense, Some(note))
        }
        _ => {
            return Err(Unsendable::TooLarge(format!(
                "the template has {bytes} bytes: `Template may not exceed {MOST} bytes in size.`"
            )));
        }
    };
    let url = store.put(&text).map_err(Unsendable::NotStored)?;
    Ok(Body { source: TemplateSource::Url(url), note })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bucket;

    impl TemplateStore for Bucket {
        fn put(&self, text: &str) -> Result<String, String> {
            Ok(format!("https://bucket/{}", text.len()))
        }
    }

    fn template(filler: usize, blanks: usize) -> String {
        format!("{{\"Description\": \"{}\"{}}}", "é".repeat(filler / 2), " ".repeat(blanks))
    }

    #[test]
    fn bytes_are_counted_not_characters() {
        let at = template(INLINE - 19, 0);
        assert!(at.len() <= INLINE && at.chars().count() < at.len(), "{}", at.len());
        let body = prepare(at.clone(), None).expect("it fits");
        assert_eq!((body.source, body.note), (TemplateSource::Body(at), None));
    }

    #[test]
    fn white_space_goes_first() {
        let body = prepare(template(1000, INLINE), Some(&Bucket)).expect("it fits");
        let TemplateSource::Body(text) = body.source else { panic!("not stored") };
        assert!(text.len() < 1100 && body.note.is_some(), "{}", text.len());
    }

    #[test]
    fn large_ones_are_stored() {
        let large = template(INLINE + 100, 0);
        assert!(matches!(prepare(large.clone(), None), Err(Unsendable::TooLarge(_))));
        let body = prepare(large.clone(), Some(&Bucket)).expect("stored");
        assert_eq!(body.source, TemplateSource::Url(format!("https://bucket/{}", large.len())));
        assert!(matches!(prepare(template(MOST, 0), Some(&Bucket)), Err(Unsendable::TooLarge(_))));
        assert!(prepare(template(1000, MOST), Some(&Bucket)).is_ok());
    }
}
