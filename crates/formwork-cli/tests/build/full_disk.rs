//! Builds on a disk that is full, and where no file may be larger than the limit of the process
//! (reference/build.md#whole).

use std::fmt::Write as _;
use std::process::Command;

use super::project::{Project, errors};

const TEMPLATE: &str = "Resources:
  Large:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: large}
  Small:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: small}
";

fn project(name: &str) -> Project {
    let project = Project::new(&format!("full-{name}"));
    project.write("template.yaml", TEMPLATE);
    project.write("large/data", "few");
    project.write("small/data", "few");
    project
}

/// Text that packs badly on no disk.
fn many() -> String {
    (0..200_000_u64).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        text
    })
}

/// Runs the program below a shell that first sets its limits.
fn below(project: &Project, shell: &str, limit: &str) -> std::process::Output {
    let own = project.command(&[]);
    let mut command = Command::new("sh");
    command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(project.folder());
    command.arg("-c").arg(format!("{shell} {limit}")).arg(env!("CARGO_BIN_EXE_formwork")).output().expect("sh runs")
}

#[test]
fn a_file_that_cannot_be_written_leaves_what_was_built() {
    let project = project("limit");
    project.build(&[]);
    let before = project.products();
    project.write("large/data", &many());
    project.write("small/data", "more");
    // Blocks of 512 bytes; the signal would end the program before it could print anything.
    let output = below(&project, "trap '' XFSZ; ulimit -f 128;", "exec \"$0\" build");
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error[FW0809]: Large was not built: ") && said.contains("File too large"), "{said}");
    assert!(said.contains("no template was written"), "{said}");
    assert_eq!(project.products(), before, "what was built stays");
    assert!(project.build(&[]).contains("built 2 of 2 sources"));
    assert_eq!(project.read(".formwork/build/Small/data"), "more");
}

/// A disk of one megabyte in a mount namespace of its own, where this user may have one.
#[test]
fn a_full_disk_leaves_what_was_built() {
    let words = ["--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"];
    if !Command::new("unshare").args(words).output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this user may not mount a disk of its own");
        return;
    }
    let project = project("disk");
    project.write("many", &many());
    let script = "mkdir disk && mount -t tmpfs -o size=1m none disk || exit 9
        \"$0\" build -b disk/build || exit 8
        before=$(cat disk/build/template.yaml disk/build/*/data | cksum)
        cp many large/data; echo more >small/data
        \"$0\" build -b disk/build; echo status $?
        test \"$before\" = \"$(cat disk/build/template.yaml disk/build/*/data | cksum)\" && echo as before
        ls -d disk/build/.formwork/run-* 2>&1
        echo few >large/data
        \"$0\" build -b disk/build && cat disk/build/Small/data";
    let output = below(&project, "exec unshare --map-root-user --mount sh -c", &format!("'{script}' \"$0\""));
    let (out, said) = (String::from_utf8_lossy(&output.stdout).into_owned(), errors(&output));
    assert_eq!(output.status.code(), Some(0), "{out}{said}");
    assert!(out.contains("status 1\nas before\n") && out.ends_with("more\n"), "{out}{said}");
    assert!(out.contains("No such file"), "no directory of the run is left: {out}");
    assert!(
        said.contains("error[FW0809]: Large was not built: ") && said.contains("No space left on device"),
        "{said}"
    );
}
