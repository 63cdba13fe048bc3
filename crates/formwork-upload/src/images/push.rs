//! Pushes an image: its layers, its configuration, and last its manifest, which completes it.

use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use formwork_disk::open_regular;
use formwork_package::image::{self, Descriptor, Extent, Layer, Manifest, Repository};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::LocalImage;
use crate::UploadError;
use crate::parallel::on_all_cores;

const BUFFER: usize = 128 * 1024;

/// A registry that receives images. Calls come from several threads concurrently.
pub trait ImageRegistry: Sync {
    /// Returns the manifest of a tag.
    ///
    /// # Errors
    /// When the registry cannot be queried.
    fn tagged(&self, repository: &Repository, tag: &str) -> Result<Tagged, UploadError>;

    /// Returns `true` if the repository has a blob with this digest.
    ///
    /// # Errors
    /// When the registry cannot be queried.
    fn has_blob(&self, repository: &Repository, digest: &str) -> Result<bool, UploadError>;

    /// Stores a blob, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn put_blob(&self, repository: &Repository, blob: &Blob<'_>) -> Result<(), UploadError>;

    /// Stores a manifest under a tag.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn put_manifest(&self, repository: &Repository, tag: &str, manifest: &Manifest) -> Result<(), UploadError>;
}

/// The result of looking up a tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tagged {
    /// The manifest of the image.
    Manifest(Vec<u8>),
    /// The tag does not exist.
    Missing,
    /// Access is denied, for this reason.
    Hidden(String),
}

/// A blob that is pushed.
#[derive(Debug)]
pub struct Blob<'b> {
    digest: String,
    size: u64,
    source: BlobContent<'b>,
}

#[derive(Debug)]
enum BlobContent<'b> {
    Memory(&'b [u8]),
    File(&'b Path, Extent),
}

impl Blob<'_> {
    /// Returns `sha256:` and the hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Opens the content. Reading fails when the content does not match the digest.
    ///
    /// # Errors
    /// When the content cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match &self.source {
            BlobContent::Memory(bytes) => Box::new(Cursor::new(*bytes)),
            BlobContent::File(path, extent) => {
                let content = open(path, *extent)?;
                Box::new(Checked { content, digest: Sha256::new(), left: self.size, wanted: &self.digest })
            }
        })
    }
}

fn open(path: &Path, extent: Extent) -> io::Result<impl Read + use<>> {
    let (mut file, _) = open_regular(path).map_err(|error| io::Error::other(error.to_string()))?;
    file.seek(SeekFrom::Start(extent.offset))?;
    Ok(BufReader::with_capacity(BUFFER, file).take(extent.size))
}

/// A reader that fails before the last byte of a content that does not match the digest.
struct Checked<'d, R> {
    content: R,
    digest: Sha256,
    left: u64,
    wanted: &'d str,
}

impl<R: Read> Read for Checked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.left = self.left.saturating_sub(count as u64);
        let is_cut = count == 0 && self.left > 0 && !buffer.is_empty();
        if is_cut || count > 0 && self.left == 0 && digest_of(std::mem::take(&mut self.digest)) != self.wanted {
            return Err(io::Error::other(format!("the content of {} does not match its digest", self.wanted)));
        }
        Ok(count)
    }
}

fn digest_of(digest: Sha256) -> String {
    format!("sha256:{}", formwork_package::AssetKey::of_file(&digest.finalize().into()).object_key(None, None))
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImagePush {
    /// Index of the local image.
    pub(crate) number: usize,
    pub(crate) repository: Repository,
    pub(crate) tag: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pushed {
    There,
    /// Pushed, with the number of uploaded bytes.
    Bytes(u64),
}

pub(crate) fn push(
    local: &LocalImage,
    to: &ImagePush,
    registry: &dyn ImageRegistry,
    force: bool,
    hidden: &dyn Fn(&str),
) -> Result<Pushed, UploadError> {
    let (image, repository) = (&local.image, &to.repository);
    if !force {
        match registry.tagged(repository, &to.tag)? {
            // An equal configuration means an equal image: it identifies everything in it.
            Tagged::Manifest(there) if image::config_of(&there).as_ref() == Some(&image.config_digest()) => {
                return Ok(Pushed::There);
            }
            Tagged::Manifest(_) | Tagged::Missing => {}
            Tagged::Hidden(why) => hidden(&why),
        }
    }
    let push = |number: usize| self::layer(local, &image.layers[number], repository, registry);
    let layers = on_all_cores(image.layers.len(), &push);
    let layers = layers.into_iter().collect::<Result<Vec<(Descriptor, u64)>, _>>()?;
    let config = Blob {
        digest: image.config_digest(),
        size: image.config.len() as u64,
        source: BlobContent::Memory(&image.config),
    };
    let mut sent = put(registry, repository, &config)?;
    sent += layers.iter().map(|(_, sent)| sent).sum::<u64>();
    let layers: Vec<Descriptor> = layers.into_iter().map(|(layer, _)| layer).collect();
    registry.put_manifest(repository, &to.tag, &image.manifest(&layers))?;
    Ok(Pushed::Bytes(sent))
}

/// Pushes a layer, compressed if it is not yet, and returns its descriptor and the number of uploaded bytes.
fn layer(
    local: &LocalImage,
    layer: &Layer,
    repository: &Repository,
    registry: &dyn ImageRegistry,
) -> Result<(Descriptor, u64), UploadError> {
    let unreadable = |error: io::Error| {
        UploadError::new(format!("layer {} of {}: {error}", layer.name, local.path.display())).caused_by(error)
    };
    let descriptor =
        |digest: &str, size| Descriptor { media_type: layer.media_type.clone(), digest: digest.to_owned(), size };
    if layer.is_compressed {
        let digest = match &layer.digest {
            Some(digest) => digest.clone(),
            None => hash(open(&local.path, layer.extent).map_err(unreadable)?).map_err(unreadable)?,
        };
        let size = layer.extent.size;
        let blob = Blob { digest, size, source: BlobContent::File(&local.path, layer.extent) };
        let sent = put(registry, repository, &blob)?;
        return Ok((descriptor(&blob.digest, size), sent));
    }
    let compressed = || -> io::Result<(NamedTempFile, image::Compressed)> {
        let mut file = NamedTempFile::new()?;
        let made = image::compress(open(&local.path, layer.extent)?, &mut file)?;
        Ok((file, made))
    };
    let (file, made) = compressed().map_err(unreadable)?;
    if made.diff_id != layer.diff_id {
        return Err(unreadable(io::Error::other("its content does not match the configuration of the image")));
    }
    let extent = Extent { offset: 0, size: made.size };
    let blob = Blob { digest: made.digest, size: made.size, source: BlobContent::File(file.path(), extent) };
    let sent = put(registry, repository, &blob)?;
    Ok((descriptor(&blob.digest, made.size), sent))
}

/// Stores a blob unless it exists, and returns the number of uploaded bytes.
fn put(registry: &dyn ImageRegistry, repository: &Repository, blob: &Blob<'_>) -> Result<u64, UploadError> {
    if registry.has_blob(repository, &blob.digest)? {
        return Ok(0);
    }
    registry.put_blob(repository, blob)?;
    Ok(blob.size)
}

fn hash(mut content: impl Read) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = content.read(&mut buffer)?;
        if count == 0 {
            return Ok(digest_of(digest));
        }
        digest.update(&buffer[..count]);
    }
}
