//! Ruby with Bundler (reference/build.md#ruby).

use super::Build;
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install Ruby with Bundler (https://bundler.io), and put both on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let bundle = build.path.require("bundle", INSTALL)?;
    build.copy_source(build.artifacts)?;
    // By the environment, so that no configuration is left in the product.
    let command = |arguments: &[&str]| {
        Command::new(&bundle, build.artifacts)
            .env("BUNDLE_PATH", "vendor/bundle")
            .env("BUNDLE_WITHOUT", "development:test")
            .env("BUNDLE_APP_CONFIG", build.scratch.join("bundle"))
            .args(arguments)
    };
    if build.tree.has("Gemfile.lock") {
        build.run(&command(&["install"]).env("BUNDLE_DEPLOYMENT", "true"))
    } else {
        build.run(&command(&["install"]))
    }
}
