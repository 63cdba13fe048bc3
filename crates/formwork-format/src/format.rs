//! Formats the content of a file.

use std::ops::Range;

use formwork_base::{Diagnostics, FileBytes, Limits, SourceMap, VirtualPath};
use formwork_syntax::Format;
use formwork_syntax::decode::decode;

use crate::edits::{Edit, apply, edits};
use crate::options::Options;
use crate::reading::{Reading, Refused};
use crate::{json, proof, yaml};

/// Formats `text`, the content of a file at `path`, whose extension only matters if the text is neither JSON nor YAML.
/// Files with nothing but white space and comments are formatted, too.
///
/// The result has the bytes of `text` other than white space in their order. Source: docs/reference/formatting.md.
///
/// # Errors
///
/// [`Refused`]: the file must not be changed.
pub fn format(text: &str, path: &VirtualPath, options: &Options, limits: &Limits) -> Result<String, Refused> {
    let read = Reading::of(text, path, limits)?;
    let mut after = format_once(&read, text, options)?;
    // Values that are aligned by chance are not aligned after the lines around them moved.
    for _ in 0..MOST_ROUNDS {
        if after == text {
            return Ok(after);
        }
        let again =
            Reading::of(&after, path, limits).map_err(|_| Refused::Unproved("the result is not well-formed"))?;
        let next = format_once(&again, &after, options)?;
        if next == after {
            proof::prove(&read, text, &again, &after)?;
            return Ok(after);
        }
        after = next;
    }
    Err(Refused::Unproved("the result is not stable"))
}

fn format_once(read: &Reading, text: &str, options: &Options) -> Result<String, Refused> {
    let after = match read.document.format {
        Format::Json => json::format(text, options),
        Format::Yaml => yaml::format(text, &read.scalars(), options),
    };
    after.ok_or(Refused::Unproved("a part of the text was not recognized"))
}

/// Maximum number of times that a file is formatted until nothing changes.
const MOST_ROUNDS: usize = 4;

/// Returns the edits of [`format`](format()) in the lines that `range` touches; none if they are not valid by
/// themselves, because they move a part of a mapping. Ranges are in bytes.
///
/// # Errors
///
/// The errors of [`format`](format()).
pub fn format_range(
    text: &str,
    path: &VirtualPath,
    range: Range<usize>,
    options: &Options,
    limits: &Limits,
) -> Result<Vec<Edit>, Refused> {
    let all = edits(text, &format(text, path, options, limits)?);
    let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(range.end..).and_then(|behind| behind.find('\n')).map_or(text.len(), |at| range.end + at);
    let some: Vec<Edit> =
        all.into_iter().filter(|edit| edit.range.start >= start && edit.range.end <= end.max(start)).collect();
    if some.is_empty() {
        return Ok(some);
    }
    let read = Reading::of(text, path, limits)?;
    let after = apply(text, &some);
    let Ok(again) = Reading::of(&after, path, limits) else { return Ok(Vec::new()) };
    Ok(if proof::prove(&read, text, &again, &after).is_ok() { some } else { Vec::new() })
}

/// The content of a file before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formatted {
    /// The original content, without a byte order mark.
    pub before: String,
    /// The formatted content, without a byte order mark.
    pub after: String,
    /// The formatted content in the encoding of the file, byte order mark included.
    pub bytes: Vec<u8>,
}

/// Formats the content of a file at `path` (see [`format`](format())), in its own encoding.
///
/// # Errors
///
/// The errors of [`format`](format()), and when the bytes cannot be decoded, which is reported as a file that is not
/// well-formed.
pub fn format_bytes(
    bytes: &FileBytes,
    path: &VirtualPath,
    options: &Options,
    limits: &Limits,
) -> Result<Formatted, Refused> {
    let (text, encoding, error) = decode(bytes);
    if let Some(error) = error {
        let (mut sources, mut found) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(path.clone(), text);
        found.push(match file {
            Some(file) => error.at(sources.span(file).at_start()),
            None => error,
        });
        return Err(Refused::NotWellFormed(Box::new(sources), Box::new(found)));
    }
    let after = format(&text, path, options, limits)?;
    let bytes = encoding.encode(&after);
    Ok(Formatted { before: text.to_string(), after, bytes })
}
