//! What a template is compiled for.

use formwork_rules::Command;

/// What a template is compiled to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A plain template that any tool and the service accept, with references to its parameters.
    Expand,
    /// What would be deployed with the given values.
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
    /// is rewritten (see [`crate::Packaging`]).
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

    pub(crate) fn command(self) -> Command {
        match self {
            Goal::Expand | Goal::Package => Command::Expand,
            Goal::Resolve => Command::Resolve,
            Goal::Check => Command::Check,
            Goal::Deploy => Command::Deploy,
            Goal::Rules => Command::Rules,
            Goal::Solve => Command::Solve,
        }
    }
}
