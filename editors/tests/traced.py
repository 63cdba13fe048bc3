#!/usr/bin/env python3
"""Looks at every system call of the language server while a hostile repository is open, with trust and without.

  traced.py PROGRAM

No connection, no other program, no file that is written; and without trust no file outside of the directory that is open, links
included. It needs strace; without it a line says so and the status is 0, or 1 with FORMWORK_REQUIRE_STRACE set. Status 0 nothing
was found, 1 something was.
"""
import json, os, re, shutil, subprocess, sys, tempfile

# What reaches another place: every call of these is one too many.
FORBIDDEN = {
    "network": "socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg".split(),
    "program": "fork vfork execveat ptrace".split(),
    "write": "mkdir mkdirat unlink unlinkat rmdir rename renameat renameat2 link linkat symlink symlinkat chmod fchmod fchmodat chown "
             "fchown fchownat lchown truncate ftruncate mknod mknodat utimensat creat setxattr fsetxattr fallocate".split(),
}
IMPORTS = """Transform: AWS::LanguageExtensions
Modules:
  Above: {Source: ../net.yaml}
  Further: {Source: ../../outside/net.yaml}
  Linked: {Source: ./linked.yaml}
  LinkedFolder: {Source: ./folder/net.yaml}
  Absolute: {Source: OUTSIDE/net.yaml}
  Address: {Source: "file://OUTSIDE/net.yaml"}
  Remote: {Source: "https://127.0.0.1:9/net.yaml"}
  Metadata: {Source: "http://169.254.169.254/latest/meta-data/"}
  Bucket: {Source: "s3://bucket/net.yaml"}
  Archive: {Source: "../net.zip/net.yaml"}
Parameters:
  Stage: {Type: String, Default: dev}
  Image: {Type: "AWS::SSM::Parameter::Value<String>", Default: /some/name}
  Password: {Type: String, NoEcho: true, Default: hidden}
Resources:
  Fn::Transform: {Name: AWS::Include, Parameters: {Location: ../included.yaml}}
  Nested:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: ../nested.yaml}
  Function:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: ../code, Handler: a.b, Runtime: python3.13}
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Sub "${Stage}-${AWS::AccountId}", TopicName: !GetAtt Above.Name}
  Inserted:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !InsertFile ../secret.txt, TopicName: !InsertFile OUTSIDE/secret.txt}
"""
METHODS = """hover completion definition implementation references documentHighlight documentSymbol foldingRange selectionRange
documentLink inlayHint codeLens codeAction semanticTokens/full semanticTokens/range prepareRename rename formatting diagnostic""".split()


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        self.is_trusted = False

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": [{} if self.is_trusted else {"projectRoot": "../.."}] if message["method"] == "workspace/configuration" else None})
            elif message.get("id") == self.count:
                return message.get("result", message.get("error"))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def repository(folder):
    """A repository whose directory `inner` is opened, and what is around it."""
    outside, repo = os.path.join(folder, "outside"), os.path.join(folder, "repo")
    inner = os.path.join(repo, "inner")
    module = "Resources:\n  Topic: {Type: AWS::SNS::Topic}\nOutputs:\n  Name: {Value: !Ref Topic}\n"
    for place in (outside, repo):
        for name in ("net.yaml", "included.yaml", "nested.yaml", "net.zip", "code/a.py", "samconfig.toml"):
            write(os.path.join(place, name), module)
        write(os.path.join(place, "formwork.toml"), 'strict = true\nproject-root = "/"\n[parameters.live]\nStage = "prod"\n')
        write(os.path.join(place, "secret.txt"), "secret")
    write(os.path.join(repo, ".git", "HEAD"), "ref: refs/heads/main\n")
    write(os.path.join(inner, "template.yaml"), IMPORTS.replace("OUTSIDE", outside))
    write(os.path.join(inner, "account.formwork-test.yaml"), "template: ../nested.yaml\n")
    os.symlink(os.path.join(outside, "net.yaml"), os.path.join(inner, "linked.yaml"))
    os.symlink(outside, os.path.join(inner, "folder"))
    os.symlink(os.path.join(outside, "samconfig.toml"), os.path.join(inner, "samconfig.toml"))
    os.symlink(os.path.join(outside, "formwork.toml"), os.path.join(inner, "formwork.toml"))
    os.symlink("/dev/zero", os.path.join(inner, "endless.yaml"))
    os.mkfifo(os.path.join(inner, "pipe.yaml"))
    return inner


