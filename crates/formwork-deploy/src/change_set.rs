//! Change sets and their changes.

use formwork_aws::{CallError, Element};

use crate::event;

/// A change set that could be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ChangeSet {
    /// ARN of the change set.
    pub id: String,
    /// Name of the change set.
    pub name: String,
    /// ARN of the stack.
    pub stack_id: String,
    /// The changes. Those of a nested stack come after the stack's own change.
    pub changes: Vec<Change>,
    /// `DRIFTED`, `IN_SYNC`, or another value of CloudFormation; `None` when it is not sent.
    pub stack_drift: Option<String>,
    /// Set when property values and drift were requested.
    pub has_values: bool,
}

impl ChangeSet {
    /// Returns the changes that may lose data.
    pub fn data_loss(&self) -> Vec<&Change> {
        self.changes.iter().filter(|change| change.loses_data()).collect()
    }

    /// `true` if a resource of the stack itself is removed and one of its type added: this may be a rename.
    pub(crate) fn may_rename(&self) -> bool {
        let of = |action| self.changes.iter().filter(move |one| one.action == action && one.within.is_empty());
        of(Action::Remove).any(|removed| of(Action::Add).any(|added| added.kind == removed.kind))
    }

    /// Returns the changes that replace, or may replace, a resource.
    pub fn replaced(&self) -> Vec<&Change> {
        self.changes.iter().filter(|change| change.may_be_replaced()).collect()
    }
}

/// The change of one resource.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// Logical IDs of the enclosing nested stacks, outermost first.
    pub within: Vec<String>,
    /// Action on the resource.
    pub action: Action,
    /// Logical ID of the resource.
    pub logical_id: String,
    /// Type of the resource.
    pub kind: String,
    /// Replacement by a new resource.
    pub replacement: Replacement,
    /// The changes: names of properties, otherwise attributes such as `Tags`, each once.
    pub changed: Vec<String>,
    /// Set when a removed resource stays in the account, by its policy.
    pub is_retained: bool,
    /// Physical ID of an existing resource.
    pub physical_id: Option<String>,
    /// ARN of the change set of a nested stack.
    pub change_set: Option<String>,
    /// `MODIFIED`, `IN_SYNC`, or another value of CloudFormation; `None` when it is not sent.
    pub drift: Option<String>,
    /// Paths whose drift is left alone, and the reason: `MANAGED_BY_AWS`.
    pub ignored_drift: Vec<(String, String)>,
    /// Changed properties with their values, when requested.
    pub properties: Vec<PropertyChange>,
}

/// A change of one property, with its values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PropertyChange {
    /// Path of the property: `/Properties/VisibilityTimeout`.
    pub path: String,
    /// `Add`, `Remove`, `Modify`, `SyncWithActual`.
    pub change: Option<String>,
    /// The value before.
    pub before: Option<String>,
    /// Source of the value before: `ACTUAL_STATE`, `PREVIOUS_DEPLOYMENT_STATE`.
    pub before_from: Option<String>,
    /// The value after.
    pub after: Option<String>,
    /// The actual value of the resource.
    pub actual: Option<String>,
    /// The value of the last deployment.
    pub previous: Option<String>,
    /// Replacement of the resource: `Never`, `Conditionally`, `Always`.
    pub recreation: Option<String>,
}

/// CloudFormation sends this in place of a value that is known when the change set is executed.
const LATER: &str = "{{changeSet:KNOWN_AFTER_APPLY}}";

impl PropertyChange {
    /// Returns `true` if the value after is known only when the change set is executed.
    pub fn is_known_later(&self) -> bool {
        self.after.as_deref() == Some(LATER)
    }

    fn new(target: &Element) -> PropertyChange {
        let text = |element: &Element, name| element.string_of(name).filter(|text| !text.is_empty());
        let drift = |name| target.child("Drift").and_then(|drift| text(drift, name));
        let name = || {
            let attribute = target.string_of("Attribute")?;
            Some(target.string_of("Name").map_or(format!("/{attribute}"), |name| format!("/{attribute}/{name}")))
        };
        PropertyChange {
            path: text(target, "Path").or_else(name).unwrap_or_default(),
            change: text(target, "AttributeChangeType"),
            before: target.string_of("BeforeValue"),
            before_from: text(target, "BeforeValueFrom"),
            after: target.string_of("AfterValue"),
            actual: drift("ActualValue"),
            previous: drift("PreviousValue"),
            recreation: text(target, "RequiresRecreation"),
        }
    }
}

