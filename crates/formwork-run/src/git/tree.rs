//! The files of a commit. Trees are read one after the other along a path, so that a name that a tree does not have
//! differs from an object that the clone does not have.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork::disk::is_git;

use formwork_base::hexadecimal;

use super::objects::{Kind, Objects, Unread};

/// Maximum number of bytes of trees in the cache.
const KEPT: usize = 16 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    Nothing,
    Outside,
    Directory,
    LinkToNothing,
    LinkOutside,
    /// Links form a loop.
    Round,
    /// The path is in a submodule, whose files are in another repository.
    Submodule(String),
    Unread(Unread),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Nothing => f.write_str("no such file"),
            End::Outside => f.write_str("it is outside the repository"),
            End::Directory => f.write_str("it is a directory"),
            End::LinkToNothing => f.write_str("it is a link that leads to nothing"),
            End::LinkOutside => f.write_str("it is a link that leads out of the repository"),
            End::Round => f.write_str("it is a link that leads back to itself"),
            End::Submodule(path) => write!(f, "{path} is a submodule, whose files are in another repository"),
            End::Unread(unread) => unread.fmt(f),
        }
    }
}

impl From<Unread> for End {
    fn from(unread: Unread) -> End {
        End::Unread(unread)
    }
}

pub(super) struct Tree {
    objects: Objects,
    root: String,
    /// Cache of trees by their names.
    kept: BTreeMap<String, Arc<[u8]>>,
    kept_bytes: usize,
}

struct Entry {
    mode: Vec<u8>,
    id: String,
}

impl Tree {
    pub(super) fn of(mut objects: Objects, commit: &str) -> Result<Tree, Unread> {
        let root = objects.tree_of(commit)?;
        Ok(Tree { objects, root, kept: BTreeMap::new(), kept_bytes: 0 })
    }

    /// Returns the content of the file at a path from the top of the repository. `..` goes up from the target of a
    /// link.
    pub(super) fn file(&mut self, path: &str) -> Result<Vec<u8>, End> {
        let mut left: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        // The directories around the current one, from the top.
        let mut around = vec![(String::new(), self.root.clone())];
        let mut links = 0;
        while let Some(part) = left.pop() {
            let outside = || if links > 0 { End::LinkOutside } else { End::Outside };
            let nothing = || if links > 0 { End::LinkToNothing } else { End::Nothing };
            let Some((_, tree)) = around.last() else { return Err(outside()) };
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    around.pop();
                    if around.is_empty() {
                        return Err(outside());
                    }
                    continue;
                }
                name if is_git(name.as_ref()) => return Err(outside()),
                _ => {}
            }
            let entry = self.entry(&tree.clone(), &part)?.ok_or_else(nothing)?;
            match entry.mode.as_slice() {
                b"40000" => around.push((part, entry.id)),
                b"120000" => {
                    links += 1;
                    if links > crate::LINKS {
                        return Err(End::Round);
                    }
                    let target = self.objects.read(&entry.id, Kind::Blob)?;
                    let target = String::from_utf8_lossy(&target).into_owned();
                    if target.starts_with('/') {
                        return Err(End::LinkOutside);
                    }
                    left.extend(target.split('/').rev().map(str::to_owned));
                }
                b"160000" => {
                    let names = around.iter().skip(1).map(|(name, _)| name.as_str());
                    return Err(End::Submodule(names.chain([part.as_str()]).collect::<Vec<_>>().join("/")));
                }
                _ if left.iter().any(|part| !matches!(part.as_str(), "" | ".")) => return Err(nothing()),
                _ => return Ok(self.objects.read(&entry.id, Kind::Blob)?),
            }
        }
        Err(End::Directory)
    }

    fn entry(&mut self, tree: &str, name: &str) -> Result<Option<Entry>, Unread> {
        let bytes = self.tree(tree)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let corrupt = || Unread::Corrupt(tree.to_owned());
            let end_of = |rest: &[u8], byte| rest.iter().position(|found| *found == byte).ok_or_else(corrupt);
            let (mode, behind) = rest.split_at(end_of(rest, b' ')?);
            let behind = &behind[1..];
            let (found, behind) = behind.split_at(end_of(behind, 0)?);
            let (id, behind) = behind[1..].split_at_checked(tree.len() / 2).ok_or_else(corrupt)?;
            if found == name.as_bytes() {
                // Programs other than Git wrote zeros in front.
                let zeros = mode.iter().take_while(|digit| **digit == b'0').count();
                return Ok(Some(Entry { mode: mode[zeros..].to_vec(), id: hexadecimal(id) }));
            }
            rest = behind;
        }
        Ok(None)
    }

    fn tree(&mut self, id: &str) -> Result<Arc<[u8]>, Unread> {
        if let Some(known) = self.kept.get(id) {
            return Ok(Arc::clone(known));
        }
        let bytes: Arc<[u8]> = self.objects.read(id, Kind::Tree)?.into();
        if self.kept_bytes + bytes.len() <= KEPT {
            self.kept_bytes += bytes.len();
            self.kept.insert(id.to_owned(), Arc::clone(&bytes));
        }
        Ok(bytes)
    }
}
