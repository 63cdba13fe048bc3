//! Archives as tools write them, and as nobody should.

use std::io::Cursor;

use serde_json::{Value, json};

use super::*;
use formwork_base::hexadecimal;

use crate::asset_key::hash;

/// A tar archive, entry by entry.
#[derive(Default)]
struct Tar(Vec<u8>);

impl Tar {
    fn entry(mut self, kind: u8, name: &str, target: &str, content: &[u8]) -> Tar {
        let mut header = [0_u8; 512];
        let name = &name.as_bytes()[..name.len().min(100)];
        header[..name.len()].copy_from_slice(name);
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = kind;
        header[157..157 + target.len()].copy_from_slice(target.as_bytes());
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

    fn file(self, name: &str, content: impl AsRef<[u8]>) -> Tar {
        self.entry(b'0', name, "", content.as_ref())
    }

    fn json(self, name: &str, value: &Value) -> Tar {
        self.file(name, value.to_string())
    }

    /// A blob of an OCI layout.
    fn blob(self, bytes: &[u8]) -> Tar {
        self.file(&format!("blobs/sha256/{}", hexadecimal(&hash(bytes))), bytes)
    }

    fn bytes(mut self) -> Vec<u8> {
        self.0.extend([0; 1024]);
        self.0
    }

    fn read(self) -> Result<Image, ImageError> {
        Image::read(&mut Cursor::new(self.bytes()))
    }

    fn refused(self) -> String {
        self.read().expect_err("it is refused").to_string()
    }
}

const LAYER: &[u8] = b"the files of a layer";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    compress(bytes, &mut out).expect("compressed");
    out
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hexadecimal(&hash(bytes)))
}

fn config(layers: &[&[u8]]) -> Vec<u8> {
    let ids: Vec<String> = layers.iter().map(|layer| digest(layer)).collect();
    json!({"architecture": "arm64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": ids}}).to_string().into()
}

fn docker(layers: &[&str], tags: &[&str]) -> Value {
    json!([{"Config": "config.json", "RepoTags": tags, "Layers": layers}])
}

fn descriptor(kind: &str, bytes: &[u8]) -> Value {
    json!({"mediaType": kind, "digest": digest(bytes), "size": bytes.len()})
}

const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const OCI_CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const OCI_LAYER: &str = "application/vnd.oci.image.layer.v1.tar";

fn oci_manifest(config: &[u8], kind: &str, layer: &[u8]) -> Vec<u8> {
    json!({
        "schemaVersion": 2,
        "mediaType": OCI_MANIFEST,
        "config": descriptor(OCI_CONFIG, config),
        "layers": [descriptor(kind, layer)],
        "annotations": {"kept": "yes"},
    })
    .to_string()
    .into()
}

fn layout(index: &Value) -> Tar {
    Tar::default().json("oci-layout", &json!({"imageLayoutVersion": "1.0.0"})).json("index.json", index)
}

#[test]
fn docker_save() {
    let (plain, packed) = (LAYER, gzip(b"more"));
    let config = config(&[plain, b"more"]);
    let tar = Tar::default()
        .file("a/layer.tar", plain)
        .entry(b'5', "b/", "", b"")
        .file("./b/layer.tar", &packed)
        .file("config.json", &config)
        .json("manifest.json", &docker(&["a/layer.tar", "b/layer.tar"], &["r.example/org/web:v1"]));
    let bytes = tar.bytes();
    let image = Image::read(&mut Cursor::new(&bytes)).expect("an image");
    assert_eq!(image.id, hexadecimal(&hash(&config)));
    assert_eq!(image.name, Some(("web".to_owned(), Some("v1".to_owned()))));
    let content = |layer: &Layer| {
        let from = layer.extent.offset as usize;
        bytes[from..from + layer.extent.size as usize].to_vec()
    };
    let layers: Vec<_> = image.layers.iter().map(|layer| (layer.is_compressed, content(layer))).collect();
    assert_eq!(layers, [(false, plain.to_vec()), (true, packed)]);
    assert_eq!(image.layers[1].diff_id, digest(b"more"));
    let descriptors: Vec<Descriptor> = image
        .layers
        .iter()
        .map(|layer| Descriptor { media_type: layer.media_type.clone(), digest: digest(b"x"), size: 1 })
        .collect();
    let manifest = image.manifest(&descriptors);
    assert_eq!(config_of(&manifest.bytes), Some(image.config_digest()));
    let value: Value = serde_json::from_slice(&manifest.bytes).expect("JSON");
    assert_eq!(value["mediaType"], manifest.media_type.as_str());
    assert_eq!(value["layers"][1]["mediaType"], "application/vnd.docker.image.rootfs.diff.tar.gzip");
}

