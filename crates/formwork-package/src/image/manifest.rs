//! Manifests for registries.

use serde_json::{Value, json};

use super::layout::{Form, Image};

pub(super) const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
pub(super) const DOCKER_CONFIG: &str = "application/vnd.docker.container.image.v1+json";
pub(super) const DOCKER_LAYER: &str = "application/vnd.docker.image.rootfs.diff.tar.gzip";

/// A blob in a registry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// The media type.
    pub media_type: String,
    /// `sha256:` and the digits.
    pub digest: String,
    /// Size in bytes.
    pub size: u64,
}

impl Descriptor {
    fn to_json(&self) -> Value {
        json!({ "mediaType": self.media_type, "size": self.size, "digest": self.digest })
    }
}

/// A manifest as it is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The media type of the manifest.
    pub media_type: String,
    /// The content of the manifest.
    pub bytes: Vec<u8>,
}

impl Image {
    /// Returns the manifest of the image with its layers as they are pushed. If these are the archive's own, so is the
    /// manifest, byte for byte.
    pub fn manifest(&self, layers: &[Descriptor]) -> Manifest {
        let layers = || layers.iter().map(Descriptor::to_json).collect::<Vec<_>>();
        match &self.form {
            Form::Oci { media_type, bytes, .. } if self.layers.iter().all(|layer| layer.is_compressed) => {
                Manifest { media_type: media_type.clone(), bytes: bytes.clone() }
            }
            Form::Oci { media_type, value, .. } => {
                let mut value = value.clone();
                value["layers"] = layers().into();
                Manifest { media_type: media_type.clone(), bytes: value.to_string().into_bytes() }
            }
            Form::Docker => {
                let config = Descriptor {
                    media_type: DOCKER_CONFIG.to_owned(),
                    digest: self.config_digest(),
                    size: self.config.len() as u64,
                };
                let value = json!({
                    "schemaVersion": 2,
                    "mediaType": DOCKER_MANIFEST,
                    "config": config.to_json(),
                    "layers": layers(),
                });
                Manifest { media_type: DOCKER_MANIFEST.to_owned(), bytes: value.to_string().into_bytes() }
            }
        }
    }
}

/// Returns the digest of the configuration in a manifest: the id of its image.
pub fn config_of(manifest: &[u8]) -> Option<String> {
    let manifest: Value = serde_json::from_slice(manifest).ok()?;
    manifest["config"]["digest"].as_str().map(str::to_owned)
}
