//! The platforms that are released, as Rust, Python and npm name them.

use std::process::Command;

use crate::command::output;

/// A platform.
#[derive(Debug)]
pub(super) struct Platform {
    /// The target of Rust.
    pub(super) triple: &'static str,
    /// The file name of the program.
    pub(super) program: &'static str,
    /// The platform tag of wheels.
    pub(super) wheel: &'static str,
    /// `os` and `cpu` of npm; `None` where npm has another program for them. Node starts too slowly for the program of glibc
    /// to be seen as the faster one, and the static one runs wherever Node does.
    pub(super) npm: Option<(&'static str, &'static str)>,
    /// What a build for it needs.
    pub(super) needs: &'static str,
    /// The features of the program, where those are not all that it has by default.
    pub(super) features: Option<&'static str>,
}

/// The glibc that programs for it are linked with: that of manylinux2014. It is named behind the target, for `cargo zigbuild`.
pub(super) const GLIBC: (u32, u32) = (2, 17);

/// All of them, of two for one machine the preferred one first.
pub(super) const PLATFORMS: [Platform; 7] = [
    Platform {
        triple: "x86_64-unknown-linux-gnu",
        program: "formwork",
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64",
        npm: None,
        needs: ZIG,
        features: None,
    },
    Platform {
        triple: "aarch64-unknown-linux-gnu",
        program: "formwork",
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64",
        npm: None,
        needs: ZIG,
        features: None,
    },
    Platform {
        triple: "x86_64-unknown-linux-musl",
        program: "formwork",
        wheel: "musllinux_1_1_x86_64",
        npm: Some(("linux", "x64")),
        needs: "run `rustup target add x86_64-unknown-linux-musl` and install musl-gcc (package musl-tools)",
        features: None,
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        program: "formwork",
        wheel: "musllinux_1_1_aarch64",
        npm: Some(("linux", "arm64")),
        needs: "run it on Linux for Arm with musl-gcc (package musl-tools), or build with `cargo zigbuild` and pass `--binary`",
        features: None,
    },
    Platform {
        triple: "aarch64-apple-darwin",
        program: "formwork",
        wheel: "macosx_11_0_arm64",
        npm: Some(("darwin", "arm64")),
        needs: "run it on a Mac",
        features: None,
    },
    Platform {
        triple: "x86_64-apple-darwin",
        program: "formwork",
        wheel: "macosx_11_0_x86_64",
        npm: Some(("darwin", "x64")),
        needs: "run it on a Mac",
        features: None,
    },
    Platform {
        triple: "x86_64-pc-windows-msvc",
        program: "formwork.exe",
        wheel: "win_amd64",
        npm: Some(("win32", "x64")),
        needs: "run it on Windows with the C++ build tools of Visual Studio",
        // Functions run as groups of processes that pass each other file descriptors, which Windows does not have.
        features: Some("aws"),
    },
];

/// Cargo links with the glibc of this machine, which may be newer than that of users.
const ZIG: &str = "run `rustup target add` for it, and install cargo-zigbuild and ziglang with pip";

impl Platform {
    /// Whether the program is linked with glibc.
    pub(super) fn has_glibc(&self) -> bool {
        self.triple.ends_with("-gnu")
    }

    /// The words of Cargo for the features of the program.
    pub(super) fn feature_words(&self) -> Vec<&'static str> {
        self.features.map_or_else(Vec::new, |features| vec!["--no-default-features", "--features", features])
    }

    /// Whether it has archives as Windows reads them, and not as Unix does.
    pub(super) fn has_zip(&self) -> bool {
        self.triple.contains("windows")
    }

    /// The platform of this machine.
    ///
    /// # Errors
    /// When nothing is released for it.
    pub(super) fn of_this_machine() -> Result<&'static Platform, String> {
        let host = host()?;
        let found = PLATFORMS.iter().find(|platform| platform.runs_on(&host));
        found.ok_or_else(|| format!("nothing is released for {host}"))
    }

    /// The platform of a target.
    ///
    /// # Errors
    /// When it is not one of those that are released.
    pub(super) fn of(triple: &str) -> Result<&'static Platform, String> {
        PLATFORMS.iter().find(|platform| platform.triple == triple).ok_or_else(|| {
            let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.triple).collect();
            format!("unknown target {triple}: use one of {}", known.join(", "))
        })
    }

    /// Whether programs of it run on this machine.
    ///
    /// # Errors
    /// When `rustc` does not name this machine.
    pub(super) fn runs_here(&self) -> Result<bool, String> {
        Ok(self.runs_on(&host()?))
    }

    /// Whether programs of it run on a host: the same processor and system, and glibc where they are linked with it.
    fn runs_on(&self, host: &str) -> bool {
        let machine = |triple: &str| {
            let mut parts = triple.split('-').map(str::to_owned);
            (parts.next(), parts.nth(1))
        };
        machine(self.triple) == machine(host) && (!self.has_glibc() || host.ends_with("-gnu"))
    }
}

/// The target of programs for this machine, as `rustc` names it.
pub(super) fn host() -> Result<String, String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| format!("rustc -vV names no host: {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_where_processor_and_system_and_glibc_are() {
        let runs = |triple, host| Platform::of(triple).expect("a platform").runs_on(host);
        assert!(runs("x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"));
        assert!(runs("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"));
        assert!(!runs("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"), "there is no glibc");
        assert!(runs("aarch64-apple-darwin", "aarch64-apple-darwin"));
        assert!(!runs("x86_64-apple-darwin", "aarch64-apple-darwin"));
        assert!(!runs("aarch64-unknown-linux-musl", "x86_64-unknown-linux-gnu"));
    }
}
