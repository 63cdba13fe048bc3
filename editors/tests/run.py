#!/usr/bin/env python3
"""Checks the files of editors, and runs the scenarios in real editors.

  run.py --static                         parse every configuration, and compare the tags with those of the guide
  run.py PROGRAM [--record DIR] [--only NAME] [vscode|neovim|emacs]...
                                          scenarios with the server `PROGRAM lsp` (default: all editors); DIR gets the sessions,
                                          each in a directory with the name of its workspace

A scenario is a list of steps for the editor in its name, or an object: `editors` in which it runs, `workspace`, `steps`. A step with
`editors` is left out in the others. A workspace is a directory of `workspaces`, and is copied.

FORMWORK_EDITOR_DRIVERS is the directory of the drivers (`drive`, `install`), which are no part of the repository; without it,
and where an editor is not installed, a line says what is skipped. With FORMWORK_REQUIRE_EDITORS set that is a failure.
FORMWORK_EDITOR_SHOTS keeps the pictures. Status 0 all held, 1 something did not, 2 bad usage.

A step of a scenario may have `want`: a text that its result contains, or an object or list that it agrees with, member by member;
`want_none`: a text that it does not contain; `want_once`: a text that it contains once.
"""
import glob, itertools, json, os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EDITORS = os.path.dirname(HERE)
ROOT = os.path.dirname(EDITORS)


