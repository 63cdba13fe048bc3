//! Goals of a compilation.

/// The goal of a compilation. [`Severities`](crate::Severities) has the severity of a finding for each goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A plain template that any tool and CloudFormation accept, with references to its parameters.
    Expand,
    /// The template that would be deployed with the values of the run.
    Resolve,
    /// Every problem, and no template.
    Check,
    /// Every problem that keeps a template from being deployed, and no template.
    Deploy,
    /// Parameter values and rules only, and no template.
    Rules,
    /// Rules, for a search of parameter values: parameters need no value.
    Solve,
    /// Packaging: expands the template to see every iteration, and rewrites the template as written.
    Package,
}

impl Goal {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Expand => "expand",
            Goal::Resolve => "resolve",
            Goal::Check => "check",
            Goal::Deploy => "deploy",
            Goal::Rules => "rules check",
            Goal::Solve => "rules solve",
            Goal::Package => "package",
        }
    }

    /// Returns `true` when structure and quotas are checked in everything that a template may become, independent of
    /// its conditions.
    pub fn is_thorough(self) -> bool {
        matches!(self, Goal::Check | Goal::Deploy)
    }

    /// Returns `true` when the result is a template for any values: parameters are kept unless the options override it,
    /// and the `Rules` section is not evaluated.
    pub fn is_for_any_values(self) -> bool {
        matches!(self, Goal::Expand | Goal::Package)
    }

    /// Returns `true` when only parameters and rules are checked.
    pub fn is_of_rules(self) -> bool {
        matches!(self, Goal::Rules | Goal::Solve)
    }

    /// Returns `true` when the template as written is rewritten, with its includes and loops.
    pub fn keeps_constructs(self) -> bool {
        self == Goal::Package
    }
}
