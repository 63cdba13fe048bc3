//! Merges the arguments with `samconfig.toml`; arguments take precedence.

use std::path::{Path, PathBuf};

use formwork_project::Failure;
use formwork_run::build::{absolute, build_directory};
use formwork_run::default_template::{self, BUILD};
use formwork_run::host::shown;
use formwork_run::inputs;
use formwork_run::terminal::say_line;
use formwork_stacks::deploy::section;

use super::args::SyncArgs;
use crate::Scope;

pub(super) struct Wanted {
    pub(super) template: PathBuf,
    /// An absolute path.
    pub(super) directory: PathBuf,
    pub(super) watches: bool,
    /// Set when only code is pushed: the resources to push.
    pub(super) code: Option<Scope>,
}

impl Wanted {
    /// Merges the arguments with the configuration file.
    ///
    /// # Errors
    /// When they contradict each other, or the template is missing.
    pub(super) fn new(args: &SyncArgs) -> Result<Wanted, Failure> {
        let (template, directory) = template(args)?;
        let section = section(&args.deploy.inputs, &template, "sync")?;
        let is_code = args.sync.code || section.flag("code").unwrap_or(false);
        let scope = args.sync.scope.clone();
        if !is_code && scope != Scope::default() {
            return Err("--resource-id and --resource choose whose code is pushed: pass --code as well".into());
        }
        let change_set = &args.deploy.change_set;
        if change_set.no_execute {
            return Err("--no-execute deploys nothing: leave it out, or use `formwork deploy`".into());
        }
        if change_set.execute_change_set.is_some() {
            return Err("--execute-change-set executes a change set that exists: use `formwork deploy`".into());
        }
        if change_set.resources_to_import.is_some() {
            return Err("--resources-to-import changes nothing but what is imported: use `formwork deploy`".into());
        }
        if change_set.reverts_drift() {
            return Err("--revert-drift compares actual states: use `formwork deploy`".into());
        }
        let watches = args.sync.watches().or_else(|| section.flag("watch")).unwrap_or(false);
        if watches && change_set.change_set_name.is_some() {
            return Err("--change-set-name names one change set, and --watch makes several: leave one out".into());
        }
        Ok(Wanted { template, directory, watches, code: is_code.then_some(scope) })
    }
}

/// Returns the template to build, and its build directory. For a built template, that is the template it was built
/// from.
fn template(args: &SyncArgs) -> Result<(PathBuf, PathBuf), Failure> {
    let named = args.deploy.named();
    let folder = args.sync.build_dir.as_deref();
    let built = match named {
        Some(named) => {
            let real = |path: &Path| path.canonicalize().ok();
            let built = formwork_build::built_template(inputs::folder(named));
            built.filter(|built| real(&built.template).is_some_and(|path| real(named) == Some(path)))
        }
        None => formwork_build::built_template(folder.unwrap_or(Path::new(BUILD))),
    };
    if let Some(built) = built {
        let source = shown(&built.source);
        say_line(&format!("built template: {}, built from {}", built.template.display(), source.display()));
        if !source.is_file() {
            let (built, source) = (built.template.display(), source.display());
            return Err(format!("{source}, which {built} was built from, is not there: name a template").into());
        }
        return Ok((source, absolute(inputs::folder(&built.template))?));
    }
    let template = default_template::named_or_own(named)?;
    let directory = folder.map_or_else(|| inputs::folder(&template).join(BUILD), Path::to_owned);
    Ok((template, build_directory(&directory, None)?))
}
