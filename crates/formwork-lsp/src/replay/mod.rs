//! `formwork lsp --replay`: replays the client's messages of a recording, and compares the messages of the server with
//! those of the recording (guides/editors.md).

mod compare;
mod log;
mod player;
mod probe;
mod published;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};

use formwork::Limits;

use crate::Options;
use crate::record::Root;
use player::Player;

/// The options of `--replay`.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The recording.
    pub log: PathBuf,
    /// The root directory of the workspace; `None` for that of the recording.
    pub root: Option<PathBuf>,
    /// Set to replace the answers of the recording by the new ones.
    pub updates: bool,
    /// Set to send every request at each place that a change touched.
    pub probes: bool,
}

/// Replays a recording against a server with `options`, and prints each difference and a line with figures. Returns the
/// exit status: 0, 1 with differences or panics, 2 when the recording cannot be read or written; the reason is on
/// standard error.
pub fn replay(replay: &Replay, options: &Options, out: &mut impl Write) -> u8 {
    match try_replay(replay, options, out) {
        Ok(holds) => u8::from(!holds),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "formwork lsp: {}: {why}", replay.log.display());
            2
        }
    }
}

fn try_replay(replay: &Replay, options: &Options, out: &mut impl Write) -> Result<bool, String> {
    let text = read(&replay.log)?;
    let entries = log::read(&text)?;
    let root = replay.root.clone().unwrap_or_else(|| folder_of(&replay.log));
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let root = Root::new(&root);
    let mut player = Player::start(&entries, &root, options.clone(), replay.probes);
    player.play();
    let played = player.end();
    let differences = compare::differences(&entries, &played);
    let shown = replay.log.display().to_string();
    for one in &differences {
        writeln!(out, "{shown}:{one}").map_err(|error| error.to_string())?;
    }
    writeln!(out, "{}", report::line(&entries, &played, differences.len())).map_err(|error| error.to_string())?;
    if replay.updates {
        let updated = compare::updated(entries, &played);
        formwork::disk::replace(&replay.log, |file| file.write_all(updated.as_bytes()))
            .map_err(|error| error.to_string())?;
        return Ok(played.panics == 0);
    }
    Ok(differences.is_empty() && played.panics == 0)
}

fn read(path: &Path) -> Result<String, String> {
    let folder = folder_of(path);
    // Recordings contain every answer.
    let most = Limits::default().file_bytes.saturating_mul(16);
    let name = path.file_name().unwrap_or_default();
    let bytes = formwork::disk::read_inside(&folder, &folder.join(name), most).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
