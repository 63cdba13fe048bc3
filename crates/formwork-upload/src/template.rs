//! Stores a template that is too large for a request as an object.

use formwork_package::{AssetKey, Target, asset_key};

use crate::{Destination, Payload, Presence, UploadError, Uploader};

/// Stores a template under the hash of its text, unless it exists, and returns its https address.
///
/// # Errors
/// When the template cannot be stored.
pub fn store_template(text: &str, destination: &Destination, uploader: &dyn Uploader) -> Result<String, UploadError> {
    let bytes = text.as_bytes();
    let key = destination.key(&AssetKey::of_file(&asset_key::hash(bytes)), Some("template"));
    if uploader.presence(&key)? != Presence::There {
        uploader.put(&key, &mut Payload::memory(bytes.to_vec()))?;
    }
    match destination.target(&key) {
        Target::Object { url, .. } => Ok(url),
        _ => Err(UploadError::new(format!("object {key} has no address"))),
    }
}