#[test]
fn compressing_depends_on_nothing_else() {
    let mut out = Vec::new();
    let made = compress(LAYER, &mut out).expect("compressed");
    assert_eq!((made.digest, made.diff_id, made.size), (digest(&out), digest(LAYER), out.len() as u64));
    assert_eq!(out[4..8], [0; 4], "no time");
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&out[..]), &mut text).expect("gzip");
    assert_eq!(text, LAYER);
}

#[test]
fn links_lead_to_layers_of_the_archive() {
    let config = config(&[LAYER, LAYER, LAYER]);
    let tar = |links: Tar| {
        links
            .file("a/layer.tar", LAYER)
            .file("config.json", &config)
            .json("manifest.json", &docker(&["a/layer.tar", "b/layer.tar", "c/layer.tar"], &[]))
    };
    let links =
        Tar::default().entry(b'2', "b/layer.tar", "../a/layer.tar", b"").entry(b'1', "c/layer.tar", "a/layer.tar", b"");
    let image = tar(links).read().expect("an image");
    assert!(image.layers.iter().all(|layer| layer.extent == image.layers[0].extent) && image.name.is_none());
    let around =
        Tar::default().entry(b'2', "b/layer.tar", "layer.tar", b"").entry(b'1', "c/layer.tar", "a/layer.tar", b"");
    assert_eq!(tar(around).refused(), "the link `b/layer.tar` in the archive is part of a cycle of links");
    for target in ["../../etc/passwd", "/etc/passwd"] {
        let out = Tar::default().entry(b'2', "b/layer.tar", target, b"");
        assert!(tar(out).refused().contains("is outside of it"), "{target}");
    }
}

#[test]
fn an_oci_layout_keeps_its_manifest() {
    let (packed, config) = (gzip(LAYER), config(&[LAYER]));
    let manifest = oci_manifest(&config, &format!("{OCI_LAYER}+gzip"), &packed);
    let mut index = json!({"manifests": [descriptor(OCI_MANIFEST, &manifest)]});
    index["manifests"][0]["annotations"] = json!({"io.containerd.image.name": "docker.io/library/web:v1"});
    let image = layout(&index).blob(&packed).blob(&config).blob(&manifest).read().expect("an image");
    assert_eq!(image.manifest(&[]), Manifest { media_type: OCI_MANIFEST.to_owned(), bytes: manifest });
    assert_eq!(image.name, Some(("web".to_owned(), Some("v1".to_owned()))));
    assert_eq!(image.layers[0].digest, Some(digest(&packed)));
}

#[test]
fn a_layer_that_is_not_compressed_changes_the_manifest() {
    let config = config(&[LAYER]);
    let manifest = oci_manifest(&config, OCI_LAYER, LAYER);
    let index = json!({"manifests": [descriptor(OCI_MANIFEST, &manifest)]});
    let image = layout(&index).blob(LAYER).blob(&config).blob(&manifest).read().expect("an image");
    let layer = &image.layers[0];
    assert!(!layer.is_compressed && layer.media_type == format!("{OCI_LAYER}+gzip"));
    let pushed = Descriptor { media_type: layer.media_type.clone(), digest: digest(b"x"), size: 7 };
    let value: Value = serde_json::from_slice(&image.manifest(&[pushed]).bytes).expect("JSON");
    assert_eq!((&value["layers"][0]["size"], &value["annotations"]["kept"]), (&json!(7), &json!("yes")));
    assert_eq!(value["config"]["digest"], image.config_digest());
}