impl Change {
    /// Returns `true` if no actual change is known: the resource is in sync, and its changed values are known only when
    /// the change set is executed.
    pub fn is_unresolved(&self) -> bool {
        self.action == Action::Modify
            && self.drift.as_deref() == Some("IN_SYNC")
            && !self.properties.is_empty()
            && self.properties.iter().all(PropertyChange::is_known_later)
    }
}

/// An action on a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The resource is created.
    Add,
    /// The resource is updated.
    Modify,
    /// The resource is removed from the stack.
    Remove,
    /// The resource is imported into the stack.
    Import,
    /// The action is known only when the change set is executed.
    Dynamic,
    /// CloudFormation's record of the resource is updated to its actual state.
    Sync,
    /// Another action, as it was sent; empty when none was.
    Unknown(String),
}

/// The replacement of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// Not replaced.
    No,
    /// Replaced.
    Yes,
    /// Known only when the change set is executed.
    Perhaps,
    /// Another value, as it was sent.
    Unknown(String),
}

/// The deletion of a change set that was not executed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ChangeSetDeletion {
    /// ARN of the change set, or its name when no answer confirmed that it was created.
    pub change_set: String,
    /// The error of the deletion; then the change set still exists, if it was created.
    pub failure: Option<CallError>,
}

/// Types whose resources hold data that cannot be re-created.
const STATEFUL: [&str; 41] = [
    "AWS::AmazonMQ::Broker",
    "AWS::Backup::BackupVault",
    "AWS::Cassandra::Keyspace",
    "AWS::Cassandra::Table",
    "AWS::Cognito::UserPool",
    "AWS::DocDB::DBCluster",
    "AWS::DocDB::DBInstance",
    "AWS::DynamoDB::GlobalTable",
    "AWS::DynamoDB::Table",
    "AWS::EC2::Volume",
    "AWS::ECR::Repository",
    "AWS::EFS::FileSystem",
    "AWS::ElastiCache::CacheCluster",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::ElastiCache::ServerlessCache",
    "AWS::Elasticsearch::Domain",
    "AWS::FSx::FileSystem",
    "AWS::FSx::Volume",
    "AWS::KMS::Key",
    "AWS::Kinesis::Stream",
    "AWS::Lightsail::Database",
    "AWS::Lightsail::Disk",
    "AWS::Logs::LogGroup",
    "AWS::MSK::Cluster",
    "AWS::MemoryDB::Cluster",
    "AWS::Neptune::DBCluster",
    "AWS::Neptune::DBInstance",
    "AWS::OpenSearchService::Domain",
    "AWS::QLDB::Ledger",
    "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",
    "AWS::RDS::GlobalCluster",
    "AWS::Redshift::Cluster",
    "AWS::RedshiftServerless::Namespace",
    "AWS::S3::Bucket",
    "AWS::S3Express::DirectoryBucket",
    "AWS::S3Tables::TableBucket",
    "AWS::SecretsManager::Secret",
    "AWS::Timestream::Database",
    "AWS::Timestream::Table",
    "AWS::WorkSpaces::Workspace",
];

pub(crate) fn is_stateful(kind: &str) -> bool {
    STATEFUL.contains(&kind)
}

impl Change {
    /// Returns `true` if data may be lost: a resource that holds data is replaced or removed, and does not stay in the
    /// account.
    pub fn loses_data(&self) -> bool {
        let goes = self.action == Action::Remove && !self.is_retained;
        (goes || self.may_be_replaced()) && is_stateful(&self.kind)
    }

    /// Returns `true` if the resource changes, or may change since the action is not known.
    pub fn is_modified(&self) -> bool {
        matches!(self.action, Action::Modify | Action::Unknown(_))
    }

    /// Returns `true` if the resource is replaced, or may be.
    pub fn may_be_replaced(&self) -> bool {
        self.is_modified() && self.replacement != Replacement::No
    }

