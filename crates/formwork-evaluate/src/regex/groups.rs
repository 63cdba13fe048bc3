//! References of regular expressions to their groups, of which the engine cannot run all.

use fancy_regex::Expr;

/// What an expression does with groups.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct GroupUse {
    /// It refers to a group inside of that group, where the engine would end in a panic.
    refers_to_open_group: bool,
    /// It refers to a group that does not exist, where a condition would make the engine panic.
    refers_to_missing_group: bool,
    /// It refers to a group that is repeated, optional or looked for: languages differ in what such a group holds after
    /// it was left without a match.
    refers_to_inner_group: bool,
    /// It runs groups as subroutines, or has another feature of Perl and Oniguruma that Java and Python do not have.
    is_program: bool,
}

impl GroupUse {
    /// Whether the engine runs the expression as other languages do.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn check(self) -> Result<(), String> {
        let why = match self {
            GroupUse { is_program: true, .. } => "it runs groups as subroutines",
            GroupUse { refers_to_missing_group: true, .. } => "it refers to a group that does not exist",
            GroupUse { refers_to_open_group: true, .. } | GroupUse { refers_to_inner_group: true, .. } => {
                "a reference to a group that is repeated or looked for is not supported"
            }
            _ => return Ok(()),
        };
        Err(why.to_owned())
    }

    /// That of an expression. Of one that the engine does not read, nothing.
    pub(super) fn of(pattern: &str) -> GroupUse {
        let Ok(tree) = Expr::parse_tree(pattern) else { return GroupUse::default() };
        let mut walk =
            Walk { found: GroupUse::default(), open: Vec::new(), inner: Vec::new(), referred: Vec::new(), groups: 0 };
        walk.found.is_program = tree.contains_subroutines;
        walk.expression(&tree.expr, false);
        walk.found.refers_to_inner_group = walk.referred.iter().any(|group| walk.inner.contains(group));
        walk.found.refers_to_missing_group = walk.referred.iter().any(|&group| group > walk.groups);
        walk.found
    }
}

struct Walk {
    found: GroupUse,
    groups: usize,
    open: Vec<usize>,
    inner: Vec<usize>,
    referred: Vec<usize>,
}

impl Walk {
    fn expression(&mut self, expression: &Expr, is_inner: bool) {
        match expression {
            Expr::Group(_) => {
                self.groups += 1;
                self.open.push(self.groups);
                if is_inner {
                    self.inner.push(self.groups);
                }
            }
            Expr::Backref { group, .. } | Expr::BackrefExistsCondition { group, .. } => {
                self.found.refers_to_open_group |= self.open.contains(group);
                self.referred.push(*group);
            }
            Expr::BackrefWithRelativeRecursionLevel { .. }
            | Expr::SubroutineCall(_)
            | Expr::KeepOut
            | Expr::BacktrackingControlVerb(_)
            | Expr::Absent(_)
            | Expr::DefineGroup { .. } => self.found.is_program = true,
            _ => {}
        }
        let is_inner = is_inner || !matches!(expression, Expr::Concat(_) | Expr::Alt(_) | Expr::Group(_));
        for child in expression.children_iter() {
            self.expression(child, is_inner);
        }
        if matches!(expression, Expr::Group(_)) {
            self.open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let of = |pattern| {
            let GroupUse { refers_to_open_group, refers_to_inner_group, is_program, .. } = GroupUse::of(pattern);
            (refers_to_open_group, refers_to_inner_group, is_program)
        };
        for pattern in ["", "(", "(a)", "(a)(?:b)", r"(a)b\1", r"(?<n>a)\k<n>", "((a)+)*", r"((a))\2", r"(a)|b\1"] {
            assert_eq!(of(pattern), (false, false, false), "{pattern}");
        }
        for pattern in [r"(a)*\1", r"((a)+)\2", r"(?:(a))?\1", r"(?=(a))\1", r"(?>(a))\1"] {
            assert_eq!(of(pattern), (false, true, false), "{pattern}");
        }
        for pattern in [r"(a\1)+", r"(#(\2?)){1,3}", r"(?<n>a(?:b\k<n>)?)*"] {
            assert!(GroupUse::of(pattern).refers_to_open_group, "{pattern}");
        }
        for pattern in ["(?(1))", "(a)(?(2)b|c)"] {
            assert!(GroupUse::of(pattern).refers_to_missing_group, "{pattern}");
        }
        for pattern in [r"(a)\g<1>", r"a\Kb", "(?~a)", "a(*FAIL)"] {
            assert!(GroupUse::of(pattern).is_program, "{pattern}");
        }
    }
}