#[test]
fn one_platform_of_several() {
    let (packed, config) = (gzip(LAYER), config(&[LAYER]));
    let manifest = oci_manifest(&config, &format!("{OCI_LAYER}+gzip"), &packed);
    let other = oci_manifest(&config, &format!("{OCI_LAYER}+gzip"), b"other");
    let of = |bytes: &[u8], architecture: &str| {
        let mut value = descriptor(OCI_MANIFEST, bytes);
        value["platform"] = json!({"os": "linux", "architecture": architecture});
        value
    };
    let mut attestation = descriptor(OCI_MANIFEST, b"attestation");
    attestation["annotations"] = json!({"vnd.docker.reference.type": "attestation-manifest"});
    let inner = json!({"manifests": [of(&manifest, "arm64"), of(&other, "amd64"), attestation]}).to_string();
    let index = json!({"manifests": [descriptor("application/vnd.oci.image.index.v1+json", inner.as_bytes())]});
    let tar = || layout(&index).blob(&packed).blob(&config).blob(&manifest).blob(inner.as_bytes());
    assert_eq!(tar().read().expect("the one that is there").id, hexadecimal(&hash(&config)));
    assert_eq!(tar().blob(&other).refused(), "the archive contains 2 images: linux/arm64, linux/amd64");
}

#[test]
fn what_is_not_an_image() {
    let read = |bytes: &[u8]| Image::read(&mut Cursor::new(bytes)).expect_err("refused").to_string();
    for bytes in [&b""[..], b"FROM scratch", &[0; 2048], &[b'x'; 4096]] {
        assert_eq!(read(bytes), "it is not a tar archive of an image");
    }
    assert_eq!(read(&[&[0x1f, 0x8b][..], &[0; 600]].concat()), "it is compressed as a whole");
    assert_eq!(Tar::default().file("a", "b").refused(), "it is not a tar archive of an image");
}

#[test]
fn what_cannot_be_right() {
    let ok = config(&[LAYER]);
    let docker_of = |config: &[u8], manifest: &Value| {
        Tar::default().file("l", LAYER).file("config.json", config).json("manifest.json", manifest).refused()
    };
    let layers = docker(&["l"], &[]);
    for (found, expected) in [
        (docker_of(&ok, &docker(&["m"], &[])), "`m` is missing in the archive"),
        (docker_of(&ok, &docker(&["../m"], &[])), "the archive contains `../m`, which is outside of it"),
        (docker_of(&ok, &docker(&["/etc/passwd"], &[])), "the archive contains `/etc/passwd`, which is outside of it"),
        (
            docker_of(&ok, &docker(&["l", "l"], &[])),
            "`config.json` in the archive cannot be used: it has 1 layers, but the manifest has 2",
        ),
        (
            docker_of(b"{}", &layers),
            "`config.json` in the archive cannot be used: it is not the configuration of an image: it has no rootfs.diff_ids",
        ),
        (docker_of(&ok, &json!([])), "`manifest.json` in the archive cannot be used: it has no image"),
        (
            docker_of(&ok, &json!([{"RepoTags": ["a:1"]}, {"RepoTags": ["b:1"]}])),
            "the archive contains 2 images: a:1, b:1",
        ),
    ] {
        assert_eq!(found, expected);
    }
    let packed = gzip(LAYER);
    let manifest = oci_manifest(&ok, &format!("{OCI_LAYER}+gzip"), &packed);
    let index = json!({"manifests": [descriptor(OCI_MANIFEST, &manifest)]});
    let name = format!("blobs/sha256/{}", hexadecimal(&hash(&ok)));
    let changed = layout(&index).blob(&packed).blob(&manifest).file(&name, vec![b' '; ok.len()]).refused();
    assert_eq!(changed, format!("`{name}` in the archive does not match its digest"));
    let short =
        layout(&index).blob(&ok).blob(&manifest).file(&format!("blobs/sha256/{}", hexadecimal(&hash(&packed))), "x");
    assert!(short.refused().ends_with("does not match its digest"));
    let digest = layout(&json!({"manifests": [{"digest": "sha256:../../x", "size": 1}]})).refused();
    assert!(digest.contains("`sha256:../../x` is not a SHA-256 digest"), "{digest}");
    assert!(layout(&index).refused().ends_with("is missing in the archive"));
}

