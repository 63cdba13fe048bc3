//! A template and its local nested templates, compiled for their problems.

use formwork::nested::PathErrors;
use formwork::{Compilation, Compiler, Stage};

use crate::inputs::Input;
use crate::live::Live;

/// Compiles a template and its local nested templates, the template first.
///
/// # Errors
/// When AWS is to be asked for account data and cannot be.
pub(crate) fn compile(live: &mut Live, mut input: Input, stage: Stage) -> Result<Vec<Compilation>, String> {
    let mut root = live.compile_with(&mut input, stage, None)?;
    let nested = of(live, &mut input, &mut root, stage, PathErrors::Reported)?;
    Ok(std::iter::once(root).chain(nested).collect())
}

/// Compiles the local nested templates of a template that was compiled with the same input; with `--live`,
/// until nothing is missing that can be found out.
///
/// # Errors
/// When AWS is to be asked for account data and cannot be.
pub(crate) fn of(
    live: &mut Live,
    input: &mut Input,
    root: &mut Compilation,
    stage: Stage,
    path_errors: PathErrors,
) -> Result<Vec<Compilation>, String> {
    loop {
        let compiler = Compiler::new(&input.host, input.options.clone());
        let nested = compiler.compile_nested(root, stage, path_errors);
        let missing = nested.iter().flat_map(Compilation::missing_facts).collect();
        if live.learn_more(input, missing)? {
            continue;
        }
        live.note(input, root.has_errors() || nested.iter().any(Compilation::has_errors));
        #[cfg(feature = "aws")]
        if !root.has_errors() && !nested.iter().any(Compilation::has_errors) {
            input.host.write_lock()?;
        }
        return Ok(nested);
    }
}
