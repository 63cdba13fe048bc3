//! Account data that is found out while templates are analyzed: compile, ask for what was missing, compile again.
//!
//! A run never waits for data: it returns the missing queries (`Compilation::unanswered_queries`). [`Questions`] asks
//! an [`Account`] for them, three rounds at most and no query twice, and analyzes again with the answers as one more
//! snapshot: one analysis, and one more for each round. The account of the program is `formwork_run::live`.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwork_evaluate::AccountQuery;

use crate::analysis::Analysis;
use crate::compilation::Compilation;
use crate::nested::{Nested, PathErrors};
use crate::options::{Options, SourceFile};
use crate::run::Observer;
use formwork_base::Goal;

/// A fact may lead to the question for another one, such as the name of a parameter to its value.
const ROUNDS: usize = 3;

/// A source of account data: AWS, or a replacement.
pub trait Account {
    /// Why nothing can be asked.
    type Error;

    /// Finds answers to questions. What cannot be found out stays unknown.
    ///
    /// # Errors
    /// When nothing can be asked at all.
    fn ask(&mut self, queries: &[AccountQuery]) -> Result<(), Self::Error>;

    /// All answers so far as an account snapshot; `None` without answers.
    fn snapshot(&self) -> Option<SourceFile>;

    /// Whether an answer to another question answered this one, too.
    fn is_answered(&self, query: &AccountQuery) -> bool;
}

/// The questions that analyses ask of an account: none is asked twice, also not for another template.
#[derive(Debug)]
pub struct Questions<A> {
    /// Who is asked.
    pub account: A,
    asked: BTreeSet<AccountQuery>,
}

impl<A: Account> Questions<A> {
    /// No question was asked yet.
    pub fn new(account: A) -> Questions<A> {
        Questions { account, asked: BTreeSet::new() }
    }

    /// Whether nothing was asked yet.
    pub fn is_idle(&self) -> bool {
        self.asked.is_empty()
    }

    /// Forgets what was asked: another account is asked from now on.
    pub fn clear(&mut self) {
        self.asked.clear();
    }

    /// Asks what is open of these questions. False when nothing is.
    ///
    /// # Errors
    /// When nothing can be asked at all.
    pub fn ask(&mut self, queries: impl IntoIterator<Item = AccountQuery>) -> Result<bool, A::Error> {
        let open = self.open(queries);
        if open.is_empty() {
            return Ok(false);
        }
        self.ask_all(open)?;
        Ok(true)
    }

    fn open(&self, queries: impl IntoIterator<Item = AccountQuery>) -> Vec<AccountQuery> {
        let is_open = |query: &AccountQuery| !self.asked.contains(query) && !self.account.is_answered(query);
        queries.into_iter().filter(is_open).collect()
    }

    fn ask_all(&mut self, open: Vec<AccountQuery>) -> Result<(), A::Error> {
        self.account.ask(&open)?;
        self.asked.extend(open);
        Ok(())
    }

    /// Compiles for a goal until nothing is missing that can be found out, and returns the analysis that knows
    /// it: one analysis, and one more for each round of answers.
    ///
    /// # Errors
    /// When nothing can be asked at all.
    pub fn complete<'h>(
        &mut self,
        mut analysis: Analysis<'h>,
        goal: Goal,
        observer: Observer<'_>,
    ) -> Result<Analysis<'h>, A::Error> {
        if let Some(known) = self.account.snapshot() {
            analysis = known_to(&analysis, known);
        }
        for _round in 0..ROUNDS {
            let missing = analysis.compile_observed(goal, observer).unanswered_queries();
            let open = self.open(missing);
            if open.is_empty() {
                return Ok(analysis);
            }
            observer("account");
            self.ask_all(open)?;
            if let Some(known) = self.account.snapshot() {
                analysis = known_to(&analysis, known);
            }
        }
        analysis.compile_observed(goal, observer);
        Ok(analysis)
    }

    /// Compiles the local nested templates of a template until nothing is missing in them that can be found out.
    /// `root` is the template, compiled for the same goal. Afterwards `analysis` knows all answers.
    ///
    /// # Errors
    /// When nothing can be asked at all.
    pub fn complete_nested(
        &mut self,
        analysis: &mut Analysis<'_>,
        root: &Arc<Compilation>,
        goal: Goal,
        path_errors: PathErrors,
    ) -> Result<Nested, A::Error> {
        loop {
            let nested = analysis.session().compile_nested(root, goal, path_errors);
            let missing = nested.reports.iter().flat_map(|nested| nested.compilation().unanswered_queries());
            if !self.ask(missing)? {
                return Ok(nested);
            }
            if let Some(known) = self.account.snapshot() {
                *analysis = known_to(analysis, known);
            }
        }
    }
}

/// The same analysis with answers.
fn known_to<'h>(analysis: &Analysis<'h>, answers: SourceFile) -> Analysis<'h> {
    let options = Options { live_account: Some(answers), ..analysis.options().clone() };
    analysis.with_options(options)
}