def use(client, inner, is_trusted):
    """Asks everything."""
    uri = "file://" + inner
    client.is_trusted = is_trusted
    refresh = {"refreshSupport": True}
    client.request("initialize", {
        "processId": os.getpid(), "workspaceFolders": [{"uri": uri, "name": "inner"}],
        "initializationOptions": {"trusted": is_trusted, "parameterFiles": ["../values.json", "/etc/passwd"]},
        "capabilities": {"workspace": {"configuration": True, "diagnostics": refresh, "textDocumentContent": {}},
                         "window": {"showDocument": {"support": True}}}})
    client.notify("initialized", {})
    for name in ("template.yaml", "formwork.toml", "samconfig.toml"):
        path = os.path.join(inner, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        client.notify("textDocument/didOpen", {"textDocument": {"uri": f"{uri}/{name}", "languageId": "yaml", "version": 1, "text": text}})
    about = f"{uri}/template.yaml"
    lines = IMPORTS.count("\n")
    for line in range(lines):
        place = {"line": line, "character": 20}
        for method in METHODS:
            client.request("textDocument/" + method, {
                "textDocument": {"uri": about}, "position": place, "positions": [place], "range": {"start": place, "end": place},
                "newName": "Other", "options": {"tabSize": 2, "insertSpaces": True},
                "context": {"includeDeclaration": True, "diagnostics": []}})
    for command in ("formwork.showExpansion", "formwork.selectValues", "formwork.selectContext", "formwork.setValues", "formwork.fixAll"):
        client.request("workspace/executeCommand", {"command": command, "arguments": [about, "file:/etc/passwd"]})
    for method in ("formwork/values", "formwork/contexts", "formwork/kind", "formwork/expanded", "formwork/map"):
        client.request(method, {"uri": about, "position": {"line": 0, "character": 0}})
    for view in (f"formwork-expanded:{inner}/template.yaml", "formwork-expanded:/etc/passwd", f"formwork-expanded:{inner}/../secret.txt"):
        client.request("workspace/textDocumentContent", {"uri": view})
        client.request("formwork/expanded", {"uri": view})
    client.request("formwork/setValues", {"uri": about, "parameters": {"Stage": "../../outside"}})
    client.request("workspace/symbol", {"query": ""})
    client.request("workspace/diagnostic", {"previousResultIds": []})
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"file://{inner}/../secret.txt", "type": 2}]})
    client.request("formwork/status", None)
    client.request("shutdown", None)
    client.notify("exit", None)
    return client.process.wait(30)


def looked_at(trace, folder, allowed):
    """What the calls of a trace should not do."""
    wrong, programs = [], 0
    for line in trace:
        call = re.match(r"(?:\[pid +)?\d*\]? *(\w+)\(", line)
        if not call:
            continue
        name, failed = call.group(1), re.search(r"= -1 E", line)
        for what, names in FORBIDDEN.items():
            if name in names:
                wrong.append(f"{what}: {line}")
        if name == "execve":
            programs += 1
        if name in ("clone", "clone3") and "CLONE_THREAD" not in line:
            wrong.append(f"program: {line}")
        if name in ("open", "openat", "openat2"):
            if re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE", line):
                wrong.append(f"write: {line}")
            # With -y the path behind the descriptor is the real one.
            real = re.search(r"= \d+<([^>]*)>", line)
            path = real.group(1) if real else None
            if path and not failed and path.startswith(folder + "/") and not (path == allowed or path.startswith(allowed + "/")):
                wrong.append(f"outside of {allowed}: {line}")
            if path in ("/etc/passwd", "/dev/zero"):
                wrong.append(f"outside: {line}")
    if programs != 1:
        wrong.append(f"program: {programs} were started")
    return wrong


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("strace"):
        print("skipped: there is no strace")
        return 1 if os.environ.get("FORMWORK_REQUIRE_STRACE") else 0
    status = 0
    for is_trusted in (False, True):
        folder = os.path.realpath(tempfile.mkdtemp(prefix="formwork-traced-"))
        try:
            inner = repository(folder)
            before = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)
            log = os.path.join(folder + ".trace")
            calls = ",".join(name for names in FORBIDDEN.values() for name in names)
            words = ["strace", "-f", "-y", "-qq", "-e", "signal=none", "-e", f"trace=execve,clone,clone3,open,openat,openat2,{calls}", "-o", log]
            client = Client(words + [os.path.abspath(sys.argv[1]), "lsp"])
            ended = use(client, inner, is_trusted)
            with open(log, encoding="utf-8", errors="replace") as file:
                wrong = looked_at(file, folder, os.path.dirname(inner) if is_trusted else inner)
            os.remove(log)
            after = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)
            if ended != 0:
                wrong.append(f"the server ended with {ended}")
            if before != after:
                wrong.append(f"files came or went: {set(before) ^ set(after)}")
            print(f"{'trusted' if is_trusted else 'not trusted'}: {'ok' if not wrong else 'FAILED'}")
            for one in wrong[:20]:
                print(f"  {one.strip()}")
            status = 1 if wrong else status
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
