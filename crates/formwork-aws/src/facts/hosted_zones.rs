//! `AWS::Route53::HostedZone::Id`, of a service that is the same in all Regions.

use super::Refusal;
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};
use crate::xml_api::Request;

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let request = Request::get("/2013-04-01/hostedzone", &[("maxitems", "100")]);
    let pages = clients.route53.pages(request, ("NextMarker", "marker"), &clients.pages).await;
    let pages = pages.map_err(|failure| Refusal::new("route53:ListHostedZones", failure))?;
    let zones = pages.iter().flat_map(|page| page.items("HostedZones"));
    let ids = zones.filter_map(|zone| zone.text_of("Id"));
    Ok(ids.map(|id| (id.trim_start_matches("/hostedzone/").to_owned(), Some(Attributes::default()))).collect())
}
