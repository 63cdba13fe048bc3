//! The stack of a command and its account, from the arguments, otherwise from samconfig.toml.

use std::path::Path;

use formwork_aws::Settings;
use formwork_project::{Config, Failure};
use formwork_run::inputs;
use formwork_run::service_names::check_stack;

use super::AccountArgs;

/// The stack of a command, and its account.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name or ARN; `None` when neither the arguments nor the configuration set it.
    stack: Option<String>,
    /// Access to the account.
    pub settings: Settings,
}

impl Target {
    /// Merges the command line with the section of samconfig.toml for a command. The file is next to `template` or in
    /// the working directory.
    ///
    /// # Errors
    /// When the name cannot be that of a stack, or the file cannot be used.
    pub fn new(
        command: &str,
        named: Option<&str>,
        template: Option<&Path>,
        args: &AccountArgs,
    ) -> Result<Target, Failure> {
        let directory = template.map_or(Path::new("."), inputs::folder);
        let section = Config::of_folder(directory, command, &args.config.choice())?;
        let stack = named.map(str::to_owned).or_else(|| section.text("stack_name")).filter(|name| !name.is_empty());
        if let Some(name) = &stack {
            check_stack(name)?;
        }
        let region = args.region.clone().or_else(|| stack.as_deref().and_then(region_of));
        let region = region.or_else(|| section.text("region"));
        let profile = args.aws.profile.is_none().then(|| section.text("profile")).flatten();
        let settings = args.aws.settings(region, profile)?;
        let settings = Settings { region: formwork_aws::configured_region(&settings), ..settings };
        Ok(Target { stack, settings })
    }

    /// Returns `true` if a stack is named.
    pub fn has_stack(&self) -> bool {
        self.stack.is_some()
    }

    /// Returns the name or ARN of the stack.
    ///
    /// # Errors
    /// When no stack is named.
    pub fn stack(&self) -> Result<&str, String> {
        self.stack.as_deref().ok_or_else(|| {
            "the stack has no name\n  help: write it behind the command, or set stack_name in samconfig.toml".to_owned()
        })
    }
}

fn region_of(stack: &str) -> Option<String> {
    let mut parts = stack.split(':');
    (parts.next() == Some("arn")).then(|| parts.nth(2)).flatten().filter(|part| !part.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_has_a_region() {
        let region = |stack| region_of(stack);
        assert_eq!(region("arn:aws:cloudformation:eu-west-1:1:stack/shop/x").as_deref(), Some("eu-west-1"));
        assert_eq!((region("shop"), region("arn:aws:cloudformation"), region("arn:aws:x::1:y")), (None, None, None));
    }
}
