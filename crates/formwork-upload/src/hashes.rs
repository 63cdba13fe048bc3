//! Computes the hashes of files on all cores.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork_disk::open_regular;
use formwork_package::asset_key::Hash;
use sha2::{Digest, Sha256};

use crate::parallel::on_all_cores;

const BUFFER: usize = 128 * 1024;

pub(crate) fn of_files(paths: Vec<PathBuf>) -> HashMap<PathBuf, Result<Hash, Arc<io::Error>>> {
    let hashes = on_all_cores(paths.len(), &|number| of_file(&paths[number]).map_err(Arc::new));
    paths.into_iter().zip(hashes).collect()
}

fn of_file(path: &Path) -> io::Result<Hash> {
    let mut file = open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(digest.finalize().into());
        }
        digest.update(&buffer[..read]);
    }
}

/// Opens a regular file; it is read in pieces, whatever its size.
fn open(path: &Path) -> io::Result<File> {
    open_regular(path).map(|(file, _)| file).map_err(|error| io::Error::other(error.to_string()))
}

/// A reader that fails at the end of a file whose hash is not the expected one.
#[derive(Debug)]
pub(crate) struct Verified {
    file: File,
    path: PathBuf,
    digest: Option<Sha256>,
    expected: Hash,
}

impl Verified {
    pub(crate) fn open(path: &Path, expected: Hash) -> io::Result<Verified> {
        Ok(Verified { file: open(path)?, path: path.to_owned(), digest: Some(Sha256::new()), expected })
    }
}

impl Read for Verified {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            if let Some(digest) = &mut self.digest {
                digest.update(&buffer[..read]);
            }
            return Ok(read);
        }
        let hash = self.digest.take().map(|digest| Hash::from(digest.finalize()));
        if hash.is_some_and(|hash| hash != self.expected) {
            let why = format!("{} was changed while it was packaged", self.path.display());
            return Err(io::Error::other(why));
        }
        Ok(0)
    }
}
