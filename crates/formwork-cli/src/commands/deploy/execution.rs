//! The steps of a deployment from the change set on.

use std::collections::HashMap;

use formwork::Severity;
use formwork_deploy::{ChangeSet, Proposal, Proposed, Service, Stack, Stop, Unproposed, Withdrawn};
use formwork_report::Remark;
use serde_json::json;

use super::choices::Choices;
use super::events::{self, Events};
use super::outcome::Outcome;
use super::places::{self, Sources};
use super::voice::Voice;
use super::{End, capabilities, changes, confirm, ending, refusal};
use crate::Status;
use crate::args::DeployArgs;

/// A deployment whose template and values are right.
pub(super) struct Run<'r, 'v> {
    pub(super) args: &'r DeployArgs,
    pub(super) choices: &'r Choices,
    pub(super) voice: &'r Voice<'v>,
    pub(super) service: &'r mut Service,
    pub(super) sources: &'r mut Sources,
    pub(super) paths: &'r mut HashMap<String, Vec<String>>,
    pub(super) is_stdin: bool,
}

impl Run<'_, '_> {
    /// Makes a change set, shows it, and executes it when that is wanted.
    pub(super) fn propose(&mut self, proposal: &Proposal, existing: Option<&Stack>) -> Result<(Outcome, Status), End> {
        let name = &self.choices.stack_name;
        let proposed = {
            let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
            self.service.propose(proposal, &mut events)
        };
        let mut outcome = Outcome {
            stack_name: name.clone(),
            stack_id: existing.map(|stack| stack.id.clone()),
            region: self.service.region().to_owned(),
            ..Outcome::default()
        };
        match proposed {
            Err(Unproposed { stop, change_set }) => Err(self.refused(&stop, change_set.as_deref(), outcome)),
            Ok(Proposed::Failed { id, reason }) => {
                let remark = Remark::error(format!("`Failed to create changeset for the stack: {name}, {reason}`"));
                let remark = self.withdraw(refusal::advised(remark, &reason), Some(&id));
                outcome.result = "refused";
                self.say_of_template(remark, &reason);
                Err(End::Stopped(Box::new(outcome), Status::Errors))
            }
            Ok(Proposed::Empty { id, stack_id }) => {
                // That it stays would be in nobody's way.
                let _ = id.and_then(|id| self.withdrawn(&id));
                self.voice.tell(&format!("No changes to deploy. Stack {name} is up to date"));
                outcome.stack_id = stack_id.or(outcome.stack_id);
                outcome.result = "no-changes";
                outcome.status = existing.map(|stack| stack.status.clone());
                if existing.is_some() {
                    outcome.outputs = self.outputs();
                }
                let fails = self.choices.fails_when_empty;
                Ok((outcome, if fails { Status::NothingToChange } else { Status::Done }))
            }
            Ok(Proposed::Ready(set)) => {
                changes::show(&set, self.voice, self.sources);
                outcome.stack_id = Some(set.stack_id.clone());
                outcome.result = "not-executed";
                if !self.is_wanted(&set, &mut outcome)? {
                    self.voice.tell(&format!("The change set is left unexecuted: {}", set.id));
                    outcome.change_set = Some(set);
                    return Ok((outcome, Status::Done));
                }
                self.execute(set, proposal.is_create, outcome)
            }
        }
    }

    /// Whether the change set is to be executed.
    fn is_wanted(&mut self, set: &ChangeSet, outcome: &mut Outcome) -> Result<bool, End> {
        if self.args.change_set.no_execute {
            return Ok(false);
        }
        if self.args.change_set.yes {
            return Ok(true);
        }
        let lost: Vec<String> = set.changes.iter().filter(|change| change.loses_data()).map(changes::name).collect();
        let can_ask = !self.is_stdin && confirm::can_ask();
        if !lost.is_empty() {
            let message = format!("data may be lost: {} would be replaced or deleted", lost.join(", "));
            if !can_ask {
                let remark = Remark::error(message)
                    .because(format!("the change set is left unexecuted: {}", set.id))
                    .help("give `--yes` if that is what you want");
                self.voice.remark(&remark, None);
                let mut outcome = std::mem::take(outcome);
                outcome.change_set = Some(set.clone());
                return Err(End::Stopped(Box::new(outcome), Status::Trouble));
            }
            self.voice.remark(&Remark::warning(message), None);
        } else if !self.choices.confirms {
            return Ok(true);
        }
        confirm::ask(self.service, "Deploy this change set?").map_err(|stop| {
            let (remark, status) = refusal::of(&stop, &self.choices.stack_name, None);
            let remark = remark.because(format!("the change set is left unexecuted: {}", set.id));
            self.voice.remark(&remark, None);
            let mut outcome = std::mem::take(outcome);
            outcome.result = refusal::result(&stop);
            outcome.change_set = Some(set.clone());
            End::Stopped(Box::new(outcome), status)
        })
    }

