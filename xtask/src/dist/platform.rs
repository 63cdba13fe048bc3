//! The platforms that are released, as Rust, Python and npm name them.

use crate::pgo;

/// A platform.
#[derive(Debug)]
pub(super) struct Platform {
    /// The target of Rust.
    pub(super) triple: &'static str,
    /// The file name of the program.
    pub(super) program: &'static str,
    /// The platform tag of wheels.
    pub(super) wheel: &'static str,
    /// `os` and `cpu` of npm.
    pub(super) npm: (&'static str, &'static str),
    /// What a build for it needs.
    pub(super) needs: &'static str,
}

pub(super) const PLATFORMS: [Platform; 4] = [
    Platform {
        triple: "x86_64-unknown-linux-musl",
        program: "formwork",
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        npm: ("linux", "x64"),
        needs: "run `rustup target add x86_64-unknown-linux-musl` and install musl-gcc (package musl-tools)",
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        program: "formwork",
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        npm: ("linux", "arm64"),
        needs: "run it on Linux for Arm with musl-gcc (package musl-tools), or build with `cargo zigbuild` and pass `--binary`",
    },
    Platform {
        triple: "aarch64-apple-darwin",
        program: "formwork",
        wheel: "macosx_11_0_arm64",
        npm: ("darwin", "arm64"),
        needs: "run it on a Mac",
    },
    Platform {
        triple: "x86_64-apple-darwin",
        program: "formwork",
        wheel: "macosx_11_0_x86_64",
        npm: ("darwin", "x64"),
        needs: "run it on a Mac",
    },
];

impl Platform {
    /// The platform of this machine.
    ///
    /// # Errors
    /// When nothing is released for it.
    pub(super) fn of_this_machine() -> Result<&'static Platform, String> {
        let host = pgo::host()?;
        let found = PLATFORMS.iter().find(|platform| pgo::runs_here(platform.triple, &host));
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
}
