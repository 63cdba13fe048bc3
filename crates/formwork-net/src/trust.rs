//! The trusted certificate authorities.

use std::path::PathBuf;
use std::sync::Arc;

use formwork_base::Limits;
use ureq::tls::{PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};

use crate::RemoteError;

/// The variable with the path of a file of certificate authorities, as with the AWS CLI.
const BUNDLE: &str = "AWS_CA_BUNDLE";

/// Returns a configuration that trusts the authorities of the file in `AWS_CA_BUNDLE` and no others; without that
/// variable those of the machine, for which `SSL_CERT_FILE` and `SSL_CERT_DIR` may be set on Linux.
///
/// # Errors
/// When the file cannot be read, exceeds the limit of file sizes, or has no certificate.
pub(crate) fn tls() -> Result<TlsConfig, RemoteError> {
    let bundle = std::env::var_os(BUNDLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let roots = match bundle {
        Some(path) => {
            let unusable = |why: String| RemoteError::Unreachable {
                why: format!("{BUNDLE} names {}, which {why}", path.display()),
                help: format!("name a PEM file of certificate authorities in {BUNDLE}, or unset it"),
            };
            let limit = Limits::default().file_bytes;
            let bytes = formwork_disk::read_named(&path, limit)
                .map_err(|error| unusable(format!("cannot be read: {error}")))?;
            let certificates = parse_pem(&bytes).filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            });
            let certificates: Vec<_> = certificates.collect();
            if certificates.is_empty() {
                return Err(unusable("has no certificate in PEM form".to_owned()));
            }
            RootCerts::from(certificates)
        }
        None => RootCerts::PlatformVerifier,
    };
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(roots)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build())
}
