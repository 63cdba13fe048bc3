//! `AWS::EC2::Image::Id`: images by ID, and those that the account owns. The listing is never complete: images of
//! everyone can be used.

use super::Refusal;
use super::describe::{describe, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};
use crate::xml_api::Element;

const NAMED_AT_ONCE: usize = 100;

/// Returns images of the account, if `all`, and those of `named`; a name without an image has no attributes.
pub(super) async fn find(all: bool, named: &[String], clients: &Clients) -> Result<Values, Refusal> {
    let mut found = Values::new();
    if all {
        let pages = describe(clients, "DescribeImages", &[("Owner.1", "self")], Some("1000")).await?;
        found = of(&pages);
    }
    // An empty ID would list all images.
    let (ids, empty): (Vec<&str>, Vec<&str>) = named.iter().map(String::as_str).partition(|id| !id.is_empty());
    for some in ids.chunks(NAMED_AT_ONCE) {
        match exist(some, clients).await? {
            Some(images) => found.extend(images),
            // One missing image makes the call fail for all.
            None => {
                for id in some {
                    found.extend(exist(&[id], clients).await?.unwrap_or_default());
                }
            }
        }
    }
    for id in ids.into_iter().chain(empty) {
        found.entry(id.to_owned()).or_insert(None);
    }
    Ok(found)
}

/// Returns images with these IDs, or `None` when one of them does not exist or is not an ID.
async fn exist(ids: &[&str], clients: &Clients) -> Result<Option<Values>, Refusal> {
    let names: Vec<String> = (1..=ids.len()).map(|number| format!("ImageId.{number}")).collect();
    let mut parameters: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(ids.iter().copied()).collect();
    parameters.push(("IncludeDeprecated", "true"));
    match describe(clients, "DescribeImages", &parameters, None).await {
        Ok(pages) => Ok(Some(of(&pages))),
        Err(refusal) if refusal.failure.code.as_deref().is_some_and(|code| code.starts_with("InvalidAMIID")) => {
            Ok(None)
        }
        // The sentence may repeat an ID, which a template may keep secret.
        Err(refusal) => Err(Refusal { failure: refusal.failure.without_detail(), ..refusal }),
    }
}

fn of(pages: &[Element]) -> Values {
    values(pages, "imagesSet", "imageId", |_| Attributes::default())
}
