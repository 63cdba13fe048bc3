//! The distinct files and directories of a run, each uploaded once however many resources refer to it.

use std::collections::HashMap;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork_package::asset_key::{self, Hash};
use formwork_package::{AssetKey, Entry, archive};

use crate::Payload;
use crate::asset_error::AssetError;
use crate::hashes::{self, Verified};
use crate::listing::{self, Listed, ListedContent, Rules};
use crate::parallel::on_all_cores;

/// The form in which a file or directory is uploaded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Storage {
    Directory,
    LoneFile,
    AsIs,
}

#[derive(Debug)]
pub(crate) struct Asset {
    pub(crate) path: PathBuf,
    pub(crate) storage: Storage,
    /// The content; empty until it is listed.
    pub(crate) files: Vec<Listed>,
    hashes: Vec<Hash>,
    /// `None` until the content is hashed.
    pub(crate) key: Option<AssetKey>,
    pub(crate) errors: Vec<AssetError>,
}

/// Bytes up to which content is held in memory.
const IN_MEMORY: u64 = 64 << 20;

#[derive(Debug, Default)]
pub(crate) struct Assets {
    list: Vec<Asset>,
    numbers: HashMap<(PathBuf, Storage), usize>,
}

impl Assets {
    /// Returns the number of an asset, and adds it when it is new.
    pub(crate) fn add(&mut self, real: &Path, storage: Storage) -> usize {
        *self.numbers.entry((real.to_owned(), storage)).or_insert_with(|| {
            let path = real.to_owned();
            self.list.push(Asset {
                path,
                storage,
                files: Vec::new(),
                hashes: Vec::new(),
                key: None,
                errors: Vec::new(),
            });
            self.list.len() - 1
        })
    }

    pub(crate) fn get(&self, number: usize) -> &Asset {
        &self.list[number]
    }

    pub(crate) fn into_list(self) -> Vec<Asset> {
        self.list
    }

    pub(crate) fn look(&mut self, rules: &Rules) {
        let listed = on_all_cores(self.list.len(), &|number| self.list[number].list(rules));
        for (asset, listed) in self.list.iter_mut().zip(listed) {
            match listed {
                Ok(files) => asset.files = files,
                Err(errors) => asset.errors = errors,
            }
        }
        let mut paths: Vec<PathBuf> = self.list.iter().flat_map(Asset::paths).collect();
        paths.sort_unstable();
        paths.dedup();
        let hashes = hashes::of_files(paths);
        for asset in &mut self.list {
            asset.name(&hashes);
        }
    }
}

impl Asset {
    fn list(&self, rules: &Rules) -> Result<Vec<Listed>, Vec<AssetError>> {
        let name = || self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match self.storage {
            Storage::Directory => listing::list(&self.path, rules),
            Storage::LoneFile | Storage::AsIs => listing::list_file(&self.path, &name()),
        }
    }

    fn paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.files.iter().filter_map(|listed| match &listed.source {
            ListedContent::File(path) => Some(path.clone()),
            ListedContent::Text(_) => None,
        })
    }

    fn name(&mut self, known: &HashMap<PathBuf, Result<Hash, Arc<io::Error>>>) {
        let mut hashes = Vec::with_capacity(self.files.len());
        for listed in &self.files {
            match &listed.source {
                ListedContent::Text(text) => hashes.push(asset_key::hash(text.as_bytes())),
                ListedContent::File(path) => match known.get(path) {
                    Some(Ok(hash)) => hashes.push(*hash),
                    Some(Err(error)) => {
                        self.errors.push(AssetError::Unreadable { path: path.clone(), source: Arc::clone(error) });
                    }
                    None => {}
                },
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        self.key = Some(if let (Storage::AsIs, Some(hash)) = (self.storage, hashes.first()) {
            AssetKey::of_file(hash)
        } else {
            let entries: Vec<Entry> = self.files.iter().map(|listed| listed.entry.clone()).collect();
            AssetKey::of_zip(&entries, &hashes)
        });
        self.hashes = hashes;
    }

    /// Returns the number of bytes before compression.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|listed| listed.bytes).sum()
    }

    /// Returns the content in its uploaded form.
    pub(crate) fn payload(&self) -> io::Result<Payload> {
        let is_small = self.bytes() <= IN_MEMORY;
        if self.storage == Storage::AsIs {
            let hash = self.hashes.first().ok_or_else(|| io::Error::other("a file without a hash"))?;
            let mut file = Verified::open(&self.path, *hash)?;
            if !is_small {
                return Ok(Payload::checked(file, self.bytes()));
            }
            let mut bytes = Vec::with_capacity(self.bytes() as usize);
            file.read_to_end(&mut bytes)?;
            return Ok(Payload::memory(bytes));
        }
        let entries: Vec<Entry> = self.files.iter().map(|listed| listed.entry.clone()).collect();
        let mut next = self.files.iter().zip(&self.hashes).filter(|(listed, _)| has_content(listed));
        let open = |_: &Entry| -> io::Result<(Box<dyn Read>, u64)> {
            let (listed, hash) = next.next().ok_or_else(|| io::Error::other("an entry without content"))?;
            Ok(match &listed.source {
                ListedContent::File(path) => (Box::new(Verified::open(path, *hash)?), listed.bytes),
                ListedContent::Text(text) => (Box::new(Cursor::new(text.clone().into_bytes())), listed.bytes),
            })
        };
        if is_small {
            let zip = archive::write(Cursor::new(Vec::new()), &entries, open)?;
            Ok(Payload::memory(zip.into_inner()))
        } else {
            Payload::file(archive::write(tempfile::tempfile()?, &entries, open)?)
        }
    }
}

/// `true` if the archive requests the content of an entry: an empty directory has none.
fn has_content(listed: &Listed) -> bool {
    listed.entry.kind != formwork_package::EntryKind::EmptyDirectory
}
