//! Images of a program that knows no network: none is pushed.

use formwork::Diagnostic;
use formwork_upload::{ImageRegistry, Repository};

use super::repositories::ImagePlace;

/// Where images go: nowhere.
pub(super) struct Images(ImagePlace);

#[allow(clippy::unused_self, reason = "the same calls as with a network")]
impl Images {
    /// # Errors
    /// When a repository is configured.
    pub(super) fn new(place: ImagePlace) -> Result<Images, String> {
        match place {
            ImagePlace::Nowhere => Ok(Images(place)),
            _ => Err(format!("{}: images cannot be pushed", crate::live::NO_NETWORK)),
        }
    }

    pub(super) fn are_somewhere(&self) -> bool {
        false
    }

    pub(super) fn place(&self) -> &ImagePlace {
        &self.0
    }

    pub(super) fn repositories(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        self.0.of_functions(functions)
    }

    pub(super) fn registry(&self) -> Option<&dyn ImageRegistry> {
        None
    }
}