def agrees(want, got):
    """Whether a result has what is wanted."""
    if isinstance(want, str):
        return want in (got if isinstance(got, str) else json.dumps(got, ensure_ascii=False))
    if isinstance(want, dict):
        return isinstance(got, dict) and all(name in got and agrees(value, got[name]) for name, value in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and all(any(agrees(value, one) for one in got) for value in want)
    return want == got


def static():
    """Every file is what it claims to be, and has the tags of all functions."""
    for path in sorted(glob.glob(os.path.join(EDITORS, "**", "*.json"), recursive=True)):
        if "node_modules" not in path:
            with open(path, encoding="utf-8") as file:
                json.load(file)
    for path in glob.glob(os.path.join(EDITORS, "sublime", "*")):
        with open(path, encoding="utf-8") as file:
            json.load(file)
    try:
        import tomllib
        for name in ["helix/languages.toml", "zed/extension.toml", "zed/Cargo.toml"]:
            with open(os.path.join(EDITORS, name), "rb") as file:
                tomllib.load(file)
    except ImportError:
        print("skipped: files in TOML, for Python is older than 3.11")
    with open(os.path.join(ROOT, "docs", "guides", "editors.md"), encoding="utf-8") as file:
        tags = re.findall(r'"(![A-Za-z0-9]+ (?:scalar|sequence|mapping))"', file.read())
    with open(os.path.join(EDITORS, "yaml", "customTags.json"), encoding="utf-8") as file:
        own = json.load(file)["yaml.customTags"]
    with open(os.path.join(EDITORS, "vscode", "package.json"), encoding="utf-8") as file:
        extension = json.load(file)
    with open(os.path.join(EDITORS, "vscode", "syntaxes", "formwork.yaml.tmLanguage.json"), encoding="utf-8") as file:
        grammar = json.load(file)["repository"]["short-function"]["match"]
    names = list(dict.fromkeys(tag.split()[0][1:] for tag in tags))
    wrong = [
        what
        for what, is_right in [
            ("yaml/customTags.json", own == tags),
            ("vscode/package.json", extension["contributes"]["configurationDefaults"]["yaml.customTags"] == tags),
            ("vscode/syntaxes/formwork.yaml.tmLanguage.json", "(" + "|".join(names) + ")" in grammar),
        ]
        if not is_right
    ]
    for what in wrong:
        print(f"FAILED: {what} does not have the tags of docs/guides/editors.md")
    return not wrong


def extension():
    """The packaged extension."""
    found = sorted(glob.glob(os.path.join(EDITORS, "vscode", "formwork-*.vsix")))
    if not found:
        subprocess.run([os.path.join(EDITORS, "vscode", "package")], check=True, stdout=subprocess.DEVNULL)
        found = sorted(glob.glob(os.path.join(EDITORS, "vscode", "formwork-*.vsix")))
    return found[-1]


def is_fine(step, got):
    """Whether a result is what a step wants."""
    shown = got if isinstance(got, str) else json.dumps(got, ensure_ascii=False)
    return ("want" not in step or agrees(step["want"], got)) and ("want_none" not in step or step["want_none"] not in shown) and (
        "want_once" not in step or shown.count(step["want_once"]) == 1)


def recorder(program, folder, log):
    """A program that records what `program lsp` does."""
    path = os.path.join(folder, "formwork")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {program} "$@" --record {log}\n')
    os.chmod(path, 0o755)
    return path


def words(editor, program, folder, scenario):
    """What the driver is told about an editor: the files that users have."""
    trusted = [] if "untrusted" in scenario else ["--trusted"]
    if editor == "vscode":
        settings = os.path.join(folder, "settings.json")
        with open(settings, "w", encoding="utf-8") as file:
            json.dump({"formwork.path": program}, file)
        return ["--vsix", extension(), "--settings", settings] + trusted
    if editor == "neovim":
        start = os.path.join(folder, "init.lua")
        with open(start, "w", encoding="utf-8") as file:
            file.write(f"vim.g.formwork_path = {json.dumps(program)}\n")
            file.write(f"dofile({json.dumps(os.path.join(EDITORS, 'neovim', 'formwork.lua'))})\n")
            # Who asks for one of the sets of values gets that of production.
            file.write('vim.lsp.handlers["window/showMessageRequest"] = function(_, params)\n')
            file.write('  for _, one in ipairs(params.actions) do if one.title:find("live", 1, true) then return one end end\n')
            file.write('  return vim.NIL\nend\n')
        return ["--init", start]
    return []


def scenario(drivers, editor, name, case, program, recordings):
    """Runs a scenario. Returns what is wrong, or None where the editor is not installed."""
    folder = tempfile.mkdtemp(prefix="formwork-editors-")
    try:
        out = os.path.join(os.environ.get("FORMWORK_EDITOR_SHOTS") or folder, name)
        workspace = os.path.join(HERE, "workspaces", case["workspace"])
        steps = [step for step in case["steps"] if editor in step.get("editors", [editor])]
        if recordings:
            # A recording has messages, and not what other programs write meanwhile.
            steps = list(itertools.takewhile(lambda step: step["do"] != "write", steps))
        path = os.path.join(folder, "scenario.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(steps, file)
        if recordings:
            os.makedirs(os.path.join(recordings, case["workspace"]), exist_ok=True)
            program = recorder(program, folder, os.path.join(recordings, case["workspace"], f"{name}.jsonl"))
        command = [os.path.join(drivers, "drive"), editor, "--workspace", workspace,
                   "--scenario", path, "--out", out] + words(editor, program, folder, name)
        if "--init" not in command and "--vsix" not in command:
            command += ["--", program, "lsp"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if recordings:
            log = os.path.join(recordings, case["workspace"], f"{name}.jsonl")
            with open(log, encoding="utf-8") as file:
                text = file.read()
            with open(log, "w", encoding="utf-8") as file:
                file.write(text.replace(folder, "/opt"))
        if run.returncode == 77:
            print(f"skipped: {name}: {run.stderr.strip().splitlines()[-1]}")
            return None
        wrong = [] if run.returncode == 0 else [f"the driver ended with {run.returncode}: {run.stderr.strip()[-400:]}"]
        done = json.loads(run.stdout)["steps"] if run.stdout.strip() else []
        for number, (step, got) in enumerate(zip(steps, done), 1):
            if "error" in got:
                wrong.append(f"step {number} {step['do']}: {got['error']}")
            elif not is_fine(step, got.get("result")):
                wrong.append(f"step {number} {json.dumps(step, ensure_ascii=False)}: got {json.dumps(got.get('result'), ensure_ascii=False)[:600]}")
        return wrong
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def scenarios():
    """Every scenario with each of its editors: editor, name, and what it has."""
    for path in sorted(glob.glob(os.path.join(HERE, "scenarios", "*.json"))):
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        if isinstance(case, list):
            yield name.split("-")[0], name, {"workspace": "template", "steps": case}
        else:
            for editor in case["editors"]:
                yield editor, f"{editor}-{name}", case


def beside(program):
    """Formwork and yaml-language-server in one buffer of Neovim. Returns what is wrong, or None where one is not there."""
    other = os.environ.get("FORMWORK_YAML_SERVER") or shutil.which("yaml-language-server")
    cache = os.environ.get("FORMWORK_EDITORS") or os.path.expanduser("~/.cache/formwork-editors")
    editor = os.environ.get("FORMWORK_NVIM") or next(iter(glob.glob(os.path.join(cache, "neovim-*", "*", "install", "bin", "nvim"))), None)
    if not other or not editor:
        print("skipped: neovim-other-server: FORMWORK_YAML_SERVER names no yaml-language-server, or there is no Neovim")
        return None
    with tempfile.TemporaryDirectory(prefix="formwork-editors-") as folder:
        workspace = shutil.copytree(os.path.join(HERE, "workspaces", "template"), os.path.join(folder, "workspace"))
        out = os.path.join(folder, "result.json")
        run = {"program": program, "other": [other, "--stdio"], "workspace": workspace, "out": out,
               "init": os.path.join(EDITORS, "neovim", "formwork.lua")}
        environment = {**os.environ, "FORMWORK_BESIDE": json.dumps(run), "HOME": folder}
        subprocess.run([editor, "--headless", "--clean", "-c", "luafile " + os.path.join(HERE, "beside.lua")],
                       env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        with open(out, encoding="utf-8") as file:
            result = json.load(file)
    if "error" in result:
        return [result["error"]]
    wrong = [f"{place}: {one['twice']} come twice" for place, one in result["found"].items() if one["twice"]]
    value = result["found"]["value"]
    if "Stage" not in value["has"] or len(value["servers"]) != 2:
        wrong.append(f"after !Ref: {value}")
    return wrong


def main():
    if sys.argv[1:] == ["--static"]:
        return 0 if static() else 1
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        print(__doc__, file=sys.stderr)
        return 2
    program, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    option = {}
    while wanted and wanted[0] in ("--record", "--only"):
        option[wanted[0]], wanted = wanted[1], wanted[2:]
    recordings = option.get("--record") and os.path.abspath(option["--record"])
    is_required = bool(os.environ.get("FORMWORK_REQUIRE_EDITORS"))
    drivers = os.environ.get("FORMWORK_EDITOR_DRIVERS", "")
    if not os.path.exists(os.path.join(drivers, "drive")):
        print("skipped: FORMWORK_EDITOR_DRIVERS does not name the directory of the drivers of editors")
        return 1 if is_required else 0
    status = 0
    for editor, name, case in scenarios():
        if wanted and editor not in wanted or option.get("--only", "") not in name:
            continue
        wrong = scenario(drivers, editor, name, case, program, recordings)
        if wrong is None:
            status = max(status, int(is_required))
            continue
        print(f"{name}: {'ok' if not wrong else 'FAILED'}", flush=True)
        for one in wrong:
            print(f"  {one}")
        status = 1 if wrong else status
    if (not wanted or "neovim" in wanted) and option.get("--only", "") in "neovim-other-server" and not recordings:
        wrong = beside(program)
        print(*["neovim-other-server: FAILED", *wrong] if wrong else ["neovim-other-server: ok"] if wrong == [] else [], sep="\n  ")
        status = 1 if wrong else status
    return status


if __name__ == "__main__":
    sys.exit(main())
