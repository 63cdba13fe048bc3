//! Shared parts of the calls to EC2.

use indexmap::IndexMap;

use super::Refusal;
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};
use crate::xml_api::{Element, QueryRequest};

/// Makes a `Describe` call to EC2 and returns all its pages. `page_size` is `None` for calls without pages.
pub(super) async fn describe(
    clients: &Clients,
    action: &'static str,
    parameters: &[(&str, &str)],
    page_size: Option<&str>,
) -> Result<Vec<Element>, Refusal> {
    let mut request = QueryRequest::new(action);
    for (name, value) in parameters {
        request = request.with(name, value);
    }
    let request = clients.ec2.query(request.with_some("MaxResults", page_size));
    let pages = clients.ec2.pages(request, ("nextToken", "NextToken"), &clients.pages).await;
    pages.map_err(|failure| Refusal::new(&format!("ec2:{action}"), failure))
}

/// Returns the values in the lists `list` of some pages: the text of `id`, with the attributes that `attributes` finds.
pub(super) fn values(pages: &[Element], list: &str, id: &str, attributes: impl Fn(&Element) -> Attributes) -> Values {
    let items = pages.iter().flat_map(|page| page.items(list));
    items.filter_map(|item| Some((item.text_of(id)?.to_owned(), Some(attributes(item))))).collect()
}

/// Returns the text of `value` by that of `key`, in the lists `list` of some pages.
pub(super) fn texts(pages: &[Element], list: &str, key: &str, value: &str) -> IndexMap<String, String> {
    let items = pages.iter().flat_map(|page| page.items(list));
    items.filter_map(|item| Some((item.text_of(key)?.to_owned(), item.text_of(value)?.to_owned()))).collect()
}

pub(super) fn text(item: &Element, name: &str) -> Option<String> {
    item.text_of(name).filter(|text| !text.is_empty()).map(str::to_owned)
}

pub(super) fn tags(item: &Element) -> IndexMap<String, String> {
    let tags = item.items("tagSet").iter();
    tags.filter_map(|tag| Some((tag.text_of("key")?.to_owned(), tag.text_of("value").unwrap_or_default().to_owned())))
        .collect()
}
