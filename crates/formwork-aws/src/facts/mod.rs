//! Fetches account data, with one file per type of data (reference/account-data.md#live).

mod availability_zones;
mod caller;
mod describe;
mod exports;
mod hosted_zones;
mod images;
mod instances;
mod key_pairs;
mod parameter_names;
mod security_groups;
mod stored_parameters;
mod subnets;
mod volumes;
mod vpcs;

use crate::aws_error::AwsError;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::kinds::{IMAGE, PARAMETER_NAME};
use crate::plan::Task;
use crate::snapshot::{Snapshot, Values};

#[derive(Clone, PartialEq, Eq, Debug)]
struct Refusal {
    permission: String,
    failure: CallError,
}

impl Refusal {
    fn new(permission: &str, failure: impl Into<CallError>) -> Refusal {
        Refusal { permission: permission.to_owned(), failure: failure.into() }
    }

    fn about(self, subject: &str) -> AwsError {
        AwsError::of_call(subject, &self.permission, self.failure)
    }
}

/// Performs one task: returns its part of the snapshot, and the errors of unknown data.
pub(crate) async fn answer(task: Task, clients: &Clients) -> (Snapshot, Vec<AwsError>) {
    let mut part = Snapshot::default();
    let mut errors = Vec::new();
    match task {
        Task::Caller => match caller::find(clients).await {
            Ok(caller) => {
                part.account = Some(caller.account);
                part.partition = caller.partition;
            }
            Err(refusal) => errors.push(refusal.about("the account id")),
        },
        Task::All(kind) => match all(kind, clients).await {
            Ok(values) => drop(part.types.insert(kind.to_owned(), values)),
            Err(refusal) => errors.push(refusal.about(kind)),
        },
        Task::Images { all, named } => match images::find(all, &named, clients).await {
            Ok(values) => put_partial(&mut part, IMAGE, values),
            Err(refusal) => errors.push(refusal.about(IMAGE)),
        },
        Task::ParameterNames { all: true, .. } => match parameter_names::all(clients).await {
            Ok(values) => drop(part.types.insert(PARAMETER_NAME.to_owned(), values)),
            Err(refusal) => errors.push(refusal.about(PARAMETER_NAME)),
        },
        Task::ParameterNames { all: false, named } => match parameter_names::named(&named, clients).await {
            Ok(values) => put_partial(&mut part, PARAMETER_NAME, values),
            Err(refusal) => errors.push(refusal.about(PARAMETER_NAME)),
        },
        Task::Stored(names) => stored_parameters::find(&names, clients, &mut part, &mut errors).await,
        Task::Exports => match exports::list(clients).await {
            Ok(exports) => part.exports = Some(exports),
            Err(refusal) => errors.push(refusal.about("exports")),
        },
    }
    (part, errors)
}

/// Adds the values of an incomplete listing.
fn put_partial(part: &mut Snapshot, kind: &str, values: Values) {
    part.types.insert(kind.to_owned(), values);
    part.incomplete.push(kind.to_owned());
}

async fn all(kind: &str, clients: &Clients) -> Result<Values, Refusal> {
    match kind {
        "AWS::EC2::AvailabilityZone::Name" => availability_zones::list(clients).await,
        "AWS::EC2::Instance::Id" => instances::list(clients).await,
        "AWS::EC2::KeyPair::KeyName" => key_pairs::list(clients).await,
        "AWS::EC2::SecurityGroup::GroupName" => security_groups::names(clients).await,
        "AWS::EC2::SecurityGroup::Id" => security_groups::list(clients).await,
        "AWS::EC2::Subnet::Id" => subnets::list(clients).await,
        "AWS::EC2::Volume::Id" => volumes::list(clients).await,
        "AWS::EC2::VPC::Id" => vpcs::list(clients).await,
        _ => hosted_zones::list(clients).await,
    }
}
