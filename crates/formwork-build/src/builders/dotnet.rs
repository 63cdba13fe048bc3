//! .NET (reference/build.md#dotnet).

use super::{Build, make_directory};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install the .NET SDK (https://dotnet.microsoft.com/download), and put `dotnet` on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let dotnet = build.path.require("dotnet", INSTALL)?;
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    make_directory(build.artifacts)?;
    let architecture = build.job.recipe.architecture;
    let command = Command::new(dotnet, &directory)
        .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
        .env("DOTNET_NOLOGO", "1")
        .args(["publish", "--configuration", "Release", "--runtime", architecture.pick("linux-x64", "linux-arm64")])
        .args(["--self-contained", "false", "--output"])
        .arg(build.artifacts)
        .arg("/p:GenerateRuntimeConfigurationFiles=true");
    build.run(&command)
}
