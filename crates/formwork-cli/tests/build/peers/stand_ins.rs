//! What stand-ins for tools do besides noting their command lines: as much as both builders take for granted.

/// pip: the first download brings a wheel for another system, so that one for Lambda is asked for.
pub(super) const PIP: &str = r#"case "$*" in *"import pip"*) echo 25.0; exit;; *"--dest', '"*) ;; *) exit;; esac
rest=${*##*--dest\', \'}; to=${rest%%\'*}
case "$*" in
    *only-binary*) { printf 'PK\005\006'; head -c 18 /dev/zero; } >"$to/dep-1.0-py3-none-any.whl";;
    *) touch "$to/dep-1.0-cp313-cp313-macosx_11_0_arm64.whl";;
esac"#;
pub(super) const NPM: &str = r#"case "$1" in
    pack) mkdir package; tar czf packed.tgz package; rmdir package; echo packed.tgz;;
    root) echo "$PWD/node_modules";;
    install | ci) mkdir -p node_modules;;
esac"#;
pub(super) const GO_BUILD: &str = r#"test "$1" = version && echo go version go1.24 linux/amd64 && exit
echo "go runs for $GOOS $GOARCH" >>"${0%/*}/../lines"
for word; do last=$out; out=$word; done; touch "$last""#;
/// It fails where no package is.
pub(super) const GO_IN_DIRECTORY: &str = r#"test "$1" = version && echo go version go1.24 linux/amd64 && exit
for word; do last=$out; out=$word; done
test -e "$out/main.go" && touch "$last""#;
pub(super) const CARGO_LAMBDA: &str = r#"test "$1" = metadata && exit 1
out=target/lambda
for word; do test "$before" = --lambda-dir && out=$word; before=$word; done
mkdir -p "$out/shop"; touch "$out/shop/bootstrap""#;
pub(super) const GRADLE: &str = r#"for word; do case "$word" in
    -Dsoftware*) mkdir -p "${word#*=}/$(printf %s "$PWD" | sha1sum | cut -c1-40)/build/distributions/lambda-build";;
    -Dformwork*) mkdir -p "${word#*=}/_";;
esac; done"#;
pub(super) const MAVEN: &str = "mkdir -p target/classes target/dependency";
/// An archive with a file, which that library takes for granted.
pub(super) const DOTNET: &str = r#"for word; do
    test "$before" = --output-package && { cd "${0%/*}"; python3 -m zipfile -c "$word" dotnet; }
    before=$word
done"#;
pub(super) const MAKE: &str = r#"test -d "$ARTIFACTS_DIR" && echo "make has its directory" >>"${0%/*}/../lines""#;
