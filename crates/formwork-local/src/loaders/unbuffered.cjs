// Loaded before aws-lambda-ric: what Node keeps when a pipe is full would be lost with the process, or come after the
// answer. With this setting writing waits.
for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);
