//! Creates archives and uploads them, several concurrently.

use std::sync::atomic::{AtomicBool, Ordering};

use formwork::{Diagnostic, codes};

use crate::images::{self, ImagePush, Pushed};
use crate::parallel::in_parallel;
use crate::prepare::{Mention, NamedImages, Object, ObjectContent, Prepared};
use crate::{ImageRegistry, Payload, Presence, UploadError, Uploader};

/// Options of an upload.
#[derive(Clone, Copy, Debug)]
pub struct UploadOptions {
    /// Uploads objects that exist already.
    pub force: bool,
    /// Number of objects that are created and uploaded concurrently.
    pub concurrency: usize,
}

/// The destinations of an upload.
#[derive(Clone, Copy, Default)]
pub struct Uploaders<'u> {
    /// Receives objects.
    pub objects: Option<&'u dyn Uploader>,
    /// Receives images.
    pub images: Option<&'u dyn ImageRegistry>,
}

impl<'u, U: Uploader> From<&'u U> for Uploaders<'u> {
    fn from(objects: &'u U) -> Uploaders<'u> {
        Uploaders { objects: Some(objects), images: None }
    }
}

/// Reports the result for an object or image, as it happens. The first field is its key or name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<'p> {
    /// The object or image exists already.
    There(&'p str),
    /// Access to the existing object is denied, for this reason; it is uploaded.
    Hidden(&'p str, &'p str),
    /// Uploaded, with the number of bytes.
    Uploaded(&'p str, u64),
}

/// Objects or images that could not be uploaded, for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UploadFailure {
    /// The keys of the objects, or the names of the images.
    pub keys: Vec<String>,
    /// The path, the property and the resource of each, for messages.
    pub names: Vec<String>,
    /// Set for images, unset for objects.
    pub are_images: bool,
    /// The error message.
    pub message: String,
    /// Advice for the user, when known.
    pub help: Option<String>,
}

const LISTED: usize = 5;

/// Describes an object or image in messages: `src/orders (CodeUri of OrdersFunction)`.
pub(crate) fn known_as(mentions: &[Mention], or: impl Fn() -> String) -> String {
    let Some(first) = mentions.first() else { return or() };
    let more = match mentions.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{} ({} of {}{more})", first.path, first.property, first.resource)
}

impl UploadFailure {
    /// Converts the error into a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let (noun, verb) = if self.are_images { ("image", "pushed") } else { ("artifact", "uploaded") };
        let message = match self.names.as_slice() {
            [name] => format!("{name} could not be {verb}"),
            names => {
                let listed = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = names.len().saturating_sub(LISTED);
                let more = if more == 0 { String::new() } else { format!(", and {more} more") };
                format!("{} {noun}s could not be {verb}: {listed}{more}", names.len())
            }
        };
        let help =
            self.help.as_deref().unwrap_or("fix that and package again: files that are uploaded already are skipped");
        Diagnostic::new(codes::UPLOAD, message).note(&self.message).help(help)
    }
}

#[derive(Clone, Copy)]
enum Item<'p> {
    Object(&'p Object),
    Image(&'p str, &'p ImagePush),
}

/// Uploads all objects and images that do not exist. After an error no further object or image is begun.
///
/// # Errors
/// Every object and image that was begun and could not be uploaded.
pub fn upload_all<'u>(
    prepared: &Prepared,
    to: impl Into<Uploaders<'u>>,
    how: UploadOptions,
    observer: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), Vec<UploadFailure>> {
    let to = to.into();
    let stopped = AtomicBool::new(false);
    let work = |item: &Item<'_>| -> Option<UploadFailure> {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let nowhere = || UploadError::new("no destination is configured");
        let (key, name, are_images, result) = match *item {
            Item::Object(object) => {
                let done = to.objects.ok_or_else(nowhere);
                let name = known_as(&object.mentions, || format!("object {}", object.key));
                (&*object.key, name, false, done.and_then(|to| one(prepared, object, to, how.force, observer)))
            }
            Item::Image(name, push) => {
                let done = to.images.ok_or_else(nowhere);
                let mentions = prepared.image_mentions().remove(name).unwrap_or_default();
                let shown = known_as(&mentions, || format!("image {name}"));
                (name, shown, true, done.and_then(|to| image(prepared, (name, push), to, how.force, observer)))
            }
        };
        let UploadError { message, help, .. } = result.err()?;
        stopped.store(true, Ordering::Relaxed);
        Some(UploadFailure { keys: vec![key.to_owned()], names: vec![name], are_images, message, help })
    };
    let objects = prepared.objects.iter().map(Item::Object);
    // Images take longest.
    let images = prepared.named.pushes.iter().map(|(name, push)| Item::Image(name, push));
    let items: Vec<Item<'_>> = images.chain(objects).collect();
    let results = in_parallel(how.concurrency, items.len(), &|number| work(&items[number]));
    let errors: Vec<UploadFailure> = results.into_iter().flatten().collect();
    if errors.is_empty() { Ok(()) } else { Err(by_reason(errors)) }
}

