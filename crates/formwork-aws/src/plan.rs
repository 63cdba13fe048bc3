//! Plans the calls for queries: none is made twice.

use formwork_evaluate::AccountQuery;
use indexmap::IndexSet;

use crate::aws_error::AwsError;
use crate::kinds::{IMAGE, PARAMETER_NAME, all_kinds};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    Caller,
    All(&'static str),
    /// Images: those of the account, if `all`, and the ones in `named`.
    Images {
        all: bool,
        named: Vec<String>,
    },
    /// Names of SSM parameters: all of them, if `all`, otherwise those of `named` that exist.
    ParameterNames {
        all: bool,
        named: Vec<String>,
    },
    Stored(Vec<String>),
    Exports,
}

/// The tasks of a run, in the order of the answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Plan {
    pub(crate) tasks: Vec<Task>,
}

impl Plan {
    /// Returns the calls that answer `queries`, and errors for the queries that no call answers.
    pub(crate) fn new(queries: &[AccountQuery]) -> (Plan, Vec<AwsError>) {
        let mut kinds: IndexSet<&str> = IndexSet::new();
        let (mut images, mut names, mut stored) = (IndexSet::new(), IndexSet::new(), IndexSet::new());
        let (mut caller, mut exports) = (false, false);
        for query in queries {
            match query {
                AccountQuery::Caller => caller = true,
                AccountQuery::Export { .. } => exports = true,
                AccountQuery::Stored { name } => drop(stored.insert(name.clone())),
                AccountQuery::Values { kind, values } if kind == IMAGE => images.extend(values.iter().cloned()),
                AccountQuery::Values { kind, values } if kind == PARAMETER_NAME => names.extend(values.iter().cloned()),
                // A listing of another type is short, and contains every value that exists.
                AccountQuery::All { kind } | AccountQuery::Values { kind, .. } => drop(kinds.insert(kind)),
            }
        }
        let mut plan = Plan::default();
        if caller {
            plan.tasks.push(Task::Caller);
        }
        for kind in all_kinds() {
            let all = kinds.shift_remove(kind);
            let task = match kind {
                IMAGE => Task::Images { all, named: images.drain(..).collect() },
                PARAMETER_NAME => Task::ParameterNames { all, named: names.drain(..).collect() },
                kind => Task::All(kind),
            };
            let is_needed = match &task {
                Task::Images { named, .. } | Task::ParameterNames { named, .. } => all || !named.is_empty(),
                _ => all,
            };
            if is_needed {
                plan.tasks.push(task);
            }
        }
        if !stored.is_empty() {
            plan.tasks.push(Task::Stored(stored.into_iter().collect()));
        }
        if exports {
            plan.tasks.push(Task::Exports);
        }
        (plan, kinds.into_iter().map(AwsError::unlisted).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(kind: &str, value: &str) -> AccountQuery {
        AccountQuery::Values { kind: kind.to_owned(), values: vec![value.to_owned()] }
    }

    #[test]
    fn questions_are_joined() {
        let all = |kind: &str| AccountQuery::All { kind: kind.to_owned() };
        let stored = |name: &str| AccountQuery::Stored { name: name.to_owned() };
        let (plan, errors) = Plan::new(&[
            AccountQuery::Export { name: "a".to_owned() },
            stored("/a"),
            all("AWS::EC2::VPC::Id"),
            values("AWS::EC2::VPC::Id", "vpc-1"),
            values(IMAGE, "ami-1"),
            values(IMAGE, "ami-2"),
            values(IMAGE, "ami-1"),
            all("AWS::None::Such"),
            stored("/a"),
            AccountQuery::Caller,
            AccountQuery::Export { name: "b".to_owned() },
            all("AWS::EC2::AvailabilityZone::Name"),
        ]);
        assert_eq!(
            plan.tasks,
            [
                Task::Caller,
                Task::All("AWS::EC2::AvailabilityZone::Name"),
                Task::Images { all: false, named: vec!["ami-1".to_owned(), "ami-2".to_owned()] },
                Task::All("AWS::EC2::VPC::Id"),
                Task::Stored(vec!["/a".to_owned()]),
                Task::Exports,
            ]
        );
        assert_eq!(errors, [AwsError::unlisted("AWS::None::Such")]);
    }
}
