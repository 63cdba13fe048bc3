//! Java with Gradle (reference/build.md#java).

use super::{Build, copy_directory};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install Gradle (https://gradle.org/install) and a JDK, or add the Gradle wrapper, `gradlew`";

/// Gradle script that copies classes and libraries of each Java project to the artifact; for a layer, whose classes
/// Lambda loads from archives alone, it copies the archive in place of the classes. The project is not changed.
const INIT: &str = r"def isLayer = Boolean.getBoolean('formwork.layer')
gradle.projectsEvaluated {
    allprojects { project ->
        if (project.plugins.hasPlugin('java')) {
            def copied = project.tasks.register('formworkBuild', Copy) {
                into new File(System.getProperty('formwork.artifacts'), project.path.replace(':', '_'))
                if (!isLayer) {
                    from project.sourceSets.main.output
                }
                into('lib') {
                    from project.configurations.runtimeClasspath
                    if (isLayer) {
                        from project.tasks.named('jar')
                    }
                }
            }
            project.tasks.named('build') { finalizedBy copied }
        }
    }
}
";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    let wrapper = directory.join("gradlew");
    let program = if wrapper.is_file() { wrapper } else { build.path.require("gradle", INSTALL)? };
    let init = build.scratch.join("formwork-init.gradle");
    std::fs::write(&init, INIT).map_err(BuildError::file(&init))?;
    let out = build.scratch_directory("gradle-out")?;
    let command = Command::new(program, &directory)
        .arg("build")
        .arg("--project-cache-dir")
        .arg(build.scratch.join("gradle-cache"))
        .arg(format!("-Dformwork.artifacts={}", out.display()))
        .args(build.job.recipe.is_layer.then_some("-Dformwork.layer=true"))
        .arg("--init-script")
        .arg(&init);
    build.run(&command.args(["--no-daemon", "--console=plain"]))?;
    let mut made: Vec<_> =
        std::fs::read_dir(&out).map_err(BuildError::file(&out))?.flatten().map(|entry| entry.path()).collect();
    made.sort();
    match made.as_slice() {
        [] => Err(BuildError::unfit("the Gradle build has no Java project", "apply the plugin `java`")),
        // The root project comes first.
        [first, ..] => copy_directory(first, build.artifacts),
    }
}
