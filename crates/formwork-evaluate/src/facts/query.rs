//! Queries for account data.

/// Account data that a run would have used and did not know. A driver fetches it as an account snapshot
/// (reference/account-data.md#queries), and runs again: evaluation itself never waits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccountQuery {
    /// The account's ID and its partition.
    Caller,
    /// All values of an AWS-specific type, with their attributes.
    All {
        /// The type, such as `AWS::EC2::VPC::Id`.
        kind: String,
    },
    /// Existence and attributes of these values of an AWS-specific type; used for images, which are too many to list.
    Values {
        /// The type, such as `AWS::EC2::Image::Id`.
        kind: String,
        /// The values.
        values: Vec<String>,
    },
    /// The value of an SSM parameter.
    Stored {
        /// Name of the parameter, which may end in `:version`.
        name: String,
    },
    /// The value of an export.
    Export {
        /// Name of the export.
        name: String,
    },
}
