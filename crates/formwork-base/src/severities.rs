//! The one table of severities by goal (reference/diagnostics.md#severity). Each code has a row, from which the table
//! on its page is generated.

use crate::{Goal, Severity};

/// A row of the table: the severity of a finding for each goal. A code has the row of its most frequent finding; a
/// check uses another row for something else that it reports with the same code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severities {
    /// An error for every goal: the template has no meaning, or no certain one.
    Error,
    /// A warning for every goal.
    Warning,
    /// A note for every goal.
    Note,
    /// CloudFormation rejects the template as it is written. A goal that expands to another template only warns, since
    /// other tools may complete it.
    Written,
    /// The result exceeds what CloudFormation accepts.
    Result,
    /// A key is lost without a report of CloudFormation.
    LostKey,
    /// An included file is missing. `expand` keeps the call and only warns, since another tool may have the file.
    Included,
    /// A finding that depends on values: conditions, constraints, the account, rules.
    Valued,
    /// A doubt that depends on values alone.
    ValuedDoubt,
    /// A value that has no effect, for a parameter that is not declared and not sent.
    Undeclared,
    /// A missing value that a function to be evaluated needs, or a deployment.
    Unset,
    /// A parameter without value, where only values are checked.
    Required,
    /// A missing value where a construct has to be expanded. A check reports what it skipped.
    Unchecked,
    /// An error that is looked for in everything that a template may become.
    Thorough,
    /// A warning that is looked for in everything that a template may become.
    ThoroughDoubt,
    /// A case in which CloudFormation may differ; by itself a note.
    Otherwise,
    /// Something missing that only the deployment may add.
    Undeployable,
    /// Advice of a check that no other command reports.
    Advice,
    /// A note of `check`, which no other command reports.
    Remark,
    /// An error between the templates of a check.
    Between,
    /// A warning between the templates of a check.
    BetweenDoubt,
    /// A size near to or above a bound, known when the template is written.
    Size,
    /// A description of the written template.
    Output,
    /// An error of packaging.
    Packaging,
    /// A warning of packaging.
    PackagingDoubt,
    /// An error of a query of a result.
    Question,
    /// An error that CloudFormation reports of a deployment.
    Deployment,
    /// A warning that CloudFormation reports of a deployment.
    DeploymentDoubt,
    /// A warning of a comparison of two templates.
    Compared,
    /// A note of a comparison of two templates.
    ComparedRemark,
}

type Cell = Option<Severity>;
const E: Cell = Some(Severity::Error);
const W: Cell = Some(Severity::Warning);
const N: Cell = Some(Severity::Note);
/// Not reported.
const O: Cell = None;

impl Severities {
    /// Returns a row of the table: the severity by itself, and for each goal.
    #[rustfmt::skip]
    const fn row(self) -> (Severity, [Cell; 7]) {
        use Severity::{Error, Note, Warning};
        match self {
            //                                         expand resolve check deploy rules solve package
            Severities::Error          => (Error,   [    E,     E,     E,     E,     E,    E,     E]),
            Severities::Warning        => (Warning, [    W,     W,     W,     W,     W,    W,     W]),
            Severities::Note           => (Note,    [    N,     N,     N,     N,     N,    N,     N]),
            Severities::Written        => (Error,   [    W,     E,     E,     E,     E,    E,     W]),
            Severities::Result         => (Error,   [    W,     W,     E,     E,     E,    E,     W]),
            Severities::LostKey        => (Warning, [    W,     W,     E,     W,     W,    W,     W]),
            Severities::Included       => (Error,   [    W,     E,     E,     E,     E,    E,     E]),
            Severities::Valued         => (Error,   [    O,     E,     E,     E,     E,    E,     O]),
            Severities::ValuedDoubt    => (Warning, [    O,     W,     W,     W,     W,    W,     O]),
            Severities::Undeclared     => (Warning, [    W,     W,     E,     W,     E,    E,     W]),
            Severities::Unset          => (Error,   [    E,     O,     O,     E,     E,    O,     E]),
            Severities::Required       => (Error,   [    O,     O,     O,     O,     E,    O,     O]),
            Severities::Unchecked      => (Error,   [    E,     E,     W,     E,     E,    E,     E]),
            Severities::Thorough       => (Error,   [    O,     O,     E,     E,     O,    O,     O]),
            Severities::ThoroughDoubt  => (Warning, [    O,     O,     W,     W,     O,    O,     O]),
            Severities::Otherwise      => (Note,    [    O,     O,     W,     W,     O,    O,     O]),
            Severities::Undeployable   => (Error,   [    O,     O,     W,     E,     O,    O,     O]),
            Severities::Advice         => (Warning, [    O,     O,     W,     O,     O,    O,     O]),
            Severities::Remark         => (Note,    [    O,     O,     N,     O,     O,    O,     O]),
            Severities::Between        => (Error,   [    O,     O,     E,     O,     O,    O,     O]),
            Severities::BetweenDoubt   => (Warning, [    O,     O,     W,     O,     O,    O,     O]),
            Severities::Size           => (Error,   [    O,     O,     W,     O,     O,    O,     O]),
            Severities::Output         => (Note,    [    N,     O,     O,     O,     O,    O,     O]),
            Severities::Packaging      => (Error,   [    O,     O,     O,     O,     O,    O,     E]),
            Severities::PackagingDoubt => (Warning, [    O,     O,     O,     O,     O,    O,     W]),
            Severities::Question       => (Error,   [    O,     O,     O,     O,     O,    O,     O]),
            Severities::Deployment     => (Error,   [    O,     O,     O,     O,     O,    O,     O]),
            Severities::DeploymentDoubt => (Warning, [   O,     O,     O,     O,     O,    O,     O]),
            Severities::Compared       => (Warning, [    O,     O,     O,     O,     O,    O,     O]),
            Severities::ComparedRemark => (Note,    [    O,     O,     O,     O,     O,    O,     O]),
        }
    }

    /// Returns `true` for what the check of a single template does not know.
    pub fn is_between(self) -> bool {
        matches!(self, Severities::Between | Severities::BetweenDoubt)
    }

    /// Returns the severity for a goal; `None` when nothing is reported.
    pub fn at(self, goal: Goal) -> Option<Severity> {
        let column = match goal {
            Goal::Expand => 0,
            Goal::Resolve => 1,
            Goal::Check => 2,
            Goal::Deploy => 3,
            Goal::Rules => 4,
            Goal::Solve => 5,
            Goal::Package => 6,
        };
        self.row().1[column]
    }

    /// Returns the severity for a goal of a finding that is reported in any case.
    pub fn told(self, goal: Goal) -> Severity {
        self.at(goal).unwrap_or(self.by_itself())
    }

    /// Returns the severity where the goal does not matter.
    pub const fn by_itself(self) -> Severity {
        self.row().0
    }

    /// Returns the table on the page of a code, as Markdown.
    pub(crate) fn table(self) -> String {
        let cells = [Goal::Expand, Goal::Resolve, Goal::Check].map(|goal| self.at(goal).map_or("-", Severity::name));
        format!("| `expand` | `resolve` | `check` |\n|---|---|---|\n| {} |\n", cells.join(" | "))
    }
}
