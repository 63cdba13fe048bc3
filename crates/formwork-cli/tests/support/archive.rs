//! Archives of images.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A tar archive, file by file.
#[derive(Default)]
pub(crate) struct Tar(Vec<u8>);

impl Tar {
    pub(crate) fn file(mut self, name: &str, content: &[u8]) -> Tar {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        self.0.extend(header);
        self.0.extend(content);
        let filled = self.0.len().div_ceil(512) * 512;
        self.0.resize(filled, 0);
        self
    }

    pub(crate) fn bytes(mut self) -> Vec<u8> {
        self.0.extend([0; 1024]);
        self.0
    }
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn config(layers: &[&[u8]]) -> Vec<u8> {
    let ids: Vec<String> = layers.iter().map(|layer| digest(layer)).collect();
    json!({"os": "linux", "architecture": "amd64", "rootfs": {"type": "layers", "diff_ids": ids}}).to_string().into()
}

/// What `docker save` writes, and the id of the image.
pub(crate) fn docker(tag: Option<&str>, layers: &[&[u8]]) -> (Vec<u8>, String) {
    let config = config(layers);
    let names: Vec<String> = (0..layers.len()).map(|at| format!("{at}/layer.tar")).collect();
    let manifest = json!([{"Config": "config.json", "RepoTags": tag.into_iter().collect::<Vec<_>>(), "Layers": names}]);
    let files = names.iter().zip(layers).fold(Tar::default(), |tar, (name, layer)| tar.file(name, layer));
    let tar = files.file("config.json", &config).file("manifest.json", manifest.to_string().as_bytes());
    (tar.bytes(), id(&config))
}

/// An OCI layout of one layer that counts as compressed, the id of its image, and its manifest.
pub(crate) fn oci(layer: &[u8]) -> (Vec<u8>, String, Vec<u8>) {
    let config = config(&[b"uncompressed"]);
    let of = |kind: &str, bytes: &[u8]| -> Value {
        json!({"mediaType": format!("application/vnd.oci.image.{kind}"), "digest": digest(bytes), "size": bytes.len()})
    };
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": of("config.v1+json", &config),
        "layers": [of("layer.v1.tar+gzip", layer)],
    });
    let manifest = manifest.to_string().into_bytes();
    let index = json!({"schemaVersion": 2, "manifests": [of("manifest.v1+json", &manifest)]});
    let blob = |tar: Tar, bytes: &[u8]| tar.file(&digest(bytes).replace("sha256:", "blobs/sha256/"), bytes);
    let tar = Tar::default().file("oci-layout", br#"{"imageLayoutVersion": "1.0.0"}"#);
    let tar = tar.file("index.json", index.to_string().as_bytes());
    let tar = [layer, &config, &manifest].into_iter().fold(tar, blob);
    (tar.bytes(), id(&config), manifest)
}

/// The id of an image as tags have it.
fn id(config: &[u8]) -> String {
    digest(config)["sha256:".len()..][..12].to_owned()
}

/// Bytes that look random and are the same each time.
pub(crate) fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}
