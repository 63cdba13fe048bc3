//! Java with Maven (reference/build.md#java).

use super::{Build, copy_directory, copy_file};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str =
    "install Maven (https://maven.apache.org/install.html) and a JDK, or add the Maven wrapper, `mvnw`";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    let wrapper = directory.join("mvnw");
    let program = if wrapper.is_file() { wrapper } else { build.path.require("mvn", INSTALL)? };
    build.run(&Command::new(&program, &directory).args(["--batch-mode", "clean", "install"]))?;
    let copy = Command::new(&program, &directory).args(["--batch-mode", "dependency:copy-dependencies"]);
    build.run(&copy.args(["-DincludeScope=runtime", "-Dmdep.prependGroupId=true"]))?;
    let target = directory.join("target");
    let classes = target.join("classes");
    if !classes.is_dir() {
        return Err(BuildError::unfit(
            "the Maven build did not create target/classes",
            "write the sources in src/main/java",
        ));
    }
    let lib = build.artifacts.join("lib");
    if build.job.recipe.is_layer {
        // Lambda loads the classes of a layer from archives alone.
        for entry in std::fs::read_dir(&target).map_err(BuildError::file(&target))?.flatten() {
            if entry.path().extension().is_some_and(|end| end == "jar") {
                copy_file(&entry.path(), &lib.join(entry.file_name()))?;
            }
        }
    } else {
        copy_directory(&classes, build.artifacts)?;
    }
    let libraries = target.join("dependency");
    if libraries.is_dir() { copy_directory(&libraries, &lib) } else { Ok(()) }
}