    fn execute(&mut self, set: ChangeSet, is_create: bool, mut outcome: Outcome) -> Result<(Outcome, Status), End> {
        let name = &self.choices.stack_name;
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let begun = self.service.execute(&set, is_create, self.choices.disables_rollback(), &mut events);
        let mut operation = match begun {
            Ok(operation) => operation,
            Err(stop) => return Err(self.not_executed(&stop, &set.id, outcome)),
        };
        let mut ended = self.service.watch(&mut operation, &mut events);
        let is_cancelled = ended == Err(Stop::Interrupted) && self.args.run.cancel_on_interrupt;
        if is_cancelled && is_create {
            self.voice.remark(&Remark::warning("the create of a stack cannot be cancelled"), None);
        } else if is_cancelled {
            self.voice.tell(&format!("The update of {name} is cancelled; Ctrl-C again to stop watching"));
            ended = match self.service.cancel(&operation.stack_id, &mut events) {
                Ok(()) => self.service.watch(&mut operation, &mut events),
                Err(stop) => Err(stop),
            };
        }
        outcome.change_set = Some(set);
        let ended = match ended {
            Ok(ended) => ended,
            Err(stop) => {
                let (remark, status) = refusal::of(&stop, name, Some("the deployment"));
                self.voice.remark(&remark, None);
                outcome.result = refusal::result(&stop);
                return Err(End::Stopped(Box::new(outcome), status));
            }
        };
        outcome.status = Some(ended.status.clone());
        if ended.is_success {
            outcome.result = "deployed";
            self.voice.tell(&format!("Successfully created/updated stack {name} in {}", self.service.region()));
            outcome.outputs = self.outputs();
            return Ok((outcome, Status::Done));
        }
        outcome.result = "failed";
        if is_cancelled {
            outcome.result = "cancelled";
            let message = format!("the update of {name} was cancelled: the stack is in {}", ended.status);
            self.voice.remark(&Remark::warning(message), None);
            return Ok((outcome, Status::Interrupted));
        }
        let (remark, unit) = ending::failed(&ended, self.choices, self.paths, self.sources, self.voice);
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let cleaned = ending::clean_up(&ended.status, &operation.stack_id, self.choices, self.service, &mut events);
        self.voice.remark(&remark, Some(self.sources.of_unit(unit)));
        if let Some(remark) = cleaned {
            self.voice.remark(&remark, None);
        }
        Ok((outcome, Status::Errors))
    }

    /// The outputs of the stack. What was asked for is done: that they cannot be read is a warning.
    fn outputs(&mut self) -> Vec<(String, String, Option<String>)> {
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        self.service.outputs(&self.choices.stack_name, &mut events).unwrap_or_else(|stop| {
            self.warn(&stop, "the outputs are not known");
            Vec::new()
        })
    }

    /// Sets the policy of the stack. What was asked for is done: that it cannot be set is a warning.
    pub(super) fn set_policy(&mut self, policy: &str) {
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        if let Err(stop) = self.service.set_policy(&self.choices.stack_name, policy, &mut events) {
            self.warn(&stop, "the stack policy is not set");
        }
    }

    /// Warns of something that went wrong behind a deployment that is done.
    fn warn(&self, stop: &Stop, what: &str) {
        let (remark, _) = refusal::of(stop, &self.choices.stack_name, None);
        let remark = Remark { severity: Severity::Warning, message: format!("{what}: {}", remark.message), ..remark };
        self.voice.remark(&remark.because(format!("the deployment of {} is done", self.choices.stack_name)), None);
    }

    /// Says why a call failed, and deletes a change set that nobody will execute.
    fn refused(&mut self, stop: &Stop, change_set: Option<&str>, outcome: Outcome) -> End {
        let (remark, status) = refusal::of(stop, &self.choices.stack_name, None);
        let remark = self.withdraw(remark, change_set);
        self.end(stop, remark, status, outcome)
    }

    /// Deletes a change set that nobody will execute, and says so.
    fn withdraw(&mut self, remark: Remark, change_set: Option<&str>) -> Remark {
        match change_set.and_then(|change_set| self.withdrawn(change_set)) {
            Some(withdrawn) => refusal::withdrawn(remark, &withdrawn),
            None => remark,
        }
    }

    /// Says why a change set was not executed, as far as that is known.
    fn not_executed(&mut self, stop: &Stop, change_set: &str, outcome: Outcome) -> End {
        let (remark, status) = refusal::of(stop, &self.choices.stack_name, None);
        let withdrawn = self.withdrawn(change_set);
        // One that could be deleted was not executed.
        if !refusal::is_open(stop) || withdrawn.as_ref().is_some_and(|withdrawn| withdrawn.left.is_none()) {
            let remark = withdrawn.iter().fold(remark, refusal::withdrawn);
            return self.end(stop, remark, status, outcome);
        }
        let remark = remark.because("it is not known whether the deployment has begun").help(
            "run the same command again with `--wait`: it waits for its end, and then finds what is left to change",
        );
        self.end(stop, remark, status, outcome)
    }

    /// Says why a step failed, with the lines of the resources that the service names.
    fn end(&mut self, stop: &Stop, remark: Remark, status: Status, mut outcome: Outcome) -> End {
        let sentence = match stop {
            Stop::Failed { failure, .. } => failure.sentence().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        outcome.result = refusal::result(stop);
        self.say_of_template(remark, &sentence);
        End::Stopped(Box::new(outcome), status)
    }

    fn withdrawn(&mut self, change_set: &str) -> Option<Withdrawn> {
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        self.service.withdraw(&self.choices.stack_name, change_set, &mut events)
    }

    fn say_of_template(&mut self, mut remark: Remark, sentence: &str) {
        let root = self.sources.root();
        if sentence.contains("Requires capabilities") {
            remark = capabilities::reasons(remark, root, sentence);
        } else if remark.severity == Severity::Error {
            for (id, origin) in places::named_in(sentence, root) {
                let failure = json!({"path": [], "logical_id": id, "reason": self.voice.mask(sentence)});
                self.voice.failed(events::with_source(failure, Some(&origin)));
                let words = if origin.items.is_empty() { id } else { format!("{id}: {}", origin.items) };
                remark = remark.at(origin.span, words);
            }
        }
        self.voice.remark(&remark, Some(root));
    }
}
