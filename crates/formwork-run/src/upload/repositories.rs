//! The repositories of images, from arguments and configuration file (reference/packaging.md#images).

use std::collections::BTreeMap;

use formwork::{Diagnostic, codes};
use formwork_project::Failure;
use formwork_upload::Repository;

use crate::args::UploadArgs;
use crate::inputs;

#[derive(Debug)]
pub(crate) enum ImagePlace {
    Nowhere,
    One(Repository),
    Each(BTreeMap<String, Repository>),
    /// The repositories that SAM CLI manages for a stack.
    #[cfg_attr(not(feature = "aws"), allow(dead_code, reason = "they are found by a network"))]
    Managed(String),
}

impl ImagePlace {
    /// Reads the arguments, and the configuration file for those that are missing.
    ///
    /// # Errors
    /// When they contradict each other or cannot be parsed.
    pub(crate) fn new(
        args: &UploadArgs,
        configured: &inputs::Upload,
        stack_name: Option<&str>,
    ) -> Result<ImagePlace, Failure> {
        let is_named =
            args.image_repository.is_some() || !args.image_repositories.is_empty() || args.resolve_image_repos;
        let (one, each, is_managed) = if is_named {
            (&args.image_repository, &args.image_repositories, args.resolve_image_repos)
        } else {
            configured.used(&[
                ("image_repository", configured.image_repository.is_some()),
                ("image_repositories", !configured.image_repositories.is_empty()),
                ("resolve_image_repos", configured.resolve_image_repos),
            ]);
            (&configured.image_repository, &configured.image_repositories, configured.resolve_image_repos)
        };
        let named = [one.is_some(), !each.is_empty(), is_managed];
        if named.iter().filter(|&&is_named| is_named).count() > 1 {
            return Err("name one of --image-repository, --image-repositories and --resolve-image-repos".into());
        }
        if let Some(one) = one {
            return Ok(ImagePlace::One(Repository::parse(one).map_err(|error| error.to_string())?));
        }
        if is_managed {
            let name =
                stack_name.ok_or("--resolve-image-repos needs `--stack-name NAME`: repositories belong to a stack")?;
            return Ok(ImagePlace::Managed(name.to_owned()));
        }
        let mut repositories = BTreeMap::new();
        for word in each {
            let wrong = || format!("`{word} value passed to --image-repositories must be of format LOGICALID=URI`");
            let (id, uri) = word.split_once('=').filter(|(id, _)| !id.trim().is_empty()).ok_or_else(wrong)?;
            let repository = Repository::parse(uri.trim()).map_err(|error| error.to_string())?;
            repositories.insert(id.trim().to_owned(), repository);
        }
        Ok(if repositories.is_empty() { ImagePlace::Nowhere } else { ImagePlace::Each(repositories) })
    }

    /// Returns the repositories of functions without sending a request; one without a name where that is unknown.
    ///
    /// # Errors
    /// When a function has none.
    pub(crate) fn of_functions(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        let unnamed = || Repository { host: String::new(), path: String::new() };
        match self {
            ImagePlace::Nowhere | ImagePlace::Managed(_) => Ok(functions.iter().map(|_| unnamed()).collect()),
            ImagePlace::One(repository) => Ok(functions.iter().map(|_| repository.clone()).collect()),
            ImagePlace::Each(named) => {
                let of = |function: &String| {
                    // The name of a function may omit its nested stack.
                    let own = function.rsplit('/').next().unwrap_or_default();
                    named.get(function).or_else(|| named.get(own))
                };
                let missing: Vec<&str> = functions.iter().filter(|id| of(id).is_none()).map(String::as_str).collect();
                if missing.is_empty() {
                    return Ok(functions.iter().filter_map(of).cloned().collect());
                }
                let message = format!("no repository is named for the images of {}", missing.join(", "));
                let names = named.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                let help = format!(
                    "add `--image-repositories {}=URI`, or name one for all with `--image-repository URI`",
                    missing[0]
                );
                let diagnostic = Diagnostic::new(codes::BUCKET, message);
                Err(Box::new(diagnostic.note(format!("repositories are named for {names}")).help(help)))
            }
        }
    }
}
