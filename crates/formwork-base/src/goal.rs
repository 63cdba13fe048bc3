//! What a template is compiled for.

/// What a template is compiled to. The severity of a finding for each is in
/// [`Severities`](crate::Severities).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A plain template that any tool and CloudFormation accept, with references to its parameters.
    Expand,
    /// What would be deployed with the values of the run.
    Resolve,
    /// Every problem, and no template.
    Check,
    /// Every problem that keeps a template from being deployed, and no template.
    Deploy,
    /// Parameter values and rules alone, and no template.
    Rules,
    /// Rules, for values that are looked for: parameters need none.
    Solve,
    /// What packaging asks for: expanded to see every iteration, while the template as written is what
    /// is rewritten.
    Package,
}

impl Goal {
    /// Its name in reports.
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

    /// Whether structure and quotas are looked at in all that a template may become, whatever its
    /// conditions decide.
    pub fn is_thorough(self) -> bool {
        matches!(self, Goal::Check | Goal::Deploy)
    }

    /// Whether the result is a template for any values: parameters are kept unless the options override it,
    /// and the Rules section is not evaluated.
    pub fn is_for_any_values(self) -> bool {
        matches!(self, Goal::Expand | Goal::Package)
    }

    /// Whether only parameters and rules are looked at.
    pub fn is_of_rules(self) -> bool {
        matches!(self, Goal::Rules | Goal::Solve)
    }

    /// Whether the template as written is what is rewritten, with its includes and loops.
    pub fn keeps_constructs(self) -> bool {
        self == Goal::Package
    }
}
