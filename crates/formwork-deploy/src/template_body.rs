//! A template in the form that is sent: in the request, or through a bucket (reference/deploy.md#template).

use crate::submission::TemplateSource;
use std::convert::Infallible;

use formwork::{Limits, minify};

/// Maximum size in bytes of a template in a request.
const INLINE: usize = 51_200;
/// Maximum size in bytes of a template in a bucket.
const MOST: usize = 1_048_576;

/// Stores templates that are too large for a request.
pub trait TemplateStore {
    /// The error when a template cannot be stored.
    type Error;

    /// Stores a template and returns its https address.
    ///
    /// # Errors
    /// When the template cannot be stored.
    fn put(&self, text: &str) -> Result<String, Self::Error>;
}

impl TemplateStore for Infallible {
    type Error = Infallible;

    fn put(&self, _: &str) -> Result<String, Infallible> {
        match *self {}
    }
}

/// A template that can be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TemplateBody {
    /// The location of the template.
    pub source: TemplateSource,
    /// Size of the template in bytes, and that of the minified one that is sent in its place: JSON without white space.
    pub minified: Option<(usize, usize)>,
}

/// The error when a template cannot be sent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateBodyError<E> {
    /// The template is too large for a request, and no bucket is configured.
    #[error(
        "the template has {0} bytes: `Templates with a size greater than 51,200 bytes must be deployed via an S3 Bucket. Please add the --s3-bucket parameter to your command. The local template will be copied to that S3 bucket and then deployed.`"
    )]
    NeedsBucket(usize),
    /// The template is too large for any deployment.
    #[error("the template has {0} bytes: `Template may not exceed 1048576 bytes in size.`")]
    TooLarge(usize),
    /// The template cannot be stored.
    #[error("the template could not be uploaded")]
    NotStored(#[source] E),
}

impl TemplateBody {
    /// Maximum size in bytes of a template in a request.
    pub const INLINE: usize = INLINE;

    /// Prepares a template for sending in a request.
    ///
    /// # Errors
    /// When the template is too large.
    pub fn inline(text: String) -> Result<TemplateBody, TemplateBodyError<Infallible>> {
        TemplateBody::new(text, None::<&Infallible>)
    }

    /// Prepares a template for sending. One that is too large is first written without white space, and then stored.
    ///
    /// # Errors
    /// When the template is too large, or cannot be stored.
    pub fn new<S: TemplateStore + ?Sized>(
        text: String,
        store: Option<&S>,
    ) -> Result<TemplateBody, TemplateBodyError<S::Error>> {
        let bytes = text.len();
        if bytes <= INLINE {
            return Ok(TemplateBody { source: TemplateSource::Body(text), minified: None });
        }
        let dense = minify(&text, &Limits::default());
        if let Some(dense) = dense.as_ref().filter(|dense| dense.len() <= INLINE) {
            let minified = Some((bytes, dense.len()));
            return Ok(TemplateBody { source: TemplateSource::Body(dense.clone()), minified });
        }
        let store = store.ok_or(TemplateBodyError::NeedsBucket(bytes))?;
        let (text, minified) = match dense {
            _ if bytes <= MOST => (text, None),
            Some(dense) if dense.len() <= MOST => {
                let minified = Some((bytes, dense.len()));
                (dense, minified)
            }
            _ => return Err(TemplateBodyError::TooLarge(bytes)),
        };
        let url = store.put(&text).map_err(TemplateBodyError::NotStored)?;
        Ok(TemplateBody { source: TemplateSource::Url(url), minified })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bucket;

    impl TemplateStore for Bucket {
        type Error = String;

        fn put(&self, text: &str) -> Result<String, String> {
            Ok(format!("https://bucket/{}", text.len()))
        }
    }

    fn template(filler: usize, spaces: usize) -> String {
        format!("{{\"Description\": \"{}\"{}}}", "é".repeat(filler / 2), " ".repeat(spaces))
    }

    #[test]
    fn bytes_are_counted_not_characters() {
        let at = template(INLINE - 19, 0);
        assert!(at.len() <= INLINE && at.chars().count() < at.len(), "{}", at.len());
        let body = TemplateBody::inline(at.clone()).expect("it fits");
        assert_eq!((body.source, body.minified), (TemplateSource::Body(at), None));
    }

    #[test]
    fn white_space_goes_first() {
        let body = TemplateBody::new(template(1000, INLINE), Some(&Bucket)).expect("it fits");
        let TemplateSource::Body(text) = body.source else { panic!("not stored") };
        assert!(
            text.len() < 1100 && body.minified.is_some_and(|(all, sent)| all > INLINE && sent == text.len()),
            "{}",
            text.len()
        );
    }

    #[test]
    fn large_ones_are_stored() {
        let large = template(INLINE + 100, 0);
        assert!(matches!(TemplateBody::inline(large.clone()), Err(TemplateBodyError::NeedsBucket(_))));
        let body = TemplateBody::new(large.clone(), Some(&Bucket)).expect("stored");
        assert_eq!(body.source, TemplateSource::Url(format!("https://bucket/{}", large.len())));
        assert!(matches!(TemplateBody::new(template(MOST, 0), Some(&Bucket)), Err(TemplateBodyError::TooLarge(_))));
        assert!(TemplateBody::new(template(1000, MOST), Some(&Bucket)).is_ok());
    }
}
