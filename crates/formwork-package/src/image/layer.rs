//! Layers, and their compression for a registry.

use std::io::{self, Read, Write};

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

use super::tar::Extent;

/// A layer of an image in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// The position of its content.
    pub extent: Extent,
    /// The name of the layer, for messages.
    pub name: String,
    /// The media type in a registry.
    pub media_type: String,
    /// Set if the layer is compressed already: then it is pushed unchanged.
    pub is_compressed: bool,
    /// The digest, if the archive contains it.
    pub digest: Option<String>,
    /// The digest of the uncompressed content.
    pub diff_id: String,
}

/// A layer that was compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compressed {
    /// The digest of the compressed bytes.
    pub digest: String,
    /// The digest of the uncompressed bytes.
    pub diff_id: String,
    /// Number of bytes that were written.
    pub size: u64,
}

/// Compresses a layer with gzip: the same input always results in the same bytes.
///
/// # Errors
/// When it cannot be read or written.
pub fn compress(mut content: impl Read, to: &mut dyn Write) -> io::Result<Compressed> {
    let out = Counted { to, digest: Sha256::new(), size: 0 };
    let mut gzip = GzBuilder::new().write(out, Compression::default());
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = content.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
        gzip.write_all(&buffer[..count])?;
    }
    let out = gzip.finish()?;
    Ok(Compressed { digest: digest_of(out.digest), diff_id: digest_of(digest), size: out.size })
}

pub(super) fn digest_of(digest: Sha256) -> String {
    format!("sha256:{}", formwork_base::hexadecimal(&digest.finalize()))
}

struct Counted<'w> {
    to: &'w mut dyn Write,
    digest: Sha256,
    size: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.digest.update(&bytes[..count]);
        self.size += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
