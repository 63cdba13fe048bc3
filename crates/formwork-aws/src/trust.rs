//! Selects the trusted certificate authorities.

use std::path::{Path, PathBuf};

use aws_config::profile;
use aws_smithy_http_client::tls::{TlsContext, TrustStore};
use aws_types::os_shim_internal::{Env, Fs};
use formwork_base::Limits;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::aws_error::AwsError;
use crate::settings::Settings;

/// The variable with a file of certificate authorities, as with the AWS CLI.
const BUNDLE: &str = "AWS_CA_BUNDLE";
const OPTION: &str = "--ca-bundle";
/// The setting of a profile with such a file.
const PROFILE_BUNDLE: &str = "ca_bundle";

/// Trusts only the authorities of the file of the caller, of `AWS_CA_BUNDLE` or of the profile's `ca_bundle`; without
/// one those of the machine, which `SSL_CERT_FILE` and `SSL_CERT_DIR` may replace.
///
/// # Errors
/// When the file cannot be read, is larger than the limit, or has no certificate.
pub(crate) async fn find(settings: &Settings) -> Result<TlsContext, AwsError> {
    match bundle(settings).await {
        Some((source, path)) => context(TrustStore::empty().with_pem_certificate(read(source, &path)?)),
        None => of_machine(),
    }
}

pub(crate) fn of_machine() -> Result<TlsContext, AwsError> {
    context(TrustStore::default())
}

fn context(store: TrustStore) -> Result<TlsContext, AwsError> {
    TlsContext::builder().with_trust_store(store).build().map_err(|error| AwsError::no_trust(error.to_string()))
}

/// Returns the configured file, and the setting that it comes from.
#[allow(clippy::default_trait_access, reason = "the type of the standard files has no public name here")]
async fn bundle(settings: &Settings) -> Option<(&'static str, PathBuf)> {
    if let Some(path) = &settings.ca_bundle {
        return Some((OPTION, path.clone()));
    }
    if let Some(path) = std::env::var_os(BUNDLE) {
        return Some((BUNDLE, PathBuf::from(path))).filter(|(_, path)| !path.as_os_str().is_empty());
    }
    let name = settings.profile.clone().map(Into::into);
    // The look-up of credentials reports a profile that cannot be read.
    let profiles = profile::load(&Fs::real(), &Env::real(), &Default::default(), name).await.ok()?;
    let path = profiles.get(PROFILE_BUNDLE).filter(|path| !path.is_empty())?;
    Some((PROFILE_BUNDLE, PathBuf::from(path)))
}

fn read(source: &str, path: &Path) -> Result<Vec<u8>, AwsError> {
    let unusable = |why: &str| AwsError::no_trust(format!("{source} names {}, which {why}", path.display()));
    let limit = Limits::default().file_bytes;
    let bytes =
        formwork_disk::read_named(path, limit).map_err(|error| unusable(&format!("cannot be read: {error}")))?;
    let certificates: Result<Vec<CertificateDer<'_>>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let mut roots = rustls::RootCertStore::empty();
    match certificates {
        Ok(certificates) if !certificates.is_empty() => {
            for certificate in certificates {
                roots.add(certificate).map_err(|error| unusable(&format!("holds a bad certificate: {error}")))?;
            }
            Ok(bytes)
        }
        _ => Err(unusable("has no certificate in PEM form")),
    }
}
