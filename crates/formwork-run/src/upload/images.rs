//! Registries of images. The first request is sent when the first image is certain.

use std::cell::OnceCell;
use std::io::Read;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use formwork::{Diagnostic, ecr_region};
use formwork_aws::{EcrLogin, Interrupt, Settings, ecr_login, managed_repositories, managed_repository_path};
use formwork_base::lock;
use formwork_net::registry::{Content, Login, Place, Registry, RegistryError, docker_login};
use formwork_upload::{Blob, ImageRegistry, Manifest, Repository, Tagged, UploadError};

use super::repositories::ImagePlace;
use super::s3::{refused, unusable};
use super::stop::Stop;

pub(crate) struct Images {
    settings: Settings,
    place: ImagePlace,
    stop: Rc<Stop>,
    logins: EcrLogins,
    pusher: OnceCell<Pusher>,
}

type EcrLogins = Arc<Mutex<Vec<EcrLogin>>>;

impl Images {
    pub(crate) fn new(settings: Settings, place: ImagePlace, stop: Rc<Stop>) -> Images {
        Images { settings, place, stop, logins: EcrLogins::default(), pusher: OnceCell::new() }
    }

    pub(crate) fn are_somewhere(&self) -> bool {
        !matches!(self.place, ImagePlace::Nowhere)
    }

    pub(crate) fn place(&self) -> &ImagePlace {
        &self.place
    }

    /// Returns the repositories of functions; missing ones are created, where that is requested.
    ///
    /// # Errors
    /// When a function has none, and when they cannot be created.
    pub(crate) fn repositories(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        let interrupt = self.stop.listen().clone();
        let found = match &self.place {
            ImagePlace::Managed(stack) => {
                managed_repositories(&self.settings, stack, functions, &interrupt).map_err(unusable)?;
                let login = ecr_login(&self.settings, &interrupt).map_err(unusable)?;
                let host = login.host.clone();
                lock(&self.logins).push(login);
                let paths = functions.iter().map(|function| managed_repository_path(stack, function));
                paths.map(|path| Repository { host: host.clone(), path }).collect()
            }
            place => place.of_functions(functions)?,
        };
        self.pusher.get_or_init(|| Pusher::new(&self.settings, &self.logins, &interrupt));
        Ok(found)
    }

    /// Returns the registry, after [`Images::repositories`] succeeded.
    pub(crate) fn registry(&self) -> Option<&dyn ImageRegistry> {
        self.pusher.get().map(|pusher| pusher as &dyn ImageRegistry)
    }
}

/// Returns the login of a registry: that of ECR, else that of Docker's configuration.
fn login(
    host: &str,
    settings: &Settings,
    logins: &EcrLogins,
    interrupt: &Interrupt,
) -> Result<Option<Login>, RegistryError> {
    // The first thread asks, and the others wait for the answer.
    let mut known = lock(logins);
    let of = |login: &EcrLogin| Login::Password { user: login.user.clone(), password: login.password.clone() };
    if let Some(login) = known.iter().find(|login| login.host == host) {
        return Ok(Some(of(login)));
    }
    let Some(region) = ecr_region(host) else { return docker_login(host) };
    let settings = Settings { region: Some(region.to_owned()), ..settings.clone() };
    let login = ecr_login(&settings, interrupt).map_err(|error| {
        let UploadError { message, help, .. } = refused(error);
        RegistryError::new(message, help.unwrap_or_default())
    })?;
    let found = of(&login);
    // A registry of another account accepts the login as well.
    known.push(EcrLogin { host: host.to_owned(), ..login });
    Ok(Some(found))
}

#[derive(Debug)]
struct Pusher(Registry);

impl Pusher {
    fn new(settings: &Settings, logins: &EcrLogins, interrupt: &Interrupt) -> Pusher {
        let (settings, logins, own) = (settings.clone(), Arc::clone(logins), interrupt.clone());
        let stop = interrupt.clone();
        let find = move |host: &str| login(host, &settings, &logins, &own);
        Pusher(Registry::new(Box::new(find), Box::new(move || stop.is_set())))
    }
}

fn place(repository: &Repository) -> Place<'_> {
    Place { host: &repository.host, path: &repository.path }
}

fn failed(error: RegistryError) -> UploadError {
    UploadError { help: Some(error.help.clone()), ..UploadError::new(error.message.clone()).caused_by(error) }
}

impl ImageRegistry for Pusher {
    fn tagged(&self, repository: &Repository, tag: &str) -> Result<Tagged, UploadError> {
        match self.0.manifest(place(repository), tag) {
            Ok(Some(manifest)) => Ok(Tagged::Manifest(manifest)),
            Ok(None) => Ok(Tagged::Missing),
            Err(error) if error.status == Some(403) => {
                Ok(Tagged::Hidden(format!("these credentials may not see which images {repository} has")))
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn has_blob(&self, repository: &Repository, digest: &str) -> Result<bool, UploadError> {
        self.0.has_blob(place(repository), digest).map_err(failed)
    }

    fn put_blob(&self, repository: &Repository, blob: &Blob<'_>) -> Result<(), UploadError> {
        self.0.put_blob(place(repository), blob.digest(), &BlobContent(blob)).map_err(failed)
    }

    fn put_manifest(&self, repository: &Repository, tag: &str, manifest: &Manifest) -> Result<(), UploadError> {
        self.0.put_manifest(place(repository), tag, &manifest.media_type, &manifest.bytes).map_err(failed)
    }
}

struct BlobContent<'b>(&'b Blob<'b>);

impl Content for BlobContent<'_> {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn open(&self) -> std::io::Result<Box<dyn Read + '_>> {
        self.0.open()
    }
}
