//! The steps of a deployment from the change set on.

use std::collections::HashMap;

use formwork::Severity;
use formwork_deploy::{ChangeSet, Proposal, Proposed, Service, Stack, Stop};
use formwork_report::Remark;

use super::choices::Choices;
use super::events::Events;
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
            Err(stop) => Err(self.refused(&stop)),
            Ok(Proposed::Failed { reason, .. }) => {
                let remark = Remark::error(format!("`Failed to create changeset for the stack: {name}, {reason}`"));
                self.say_of_template(refusal::advised(remark, &reason), &reason);
                Err(End::With(Status::Errors))
            }
            Ok(Proposed::Empty { id, stack_id }) => {
                // That it stays would be in nobody's way.
                let _ = id.map(|id| self.service.discard(&id));
                self.voice.tell(&format!("No changes to deploy. Stack {name} is up to date"));
                outcome.stack_id = stack_id.or(outcome.stack_id);
                outcome.result = "no-changes";
                outcome.status = existing.map(|stack| stack.status.clone());
                if existing.is_some() {
                    outcome.outputs = self.outputs()?;
                }
                let fails = self.choices.fails_when_empty;
                Ok((outcome, if fails { Status::NothingToChange } else { Status::Done }))
            }
            Ok(Proposed::Ready(set)) => {
                changes::show(&set, self.voice, self.sources);
                outcome.stack_id = Some(set.stack_id.clone());
                outcome.result = "not-executed";
                if !self.is_wanted(&set)? {
                    self.voice.tell(&format!("The change set is left unexecuted: {}", set.id));
                    outcome.change_set = Some(set);
                    return Ok((outcome, Status::Done));
                }
                self.execute(set, proposal.is_create, outcome)
            }
        }
    }

    /// Whether the change set is to be executed.
    fn is_wanted(&mut self, set: &ChangeSet) -> Result<bool, End> {
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
                return Err(End::With(Status::Trouble));
            }
            self.voice.remark(&Remark::warning(message), None);
        } else if !self.choices.confirms {
            return Ok(true);
        }
        confirm::ask(self.service, "Deploy this change set?").map_err(|stop| {
            let (remark, status) = refusal::of(&stop, &self.choices.stack_name, None);
            self.voice.remark(&remark.because(format!("the change set is left unexecuted: {}", set.id)), None);
            End::With(status)
        })
    }

    fn execute(&mut self, set: ChangeSet, is_create: bool, mut outcome: Outcome) -> Result<(Outcome, Status), End> {
        let name = &self.choices.stack_name;
        let begun = self.service.execute(&set, is_create, self.choices.disables_rollback());
        let mut operation = begun.map_err(|stop| self.refused(&stop))?;
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let mut ended = self.service.watch(&mut operation, &mut events);
        let is_cancelled = ended == Err(Stop::Interrupted) && self.args.run.cancel_on_interrupt;
        if is_cancelled && is_create {
            self.voice.remark(&Remark::warning("the create of a stack cannot be cancelled"), None);
        } else if is_cancelled {
            self.voice.tell(&format!("The update of {name} is cancelled; Ctrl-C again to stop watching"));
            ended = match self.service.cancel(&operation.stack_id) {
                Ok(()) => self.service.watch(&mut operation, &mut events),
                Err(stop) => Err(stop),
            };
        }
        let ended = ended.map_err(|stop| {
            let (remark, status) = refusal::of(&stop, name, Some("the deployment"));
            self.voice.remark(&remark, None);
            End::With(status)
        })?;
        outcome.status = Some(ended.status.clone());
        outcome.change_set = Some(set);
        if ended.is_success {
            outcome.result = "deployed";
            self.voice.tell(&format!("Successfully created/updated stack {name} in {}", self.service.region()));
            outcome.outputs = self.outputs()?;
            return Ok((outcome, Status::Done));
        }
        outcome.result = "failed";
        if is_cancelled {
            outcome.result = "cancelled";
            let message = format!("the update of {name} was cancelled: the stack is in {}", ended.status);
            self.voice.remark(&Remark::warning(message), None);
            return Ok((outcome, Status::Interrupted));
        }
        let (remark, unit) = ending::failed(&ended, self.choices, self.paths, self.sources);
        let mut events = Events { voice: self.voice, sources: self.sources, paths: self.paths };
        let cleaned = ending::clean_up(&ended.status, &operation.stack_id, self.choices, self.service, &mut events);
        self.voice.remark(&remark, Some(self.sources.of_unit(unit)));
        if let Some(remark) = cleaned {
            self.voice.remark(&remark, None);
        }
        Ok((outcome, Status::Errors))
    }

    fn outputs(&mut self) -> Result<Vec<(String, String, Option<String>)>, End> {
        self.service.outputs(&self.choices.stack_name).map_err(|stop| self.refused(&stop))
    }

    /// Sets the policy of the stack.
    pub(super) fn set_policy(&mut self, policy: &str) -> Result<(), End> {
        self.service.set_policy(&self.choices.stack_name, policy).map_err(|stop| self.refused(&stop))
    }

    /// Says why a call failed, with the lines of the resources that the service names.
    fn refused(&mut self, stop: &Stop) -> End {
        let (remark, status) = refusal::of(stop, &self.choices.stack_name, None);
        let sentence = match stop {
            Stop::Failed { failure, .. } => failure.sentence().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.say_of_template(remark, &sentence);
        End::With(status)
    }

    fn say_of_template(&mut self, mut remark: Remark, sentence: &str) {
        let root = self.sources.root();
        if sentence.contains("Requires capabilities") {
            remark = capabilities::reasons(remark, root, sentence);
        } else if remark.severity == Severity::Error {
            for (id, origin) in places::named_in(sentence, root) {
                let words = if origin.items.is_empty() { id } else { format!("{id}: {}", origin.items) };
                remark = remark.at(origin.span, words);
            }
        }
        self.voice.remark(&remark, Some(root));
    }
}
