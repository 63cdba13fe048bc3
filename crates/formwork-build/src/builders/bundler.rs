//! Ruby with Bundler (reference/build.md#ruby).

use super::Build;
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install Ruby with Bundler (https://bundler.io), and put both on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let bundle = build.path.require("bundle", INSTALL)?;
    build.copy_source(build.artifacts)?;
    let run = |arguments: &[&str]| {
        // Regardless of other settings on this machine: the packages and the configuration are in the artifact.
        let command = Command::new(&bundle, build.artifacts)
            .env("BUNDLE_APP_CONFIG", ".bundle")
            .env("BUNDLE_PATH", "vendor/bundle")
            .args(arguments);
        build.run(&command)
    };
    // The artifact needs this configuration: without it Bundler misses the groups that were left out.
    run(&["config", "set", "--local", "without", "development:test"])?;
    if !build.tree.has("Gemfile.lock") {
        run(&["lock"])?;
    }
    run(&["config", "set", "--local", "deployment", "true"])?;
    run(&["install"])
}
