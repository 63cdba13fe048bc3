//! Making archives and uploading them, several at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use formwork::{Diagnostic, codes};
use rayon::prelude::*;

use crate::prepare::{Object, ObjectContent, Prepared};
use crate::{Payload, Presence, Uploader};

/// How objects are uploaded.
#[derive(Clone, Copy, Debug)]
pub struct UploadOptions {
    /// Whether objects that are there already are uploaded again.
    pub force: bool,
    /// How many objects are made and uploaded at once.
    pub concurrency: usize,
}

/// What became of an object, as it happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<'p> {
    /// It is there already.
    There(&'p str),
    /// Whether it is there may not be known, for this reason; it is uploaded.
    Hidden(&'p str, &'p str),
    /// It was uploaded; so many bytes.
    Uploaded(&'p str, u64),
}

/// Objects that could not be uploaded, for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Their keys.
    pub keys: Vec<String>,
    /// What went wrong.
    pub message: String,
    /// What to do, when it is known.
    pub help: Option<String>,
}

impl Fault {
    /// The fault as reports show it.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = match self.keys.as_slice() {
            [key] => format!("object {key} could not be uploaded"),
            keys => format!("{} objects could not be uploaded: {}", keys.len(), keys.join(", ")),
        };
        let help =
            self.help.as_deref().unwrap_or("mend that and package again: what is there already is not uploaded twice");
        Diagnostic::new(codes::UPLOAD, message).note(&self.message).help(help)
    }
}

/// Uploads what is not there. After a fault no further object is begun.
///
/// # Errors
/// Every object that was begun and could not be uploaded.
pub fn upload_all(
    prepared: &Prepared,
    uploader: &dyn Uploader,
    how: UploadOptions,
    observer: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), Vec<Fault>> {
    let stopped = AtomicBool::new(false);
    let work = |object: &Object| -> Option<Fault> {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let fault = one(prepared, object, uploader, how.force, observer).err();
        if fault.is_some() {
            stopped.store(true, Ordering::Relaxed);
        }
        fault
    };
    let all = || prepared.objects.par_iter().filter_map(work).collect();
    // Without threads of its own the work goes to those that there are.
    let faults: Vec<Fault> = match rayon::ThreadPoolBuilder::new().num_threads(how.concurrency.max(1)).build() {
        Ok(pool) => pool.install(all),
        Err(_) => all(),
    };
    if faults.is_empty() { Ok(()) } else { Err(by_reason(faults)) }
}

/// What went wrong for one reason is told once.
fn by_reason(faults: Vec<Fault>) -> Vec<Fault> {
    let mut told: Vec<Fault> = Vec::new();
    for fault in faults {
        match told.iter_mut().find(|first| (&first.message, &first.help) == (&fault.message, &fault.help)) {
            Some(first) => first.keys.extend(fault.keys),
            None => told.push(fault),
        }
    }
    told
}

fn one(
    prepared: &Prepared,
    object: &Object,
    uploader: &dyn Uploader,
    force: bool,
    observer: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), Fault> {
    let fault = |message: String, help: Option<String>| Fault { keys: vec![object.key.clone()], message, help };
    let refused = |error: crate::UploadError| fault(error.message, error.help);
    if !force {
        match uploader.presence(&object.key).map_err(refused)? {
            Presence::There => {
                observer(Progress::There(&object.key));
                return Ok(());
            }
            Presence::Missing => {}
            Presence::Hidden(why) => observer(Progress::Hidden(&object.key, &why)),
        }
    }
    let mut payload = match &object.content {
        ObjectContent::Text(text) => Payload::memory(text.clone()),
        ObjectContent::Asset(number) => {
            let asset = &prepared.assets[*number];
            asset.payload().map_err(|error| fault(format!("{}: {error}", asset.path.display()), None))?
        }
    };
    uploader.put(&object.key, &mut payload).map_err(refused)?;
    observer(Progress::Uploaded(&object.key, payload.size()));
    Ok(())
}
