//! Questions about an account.

/// Something about the account that a run would have used and did not know. A driver finds the
/// answers, as an account snapshot (reference/account-data.md#queries), and runs again: evaluation
/// itself never waits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccountQuery {
    /// The account's id and its partition.
    Caller,
    /// All values of an AWS-specific type, with their attributes.
    All {
        /// The type, such as `AWS::EC2::VPC::Id`.
        kind: String,
    },
    /// Whether these values of an AWS-specific type exist, with their attributes: the way to ask for
    /// images, of which nobody wants to list all.
    Values {
        /// The type, such as `AWS::EC2::Image::Id`.
        kind: String,
        /// The values.
        values: Vec<String>,
    },
    /// What an SSM parameter stores.
    Stored {
        /// Its name, which may end in `:version`.
        name: String,
    },
    /// The value of an export.
    Export {
        /// The name of the export.
        name: String,
    },
}
