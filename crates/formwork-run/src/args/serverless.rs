//! Who runs the serverless transform: arguments of commands that make a template.

use clap::Args;
use formwork::Serverless;

/// Who runs the transform `AWS::Serverless-2016-10-31`.
#[derive(Clone, Copy, Default, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ServerlessArgs {
    /// Run the serverless transform here, so that the result has plain resources only.
    #[arg(long, overrides_with = "no_serverless")]
    pub serverless: bool,
    /// Leave the serverless transform to CloudFormation, even if formwork.toml sets `serverless`.
    #[arg(long, overrides_with = "serverless")]
    pub no_serverless: bool,
}

impl ServerlessArgs {
    /// Returns the use of the transform.
    pub fn choice(self) -> Serverless {
        if self.serverless { Serverless::Output } else { Serverless::Kept }
    }
}
