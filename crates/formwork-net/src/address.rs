//! Addresses of remote sources.

use formwork_base::percent::decoded;
use url::Url;

use crate::RemoteError;

/// The address of a remote source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// A file of a web server.
    Https(Url),
    /// An object of S3.
    S3 {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// The version, from `?versionId=`.
        version: Option<String>,
    },
}

impl Address {
    /// Parses an address. Schemes are compared as a whole: `httpsfoo:` is not supported.
    ///
    /// # Errors
    /// When the scheme is another one, the host is missing, or the address contains a user name or password.
    pub(crate) fn parse(text: &str) -> Result<Address, RemoteError> {
        let url = Url::parse(text).map_err(|_| RemoteError::Scheme)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        if host.is_empty() {
            return Err(RemoteError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(RemoteError::Other("an address must not contain a user name or password".to_owned()));
        }
        match url.scheme() {
            "https" => Ok(Address::Https(url)),
            "s3" => {
                let version =
                    url.query_pairs().find(|(name, _)| name == "versionId").map(|(_, value)| value.into_owned());
                let key = decoded(url.path().trim_start_matches('/'));
                if key.is_empty() {
                    return Err(RemoteError::Other("an s3 address needs a bucket and a key".to_owned()));
                }
                Ok(Address::S3 { bucket: host, key, version })
            }
            _ => Err(RemoteError::Scheme),
        }
    }

    /// Returns the host or bucket that has to be allowed.
    pub(crate) fn authority(&self) -> &str {
        match self {
            Address::Https(url) => url.host_str().unwrap_or_default(),
            Address::S3 { bucket, .. } => bucket,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(Address::parse("https://example.com/a/b.yaml").expect("sound").authority(), "example.com");
        assert_eq!(
            Address::parse("s3://bucket/a%20b/c.yaml?versionId=v1"),
            Ok(Address::S3 { bucket: "bucket".into(), key: "a b/c.yaml".into(), version: Some("v1".into()) })
        );
        for text in
            ["http://example.com/a", "httpsfoo://a/b", "file:///etc/passwd", "ftp://a/b", "data:text/plain,x", "a/b"]
        {
            assert_eq!(Address::parse(text), Err(RemoteError::Scheme), "{text}");
        }
        for text in ["https://user:secret@example.com/a", "s3://bucket", "s3://bucket/"] {
            assert!(matches!(Address::parse(text), Err(RemoteError::Other(_))), "{text}");
        }
    }
}
