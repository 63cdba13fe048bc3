//! Linux programs are linked to a fixed address: the libraries for AWS bring a megabyte of tables whose
//! addresses would have to be filled in at every start. Stack, heap and libraries still move about.
#![allow(clippy::disallowed_methods, reason = "Cargo tells a build script its target by the environment")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
