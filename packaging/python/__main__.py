"""Runs the program: `formwork-cfn` and `python -m formwork_cfn` are `formwork`."""

import os
import sys
import sysconfig
from importlib import metadata

NAME = "formwork" + (sysconfig.get_config_var("EXE") or "")


def candidates():
    """Returns the paths at which an installer may have put the program, the likeliest first."""
    try:
        files = metadata.files("formwork-cfn") or []
    except metadata.PackageNotFoundError:
        files = []
    recorded = [str(file.locate()) for file in files if file.name == NAME and file.parent.name in ("bin", "Scripts")]
    # With `pip install --target` the record differs from where the scripts are.
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    below = [os.path.join(beside, "bin", NAME), os.path.join(beside, "Scripts", NAME)]
    return recorded + below + [os.path.join(sysconfig.get_path("scripts"), NAME)]


def main():
    program = next((path for path in candidates() if os.path.isfile(path)), None)
    if program is None:
        sys.exit("error: the program formwork is missing from this installation\n"
                 "  help: install it again: pip install --force-reinstall formwork-cfn")
    program = os.path.normpath(program)
    if os.name == "nt":
        import subprocess

        # The console sends Ctrl-C to the program, too.
        try:
            sys.exit(subprocess.call([program] + sys.argv[1:]))
        except KeyboardInterrupt:
            sys.exit(130)
    os.execv(program, [program] + sys.argv[1:])


if __name__ == "__main__":
    main()
