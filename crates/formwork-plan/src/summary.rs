//! Counts of a plan.

use crate::change::{Action, ChangeKind, Data};
use crate::plan::Plan;

/// Number of resources per action; those of nested stacks included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// New resources.
    pub create: usize,
    /// Resources that are updated in place.
    pub update: usize,
    /// Resources that are replaced, moved ones included.
    pub replace: usize,
    /// Resources that may be replaced.
    pub may_replace: usize,
    /// Resources that are deleted.
    pub delete: usize,
    /// Resources that are created under some values.
    pub may_create: usize,
    /// Resources that are deleted under some values.
    pub may_delete: usize,
    /// Resources that are removed from the stack and kept in the account.
    pub orphan: usize,
    /// Resources whose data is or may be lost.
    pub data_lost: usize,
    /// Resources with broadened permissions.
    pub broadened: usize,
}

impl Summary {
    /// Counts the resources of a plan.
    pub fn of(plan: &Plan<'_, '_>) -> Summary {
        let mut summary = Summary::default();
        for (_, resource) in plan.resources() {
            match resource.action {
                Action::Create => summary.create += 1,
                Action::Update => summary.update += 1,
                Action::Replace => summary.replace += 1,
                Action::MayReplace => summary.may_replace += 1,
                Action::Delete => summary.delete += 1,
                Action::MayCreate => summary.may_create += 1,
                Action::MayDelete => summary.may_delete += 1,
                Action::Orphan => summary.orphan += 1,
                Action::None => {}
            }
            summary.data_lost += usize::from(resource.possible().any(|one| one.data == Data::Lost));
            summary.broadened += usize::from(!resource.grants.is_empty());
        }
        summary
    }

    /// Returns the counts by their names in JSON.
    pub fn counts(self) -> [(&'static str, usize); 10] {
        [
            ("create", self.create),
            ("update", self.update),
            ("replace", self.replace),
            ("may-replace", self.may_replace),
            ("delete", self.delete),
            ("may-create", self.may_create),
            ("may-delete", self.may_delete),
            ("orphan", self.orphan),
            ("data-lost", self.data_lost),
            ("broadened", self.broadened),
        ]
    }

    /// Describes the counts in words, the worst first, without those that are zero.
    pub fn words(self) -> String {
        let words = [
            (self.replace, "to replace"),
            (self.may_replace, "that may be replaced"),
            (self.delete, "to delete"),
            (self.may_delete, "that may be deleted"),
            (self.orphan, "to leave behind"),
            (self.update, "to change"),
            (self.create, "to create"),
            (self.may_create, "that may be created"),
        ];
        words
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Returns the number of changes of each kind, by their names in JSON.
pub(crate) fn kinds(plan: &Plan<'_, '_>) -> [(&'static str, usize); 6] {
    let kinds = [
        ChangeKind::Added,
        ChangeKind::Removed,
        ChangeKind::Changed,
        ChangeKind::Moved,
        ChangeKind::LikelyMoved,
        ChangeKind::OrderOnly,
    ];
    kinds.map(|kind| (kind.name(), plan.changes.iter().filter(|change| change.kind == kind).count()))
}
