# The reader has a clone; the compiler is a stand-in, whose program answers each request.
mkdir -p examples/macro/events bin
cat >Cargo.toml <<'END'
[workspace]
members = ['crates/*']
END
cat >program <<'END'
#!/usr/bin/env python3
import json, os, urllib.request
base = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urllib.request.urlopen(base + "next") as asked:
        id, event = asked.headers["Lambda-Runtime-Aws-Request-Id"], json.load(asked)
    answer = json.dumps({"requestId": event["requestId"], "fragment": event["fragment"], "status": "success"}).encode()
    urllib.request.urlopen(urllib.request.Request(base + id + "/response", answer)).read()
END
cat >bin/cargo <<'END'
#!/bin/sh
made=$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/release
mkdir -p "$made" && cp program "$made/bootstrap" && chmod +x "$made/bootstrap"
END
chmod +x bin/cargo
PATH=$PWD/bin:$PATH
echo '{"requestId": "1", "fragment": {"Resources": {}}, "params": {}, "templateParameterValues": {}}' \
    >examples/macro/events/request.json
