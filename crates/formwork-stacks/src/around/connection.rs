//! The connection of commands around a stack to CloudFormation. Errors of calls are printed here.

use formwork_aws::Settings;
use formwork_deploy::{DeployError, PollIntervals, Service, Stack};
use formwork_report::{Notice, printable};
use formwork_run::Status;

use crate::refusal;
use crate::reporter::DeployReporter;
use crate::retries::Retries;

/// CloudFormation in one account and Region, with the reporter of its errors.
pub struct Connection<'s, 'r> {
    /// Client of CloudFormation.
    pub service: Service,
    /// Prints the errors.
    pub reporter: &'s mut DeployReporter<'r>,
}

impl<'s, 'r> Connection<'s, 'r> {
    /// Resolves Region and credentials. Nothing is sent yet.
    ///
    /// # Errors
    /// When one of them is missing, with the exit status of the program.
    pub fn open(
        settings: &Settings,
        intervals: PollIntervals,
        reporter: &'s mut DeployReporter<'r>,
    ) -> Result<Connection<'s, 'r>, Status> {
        match Service::open(settings, intervals) {
            Ok(service) => Ok(Connection { service, reporter }),
            Err(error) => {
                reporter.print(&refusal::of_aws_error(&error), None);
                Err(refusal::status_of_aws_error(&error))
            }
        }
    }

    /// Returns a stack. A deleted stack is found by its ARN.
    ///
    /// # Errors
    /// When the stack does not exist or cannot be described, with the exit status of the program.
    pub fn stack(&mut self, name: &str) -> Result<Stack, Status> {
        match self.service.find_stack(name, &mut Retries(self.reporter)) {
            Ok(Some(stack)) => Ok(stack),
            Ok(None) => {
                self.absent(name);
                Err(Status::Errors)
            }
            Err(error) => Err(self.refused(&error, name)),
        }
    }

    /// Prints why a call failed, and returns the exit status of the program.
    pub fn refused(&mut self, error: &DeployError, stack: &str) -> Status {
        self.reporter.print(&refusal::of(error, stack), None);
        refusal::status_of(error)
    }

    fn absent(&mut self, name: &str) {
        let account = self.service.account().map_or_else(String::new, |account| format!(", account {account}"));
        let region = self.service.region();
        let notice = Notice::error(format!(
            "`Stack with id {} does not exist` in {region}{}",
            printable(name),
            printable(&account)
        ));
        let notice = if name.starts_with("arn:") {
            notice
        } else {
            notice.help("look at the Region and the profile; a stack that was deleted is found by its ARN alone")
        };
        self.reporter.print(&notice, None);
    }
}
