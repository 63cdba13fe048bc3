//! The bytes of an object that is uploaded.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use crate::hashes::Verified;

/// The content of an object: in memory when it is small, otherwise in a file. It is read once, from start to end; at
/// the end of a file that was hashed before, a change since then is an error.
#[derive(Debug)]
pub struct Payload {
    content: Content,
    bytes: u64,
}

#[derive(Debug)]
enum Content {
    Memory(Cursor<Vec<u8>>),
    File(File),
    Checked(Verified),
}

impl Payload {
    /// Creates a payload in memory.
    pub fn memory(bytes: Vec<u8>) -> Payload {
        Payload { bytes: bytes.len() as u64, content: Content::Memory(Cursor::new(bytes)) }
    }

    /// Creates a payload of a file, from its start.
    ///
    /// # Errors
    /// When the size of the file cannot be read.
    pub fn file(mut file: File) -> io::Result<Payload> {
        let bytes = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Payload { content: Content::File(file), bytes })
    }

    /// Creates a payload of a file that must still have the hash that was computed before.
    pub(crate) fn checked(file: Verified, bytes: u64) -> Payload {
        Payload { content: Content::Checked(file), bytes }
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> u64 {
        self.bytes
    }
}

impl Read for Payload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::Memory(memory) => memory.read(buffer),
            Content::File(file) => file.read(buffer),
            Content::Checked(file) => file.read(buffer),
        }
    }
}
