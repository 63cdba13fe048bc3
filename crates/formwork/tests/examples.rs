//! The templates under `examples/`: each passes `check`, and `expand` prints the bytes that are beside
//! it. `FORMWORK_UPDATE=1 cargo test -p formwork --test it -- examples::` updates them.

use std::sync::Arc;

use std::path::{Path, PathBuf};
use std::sync::Once;

use formwork::{Compilation, Diagnostic, DiskHost, Goal, Options, Session, Severity, codes};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Directories of the examples, by name; their expansions are updated first on request.
fn examples() -> Vec<PathBuf> {
    static WRITTEN: Once = Once::new();
    let entries = std::fs::read_dir(root()).expect("the directory of examples");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    assert!(!folders.is_empty());
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        WRITTEN.call_once(|| folders.iter().for_each(|folder| write(folder)));
    }
    folders
}

fn write(folder: &Path) {
    let printed = bytes(&compile(folder, "template.yaml", Goal::Expand));
    std::fs::write(folder.join("expanded.yaml"), printed).expect("the expansion is written");
}

fn compile(folder: &Path, file: &str, stage: Goal) -> Arc<Compilation> {
    let host = DiskHost::new(folder, None, 1 << 20).expect("a directory");
    let schemas = Some(Arc::new(formwork::schemas::Schemas::embedded()));
    Session::new(&host, Options { schemas, ..Options::default() }).compile(file, stage)
}

fn bytes(compilation: &Compilation) -> Vec<u8> {
    let mut bytes = Vec::new();
    compilation.output().expect("no errors").write_bytes(None, &mut |part| bytes.extend_from_slice(part));
    bytes
}

#[test]
fn every_example_expands_to_what_lies_beside_it() {
    for folder in examples() {
        let result = compile(&folder, "template.yaml", Goal::Expand);
        assert!(!result.has_errors(), "{}: {:#?}", folder.display(), result.diagnostics());
        let (path, printed) = (folder.join("expanded.yaml"), bytes(&result));
        let kept = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            String::from_utf8_lossy(&printed),
            String::from_utf8_lossy(&kept),
            "{} is stale; FORMWORK_UPDATE=1 updates it",
            path.display()
        );
    }
}

#[test]
fn every_example_and_its_expansion_pass_the_checks() {
    for folder in examples() {
        for file in ["template.yaml", "expanded.yaml"] {
            let result = compile(&folder, file, Goal::Check);
            // What only loops used stays declared in the expansion unless it is pruned.
            let is_left_over = |found: &Diagnostic| file == "expanded.yaml" && found.code == codes::UNUSED_NAME;
            let found = result.diagnostics().iter().filter(|found| found.severity > Severity::Note);
            let bad: Vec<_> = found.filter(|found| !is_left_over(found)).collect();
            assert!(bad.is_empty(), "{}/{file}: {bad:#?}", folder.display());
        }
    }
}

#[test]
fn every_expansion_is_free_of_loops_and_stays_as_it_is() {
    for folder in examples() {
        let path = folder.join("expanded.yaml");
        let text = std::fs::read_to_string(&path).expect("the expansion");
        assert!(!text.contains("Fn::ForEach"), "{}", path.display());
        let again = compile(&folder, "expanded.yaml", Goal::Expand);
        assert_eq!(String::from_utf8_lossy(&bytes(&again)), text, "{}", path.display());
        let kept = again.diagnostics().iter().any(|found| found.code == codes::KEPT_FOR_TRANSFORM);
        let declared = text.lines().any(|line| line.starts_with("Transform:") && line.contains("LanguageExtensions"));
        assert_eq!(declared, kept, "{}: the transform stays when a note has the reason", path.display());
    }
}

#[test]
fn the_list_of_examples_is_complete() {
    let list = std::fs::read_to_string(root().join("README.md")).expect("the list of examples");
    for folder in examples() {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(list.contains(&format!("({name}/template.yaml)")), "examples/README.md has no {name}");
    }
}