    /// Returns the logical ID after those of the enclosing nested stacks: `Nested/Topic`.
    pub fn path(&self) -> String {
        event::path(&self.within, &self.logical_id)
    }

    pub(crate) fn new(change: &Element, within: &[String]) -> Change {
        let text = |name| change.string_of(name).unwrap_or_default();
        Change {
            within: within.to_vec(),
            action: match change.text_of("Action") {
                Some("Add") => Action::Add,
                Some("Remove") => Action::Remove,
                Some("Import") => Action::Import,
                Some("Dynamic") => Action::Dynamic,
                Some("SyncWithActual") => Action::Sync,
                Some("Modify") => Action::Modify,
                other => Action::Unknown(other.unwrap_or_default().to_owned()),
            },
            logical_id: text("LogicalResourceId"),
            kind: text("ResourceType"),
            replacement: match change.text_of("Replacement") {
                Some("True") => Replacement::Yes,
                Some("Conditional") => Replacement::Perhaps,
                None | Some("" | "False") => Replacement::No,
                Some(other) => Replacement::Unknown(other.to_owned()),
            },
            changed: changed(change),
            is_retained: change.text_of("PolicyAction") == Some("Retain"),
            physical_id: change.string_of("PhysicalResourceId").filter(|id| !id.is_empty()),
            change_set: change.string_of("ChangeSetId").filter(|id| !id.is_empty()),
            drift: change.string_of("ResourceDriftStatus").filter(|status| !status.is_empty()),
            ignored_drift: change
                .items("ResourceDriftIgnoredAttributes")
                .iter()
                .map(|one| (one.string_of("Path").unwrap_or_default(), one.string_of("Reason").unwrap_or_default()))
                .collect(),
            properties: change
                .items("Details")
                .iter()
                .filter_map(|detail| detail.child("Target"))
                .map(PropertyChange::new)
                .collect(),
        }
    }
}

/// Returns the changed properties or attributes, each once, in the order of CloudFormation.
fn changed(change: &Element) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for detail in change.items("Details") {
        let Some(target) = detail.child("Target") else { continue };
        let words = match (target.text_of("Attribute"), target.text_of("Name")) {
            (Some("Properties"), Some(name)) => name,
            (Some(attribute), _) => attribute,
            _ => continue,
        };
        if !found.iter().any(|known| known == words) {
            found.push(words.to_owned());
        }
    }
    if found.is_empty() {
        found.extend(change.items("Scope").iter().map(|attribute| attribute.text.clone()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(action: Action, kind: &str, replacement: Replacement, is_retained: bool) -> Change {
        Change {
            within: Vec::new(),
            action,
            logical_id: "A".to_owned(),
            kind: kind.to_owned(),
            replacement,
            changed: Vec::new(),
            is_retained,
            physical_id: None,
            change_set: None,
            drift: None,
            ignored_drift: Vec::new(),
            properties: Vec::new(),
        }
    }

    #[test]
    fn what_loses_data() {
        let check = |action: Action, kind, replacement, is_retained, want| {
            let change = change(action, kind, replacement, is_retained);
            assert_eq!(change.loses_data(), want, "{change:?}");
        };
        check(Action::Remove, "AWS::DynamoDB::Table", Replacement::No, false, true);
        check(Action::Remove, "AWS::DynamoDB::Table", Replacement::No, true, false);
        check(Action::Modify, "AWS::S3::Bucket", Replacement::Yes, false, true);
        check(Action::Modify, "AWS::S3::Bucket", Replacement::Yes, true, true);
        check(Action::Modify, "AWS::RDS::DBInstance", Replacement::Perhaps, false, true);
        check(Action::Modify, "AWS::S3::Bucket", Replacement::No, false, false);
        check(Action::Remove, "AWS::SNS::Topic", Replacement::No, false, false);
        let unknown = || Action::Unknown("Transmute".to_owned());
        check(unknown(), "AWS::S3::Bucket", Replacement::No, false, false);
        check(unknown(), "AWS::S3::Bucket", Replacement::Unknown("Maybe".to_owned()), false, true);
    }
}
