#!/usr/bin/env node
// Runs the program of the package for this platform, which npm installs as an optional dependency.
"use strict";

const { spawn } = require("child_process");
const { constants } = require("os");

const platform = `${process.platform}-${process.arch}`;

function find() {
  const file = process.platform === "win32" ? "formwork.exe" : "formwork";
  try {
    return require.resolve(`@formwork-cfn/${platform}/${file}`);
  } catch {
    const { optionalDependencies } = require("../package.json");
    const isReleased = `@formwork-cfn/${platform}` in optionalDependencies;
    const help = isReleased
      ? "install again with optional dependencies, without --no-optional and --omit=optional, and with a lock file\n" +
        "  of this platform: `npm install formwork-cfn`"
      : "https://github.com/formwork-cfn/formwork/blob/main/docs/guides/install.md has the other ways to install it";
    console.error(`error: the package @formwork-cfn/${platform} is not installed\n  help: ${help}`);
    process.exit(2);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" });

// A terminal sends its signals to the program, too. All others reach this process alone.
const hasTerminal = [0, 1, 2].some((file) => require("tty").isatty(file));
for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) {
  const isOfTerminal = hasTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
  process.on(signal, () => isOfTerminal || child.kill(signal));
}

child.on("error", (error) => {
  console.error(`error: the program cannot be run: ${error.message}`);
  process.exit(2);
});

child.on("exit", (status, signal) => {
  if (signal === null) {
    process.exit(status);
  }
  // It ends as the program did, so that a shell sees the same.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
});
