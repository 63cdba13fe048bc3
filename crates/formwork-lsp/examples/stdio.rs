//! The server without the command line around it, for measuring and for editors while it is worked on:
//! `stdio lsp [--trust] [--log FILE] [--record LOG | --replay LOG [--root DIR] [--update] [--probe]]`.
#![allow(clippy::disallowed_methods, reason = "a program")]

use std::path::PathBuf;
use std::process::ExitCode;

use formwork_lsp::{Options, Replay};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    formwork_lsp::use_small_pages();
    let (mut options, mut wanted) = (Options::default(), Replay::default());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--trust" => options.is_trusted = true,
            "--log" => options.log = words.next().map(PathBuf::from),
            "--record" => options.record = words.next().map(PathBuf::from),
            "--replay" => wanted.log = words.next().map(PathBuf::from).unwrap_or_default(),
            "--root" => wanted.root = words.next().map(PathBuf::from),
            "--update" => wanted.updates = true,
            "--probe" => wanted.probes = true,
            _ => {}
        }
    }
    if wanted.log.as_os_str().is_empty() {
        return formwork_lsp::run(&options).into();
    }
    formwork_lsp::replay(&wanted, &options, &mut std::io::stdout()).into()
}
