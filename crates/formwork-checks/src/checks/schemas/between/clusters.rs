//! Instances of database clusters: of the engine of their cluster.

use super::{Fact, Refusal};
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    const ENGINE: &str = "Engine";
    let cluster = walk.below(at.node, "DBClusterIdentifier").and_then(|cluster| walk.referred(cluster.node));
    let Some(cluster) = cluster.filter(|other| other.kind == "AWS::RDS::DBCluster") else { return };
    let (Fact::Literal(own), Fact::Literal(of_cluster), Some(place)) =
        (walk.fact(Some(at.node), ENGINE), walk.fact(cluster.properties, ENGINE), walk.below(at.node, ENGINE))
    else {
        return;
    };
    if own.eq_ignore_ascii_case(of_cluster) {
        return;
    }
    let message = format!("is {own}, and that of its cluster is {of_cluster}");
    let help = format!("write `Engine: {of_cluster}`");
    let refusal = Refusal { place, message: &message, why: "an instance has the engine of its cluster", help: &help };
    walk.under(&[Step::Key(ENGINE)], |walk| walk.refuse(&refusal, cluster, "its cluster"));
}
