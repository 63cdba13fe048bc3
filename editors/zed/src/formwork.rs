//! Starts `formwork lsp` in Zed: the program of the settings (`lsp.formwork.binary.path`), else the one on the `PATH`. Nothing is
//! downloaded.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Formwork;

impl zed::Extension for Formwork {
    fn new() -> Self {
        Formwork
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let path = binary.as_ref().and_then(|binary| binary.path.clone());
        let command = path.or_else(|| worktree.which("formwork")).ok_or("formwork is not on the PATH")?;
        let args = binary.and_then(|binary| binary.arguments).unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }
}

zed::register_extension!(Formwork);
