//! Account data that is fetched while templates are analyzed: compile, query what was missing, compile again.
//!
//! A run never waits for data: it returns the missing queries (`Compilation::unanswered_queries`). [`Questions`] passes
//! them to an [`Account`], in three rounds at most and no query twice, and analyzes again with the answers as an
//! additional snapshot: one analysis, and one more for each round. The account of the program is `formwork_run::live`.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwork_evaluate::AccountQuery;

use crate::analysis::Analysis;
use crate::compilation::Compilation;
use crate::nested::{Nested, PathErrors};
use crate::options::{Options, SourceFile};
use crate::run::Observer;
use formwork_base::Goal;

/// An answer may lead to another query, such as from the name of a parameter to its value.
const ROUNDS: usize = 3;

/// A source of account data: AWS, or a replacement.
pub trait Account {
    /// The error when nothing can be queried.
    type Error;

    /// Answers queries. A value that cannot be fetched stays unknown.
    ///
    /// # Errors
    /// When nothing can be queried at all.
    fn ask(&mut self, queries: &[AccountQuery]) -> Result<(), Self::Error>;

    /// Returns all answers so far as an account snapshot; `None` without answers.
    fn snapshot(&self) -> Option<SourceFile>;

    /// Returns `true` if the answer to another query also answered this one.
    fn is_answered(&self, query: &AccountQuery) -> bool;
}

/// The queries of analyses to an account. None is sent twice, not even for another template.
#[derive(Debug)]
pub struct Questions<A> {
    /// The account that is queried.
    pub account: A,
    asked: BTreeSet<AccountQuery>,
}

impl<A: Account> Questions<A> {
    /// Creates the queries to an account; none was sent yet.
    pub fn new(account: A) -> Questions<A> {
        Questions { account, asked: BTreeSet::new() }
    }

    /// Returns `true` if no query was sent yet.
    pub fn is_idle(&self) -> bool {
        self.asked.is_empty()
    }

    /// Forgets the queries that were sent, for use with another account.
    pub fn clear(&mut self) {
        self.asked.clear();
    }

    /// Sends the queries that were not sent yet. Returns `false` if all of them were.
    ///
    /// # Errors
    /// When nothing can be queried at all.
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

    /// Compiles for a goal until no more missing data can be fetched. Returns the analysis with all answers: it takes
    /// one analysis, and one more for each round of answers.
    ///
    /// # Errors
    /// When nothing can be queried at all.
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

    /// Compiles the local nested templates of a template until no more missing data can be fetched. `root` is the
    /// template, compiled for the same goal. Afterwards `analysis` has all answers.
    ///
    /// # Errors
    /// When nothing can be queried at all.
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

fn known_to<'h>(analysis: &Analysis<'h>, answers: SourceFile) -> Analysis<'h> {
    let options = Options { live_account: Some(answers), ..analysis.options().clone() };
    analysis.with_options(options)
}