#[test]
fn damaged_and_endless_archives() {
    let whole = Tar::default().file("a", [0; 2000]).bytes();
    let cut = Image::read(&mut Cursor::new(&whole[..1024])).expect_err("refused").to_string();
    assert_eq!(cut, "the archive is damaged: it ends early");
    let mut sum = Tar::default().file("a", "b").file("c", "d").bytes();
    sum[1024] = b'x';
    let found = Image::read(&mut Cursor::new(&sum)).expect_err("refused").to_string();
    assert_eq!(found, "the archive is damaged: a header cannot be read");
    let long = Tar::default().entry(b'L', "././@LongLink", "", &vec![b'a'; (1 << 20) + 1]).file("a", "b").refused();
    assert_eq!(long, "the archive has more than 1048576 bytes in the name of an entry: the limit is exceeded");
    let many = (0..20_001).fold(Tar::default(), |tar, _| tar.file("a", "")).refused();
    assert_eq!(many, "the archive has more than 20000 entries: the limit is exceeded");
    let large = Tar::default().file("manifest.json", vec![b' '; (4 << 20) + 1]).refused();
    assert_eq!(large, "the archive has more than 4194304 bytes in `manifest.json`: the limit is exceeded");
    let mut huge = Tar::default().file("a", "b").bytes();
    huge[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    huge[148..156].fill(b' ');
    let total: u32 = huge[..512].iter().map(|&byte| u32::from(byte)).sum();
    huge[148..155].copy_from_slice(format!("{total:06o}\0").as_bytes());
    let found = Image::read(&mut Cursor::new(&huge)).expect_err("refused").to_string();
    assert_eq!(found, "the archive is damaged: it ends early");
}

#[test]
fn long_names() {
    let long = format!("{}/layer.tar", "d".repeat(120));
    let config = config(&[LAYER]);
    let pax = format!("path={long}\n");
    let pax = format!("{} {pax}", pax.len() + 4);
    for before in
        [Tar::default().entry(b'L', "x", "", long.as_bytes()), Tar::default().entry(b'x', "x", "", pax.as_bytes())]
    {
        let tar = before.file("short", LAYER).file("config.json", &config);
        let image = tar.json("manifest.json", &docker(&[&long], &[])).read().expect("an image");
        assert_eq!(image.layers[0].extent.size, LAYER.len() as u64);
    }
    let bad = Tar::default().entry(b'x', "x", "", b"99 path=a\n").file("a", "").refused();
    assert_eq!(bad, "the archive is damaged: the attributes of an entry cannot be read");
    let holes =
        Tar::default().entry(b'x', "x", "", b"22 GNU.sparse.major=1\n").file("l", LAYER).file("config.json", &config);
    let found = holes.json("manifest.json", &docker(&["l"], &[])).refused();
    assert_eq!(found, "`l` in the archive cannot be used: it is not a file");
}

/// Whatever is damaged, there is an image or an error.
#[test]
fn no_damage_ends_otherwise() {
    let (packed, config) = (gzip(LAYER), config(&[LAYER]));
    let manifest = oci_manifest(&config, &format!("{OCI_LAYER}+gzip"), &packed);
    let index = json!({"manifests": [descriptor(OCI_MANIFEST, &manifest)]});
    let tar = layout(&index).entry(b'x', "x", "", b"22 GNU.sparse.major=1\n").file("holes", "x");
    let tar = tar.entry(b'L', "x", "", b"long").entry(b'2', "short", "../../x", b"");
    let whole = tar.blob(&packed).blob(&config).blob(&manifest).json("manifest.json", &docker(&["l"], &[])).bytes();
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut refused = 0;
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
            // The sum of a header that was changed is made right again.
            let block = at / 512 * 512;
            bytes[block + 148..block + 156].fill(b' ');
            let sum: u32 = bytes[block..block + 512].iter().map(|&byte| u32::from(byte)).sum();
            bytes[block + 148..block + 155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        }
        bytes.truncate(bytes.len() - random(2) * random(2000));
        refused += u32::from(Image::read(&mut Cursor::new(&bytes)).is_err());
    }
    assert!(refused > 500, "{refused}");
}
