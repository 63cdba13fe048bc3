//! `AWS::EC2::Instance::Id`: instances that are not terminated.

use super::Refusal;
use super::describe::describe;
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let pages = describe(clients, "DescribeInstances", &[], Some("1000")).await?;
    let reservations = pages.iter().flat_map(|page| page.items("reservationSet"));
    let instances = reservations.flat_map(|reservation| reservation.items("instancesSet"));
    let living = instances.filter(|instance| {
        instance.child("instanceState").and_then(|state| state.text_of("name")) != Some("terminated")
    });
    Ok(living
        .filter_map(|instance| Some((instance.text_of("instanceId")?.to_owned(), Some(Attributes::default()))))
        .collect())
}
