//! Stacks of `[[stack]]` in `formwork.toml`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use formwork_project::{DeclaredStack, Failure, FileFailure, ProjectFile, notes};

use super::{Known, Stack, StackSettings, samconfig};

pub(super) fn add(file: &ProjectFile, known: &Known<'_>, found: &mut Vec<Stack>) -> Result<(), Failure> {
    notes::note(&file.path, "stack");
    let mut places = HashMap::new();
    for declared in file.stacks() {
        let path = file.directory().join(&declared.template);
        let path = path.strip_prefix(".").unwrap_or(&path);
        let template = known.declared(&declared.template).or_else(|| known.at(path));
        let Some(template) = template else {
            if !path.is_file() && !file.templates().iter().any(|one| one.name == declared.template) {
                let why = format!("template `{}` of stack `{}` does not exist", declared.template, declared.name);
                return Err(file.unfit_setting(declared.template_line, &why).help("correct its path").into());
            }
            continue;
        };
        let environments = samconfig::environments(known, path);
        let stages = declared.stages.iter().map(Some).chain(declared.stages.is_empty().then_some(None));
        for stage in stages {
            let stack = stack(file, declared, stage, (template, &environments));
            if let Some(earlier) = places.insert(place(&stack), stack.source.clone()) {
                return Err(twice(file, declared, &stack, &earlier).into());
            }
            found.push(stack);
        }
    }
    Ok(())
}

/// What two stacks of one name differ in.
fn place(stack: &Stack) -> [Option<String>; 4] {
    let own = &stack.settings;
    [Some(stack.name.clone()), stack.stage.clone(), own.region.clone(), own.account.clone()]
}

fn twice(file: &ProjectFile, declared: &DeclaredStack, stack: &Stack, earlier: &str) -> FileFailure {
    let why = format!("stack {} is declared in {earlier}, too", stack.shown());
    file.unfit_setting(declared.line, &why).help("choose another name, or another `region` or `account`")
}

fn stack(
    file: &ProjectFile,
    declared: &DeclaredStack,
    stage: Option<&String>,
    (template, environments): (usize, &[String]),
) -> Stack {
    let of_stage = stage.map(String::as_str);
    let name = declared.name_in(of_stage);
    let is_set = |stage: &&String| file.sets().any(|set| set == stage.as_str());
    let settings = StackSettings {
        stack_name: Some(name.clone()),
        region: declared.region_in(of_stage),
        account: declared.account_in(of_stage),
        config_env: stage.filter(|stage| environments.contains(stage)).cloned(),
        parameter_set: stage.filter(is_set).cloned(),
        values: Some(Arc::new(file.values_of(declared, of_stage))),
        ..StackSettings::default()
    };
    let source = format!("{}:{}", Path::new(&file.path).display(), declared.line);
    let source = source.strip_prefix("./").map(str::to_owned).unwrap_or(source);
    Stack { name, stage: stage.cloned(), template, source, settings }
}
