//! Images in a program without network support: none is pushed.

use formwork::Diagnostic;
use formwork_project::Failure;
use formwork_upload::{ImageRegistry, Repository};

use super::repositories::ImagePlace;

pub(crate) struct Images(ImagePlace);

#[allow(clippy::unused_self, reason = "the same calls as with a network")]
impl Images {
    /// # Errors
    /// When a repository is configured.
    pub(crate) fn new(place: ImagePlace) -> Result<Images, Failure> {
        match place {
            ImagePlace::Nowhere => Ok(Images(place)),
            _ => Err(format!("{}: images cannot be pushed", crate::no_network::NO_NETWORK).into()),
        }
    }

    pub(crate) fn are_somewhere(&self) -> bool {
        false
    }

    pub(crate) fn place(&self) -> &ImagePlace {
        &self.0
    }

    pub(crate) fn repositories(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        self.0.of_functions(functions)
    }

    pub(crate) fn registry(&self) -> Option<&dyn ImageRegistry> {
        None
    }
}
