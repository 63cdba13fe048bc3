//! Container images, built by the engine that responds (reference/build.md#images). The artifact is an archive, so that
//! packaging needs no engine, and engines without a daemon work like Docker.

use std::path::Path;

use super::Build;
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::strings;
use formwork::Value;
use formwork_disk::is_inside;

const ENGINES: &[&str] = &["docker", "podman", "buildah"];
pub(crate) const ARCHIVE: &str = "image.tar";

/// Returns the name under which the engine keeps the image of a resource.
pub(crate) fn tag(resource: &str, tag: Option<&str>) -> String {
    format!("{}:{}", resource.to_lowercase(), tag.unwrap_or("latest"))
}

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let engine = engine(build)?;
    let job = build.job;
    let dockerfile = job.metadata("Dockerfile").unwrap_or("Dockerfile");
    // The engine sends the file to the builder: it must be in the context, or a link to such a file.
    let Some(file) = dockerfile_in(&job.source, dockerfile) else {
        let message = format!("{dockerfile} does not exist in {}", job.source.display());
        return Err(BuildError::unfit(message, "correct `Dockerfile` or `DockerContext` in Metadata"));
    };
    let name = tag(&job.resource, job.metadata("DockerTag"));
    let mut command = Command::new(&engine, &job.source)
        .arg("build")
        .arg("--file")
        .arg(&file)
        .args(["--tag", &name])
        .args(["--platform", job.recipe.architecture.pick("linux/amd64", "linux/arm64")]);
    if let Some(Value::Map(arguments)) = job.recipe.metadata.member("DockerBuildArgs") {
        for (name, value) in arguments {
            let value = strings(Some(value)).into_iter().next().unwrap_or_default();
            command = command.arg("--build-arg").arg(format!("{name}={value}"));
        }
    }
    if let Some(target) = job.metadata("DockerBuildTarget") {
        command = command.args(["--target", target]);
    }
    for option in strings(job.recipe.metadata.member("DockerBuildExtraParams")) {
        command = command.arg(option);
    }
    build.run(&command.arg("."))?;
    std::fs::create_dir_all(build.artifacts).map_err(BuildError::file(build.artifacts))?;
    build.run(&save(&engine, build, &name))
}

/// Returns the path of `Dockerfile` in a context, links followed.
fn dockerfile_in(context: &Path, name: &str) -> Option<std::path::PathBuf> {
    let (context, real) = (context.canonicalize().ok()?, context.join(name).canonicalize().ok()?);
    (is_inside(&context, &real) && real.is_file()).then_some(real)
}

fn save(engine: &Path, build: &Build<'_>, name: &str) -> Command {
    let archive = build.artifacts.join(ARCHIVE);
    let command = Command::new(engine, &build.job.source);
    if engine.file_stem().is_some_and(|engine| engine == "buildah") {
        // buildah supports archives only as destinations of a push.
        return command.args(["push", name]).arg(format!("docker-archive:{}:{name}", archive.display()));
    }
    command.args(["save", "--output"]).arg(&archive).arg(name)
}

fn engine(build: &Build<'_>) -> Result<std::path::PathBuf, BuildError> {
    let mut silent = Vec::new();
    for name in ENGINES {
        let Some(program) = build.path.find(name) else { continue };
        let asks = Command::new(&program, &build.job.source).arg("info");
        if build.shared.answers.ask(&asks, build.runner)? {
            return Ok(program);
        }
        silent.push(*name);
    }
    let help = "start Docker or Podman, or name an image in a registry as ImageUri".to_owned();
    Err(match silent.as_slice() {
        [] => BuildError::Missing { tool: ENGINES.join(", ").replace("podman, ", "podman or "), help },
        [name] => BuildError::unfit(format!("{name} does not respond, and the image needs it"), help),
        [first @ .., last] => {
            let message = format!("{} or {last} does not respond, and the image needs it", first.join(", "));
            BuildError::unfit(message, help)
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_dockerfile_is_inside_its_context() {
        let base = std::env::temp_dir().join(format!("formwork-context-{}", std::process::id()));
        let context = base.join("context");
        fs::create_dir_all(context.join("docker")).expect("a directory");
        fs::write(base.join("secret"), "FROM secret").expect("a file");
        fs::write(context.join("docker/Dockerfile"), "FROM scratch").expect("a file");
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, context.join(name)).expect("a link");
        link("docker/Dockerfile", "Dockerfile");
        link("../secret", "leaves");
        link("..", "above");
        for name in ["docker/Dockerfile", "Dockerfile", "./docker/../Dockerfile"] {
            assert!(dockerfile_in(&context, name).is_some(), "{name}");
        }
        let absolute = base.join("secret").display().to_string();
        for name in ["../secret", "leaves", "above/secret", "docker", "missing", "", &absolute] {
            assert_eq!(dockerfile_in(&context, name), None, "{name}");
        }
        fs::remove_dir_all(base).expect("removed");
    }
}