fn by_reason(errors: Vec<UploadFailure>) -> Vec<UploadFailure> {
    let mut reported: Vec<UploadFailure> = Vec::new();
    for error in errors {
        let reason = |error: &UploadFailure| (error.are_images, error.message.clone(), error.help.clone());
        match reported.iter_mut().find(|first| reason(first) == reason(&error)) {
            Some(first) => {
                first.keys.extend(error.keys);
                first.names.extend(error.names);
            }
            None => reported.push(error),
        }
    }
    reported
}

/// The pushed image of a need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PushedImage {
    /// The repository and the tag.
    pub name: String,
    /// Set when the registry had the image already.
    pub was_there: bool,
}

/// Pushes the image of one need of a template, under its name in `named`; `None` when the need is not an image.
///
/// # Errors
/// When the image cannot be pushed.
pub fn push_image(
    prepared: &Prepared,
    named: &NamedImages,
    need: (usize, usize),
    registry: &dyn ImageRegistry,
) -> Result<Option<PushedImage>, UploadError> {
    let Some((name, push)) = named.names.get(&need).and_then(|name| named.pushes.get_key_value(name)) else {
        return Ok(None);
    };
    // Without permission to see existing blobs, everything is pushed.
    let pushed = images::push(&prepared.images[push.number], push, registry, false, &|_| {})?;
    Ok(Some(PushedImage { name: name.clone(), was_there: pushed == Pushed::There }))
}

fn one(
    prepared: &Prepared,
    object: &Object,
    uploader: &dyn Uploader,
    force: bool,
    observer: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), UploadError> {
    if !force {
        match uploader.presence(&object.key)? {
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
            asset.payload().map_err(|error| UploadError::new(format!("{}: {error}", asset.path.display())))?
        }
    };
    uploader.put(&object.key, &mut payload)?;
    observer(Progress::Uploaded(&object.key, payload.size()));
    Ok(())
}

fn image(
    prepared: &Prepared,
    (name, push): (&str, &ImagePush),
    registry: &dyn ImageRegistry,
    force: bool,
    observer: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), UploadError> {
    let hidden = |why: &str| observer(Progress::Hidden(name, why));
    let pushed = images::push(&prepared.images[push.number], push, registry, force, &hidden)?;
    observer(match pushed {
        Pushed::There => Progress::There(name),
        Pushed::Bytes(bytes) => Progress::Uploaded(name, bytes),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_are_named_by_path_property_and_resource() {
        let mention = |resource: &str| Mention {
            path: "src/orders".to_owned(),
            resource: resource.to_owned(),
            property: "CodeUri".to_owned(),
        };
        let object = || "object 1a2b".to_owned();
        assert_eq!(known_as(&[mention("A")], object), "src/orders (CodeUri of A)");
        assert_eq!(known_as(&[mention("A"), mention("B")], object), "src/orders (CodeUri of A, and 1 more)");
        assert_eq!(known_as(&[], object), "object 1a2b");
        let error = |names: &[&str]| UploadFailure {
            keys: Vec::new(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            are_images: false,
            message: "Access Denied".to_owned(),
            help: None,
        };
        let title = |names: &[&str]| error(names).diagnostic().message;
        assert_eq!(title(&["src (CodeUri of A)"]), "src (CodeUri of A) could not be uploaded");
        let many = ["a", "b", "c", "d", "e", "f"];
        assert_eq!(title(&many), "6 artifacts could not be uploaded: a, b, c, d, e, and 1 more");
    }
}
