//! `cargo xtask bench-local`: measures warm requests to `formwork local` against the same handler behind a bare pipe: a
//! process that reads an event from a line and prints the result as one.
//!
//! Both are asked in turns, and the median of the ratios is judged. `docs/performance.md` keeps the figures.

mod pipe;
mod project;
mod server;

use std::path::Path;
use std::time::{Duration, Instant};

use pipe::Pipe;
use server::Server;
use xtask_launcher::{BenchLocalArgs, Handler};

use crate::bench::median;

/// How long handlers work, in milliseconds, and the most that a request may take of that.
const WORK: [(f64, Option<f64>); 3] = [(0.0, None), (2.0, None), (10.0, Some(1.2))];

/// A handler that is measured, in milliseconds round by round.
struct Row {
    name: String,
    bar: Option<f64>,
    pipe: Vec<f64>,
    lambda: Vec<f64>,
    api: Vec<f64>,
}

/// Does it.
pub(crate) fn run(args: &BenchLocalArgs) -> Result<(), String> {
    match args.handler {
        Some(Handler::Bootstrap) => return project::bootstrap(),
        Some(Handler::Pipe) => return project::piped(),
        None => {}
    }
    let binary = args.binary.canonicalize().map_err(|error| format!("{}: {error}", args.binary.display()))?;
    let folder = std::env::temp_dir().join(format!("formwork-bench-local-{}", std::process::id()));
    let result = project::write(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))
        .and_then(|()| measure(&binary, &folder, args.rounds));
    let _ = std::fs::remove_dir_all(&folder);
    let missed = result?;
    if missed == 0 || args.no_fail { Ok(()) } else { Err(format!("{missed} figures are above their bars")) }
}

fn measure(binary: &Path, folder: &Path, rounds: u32) -> Result<u32, String> {
    let mut lambda = Server::start(binary, folder, "start-lambda")?;
    let mut api = Server::start(binary, folder, "start-api")?;
    let mut rows = Vec::new();
    let mut first = Vec::new();
    for runtime in project::RUNTIMES {
        let begin = Instant::now();
        let mut pipe = Pipe::start(folder, runtime.pipe)?;
        pipe.ask("{\"n\": 0}")?;
        let of_pipe = milliseconds(begin);
        let begin = Instant::now();
        lambda.invoke(runtime.name, "{\"n\": 0}")?;
        first.push((runtime.name, of_pipe, milliseconds(begin)));
        api.invoke(runtime.name, "{\"n\": 0}")?;
        for (work, bar) in WORK {
            let event = format!("{{\"n\": {}}}", steps(&mut pipe, work)?);
            let name = format!("{}, {work} ms of work", runtime.name);
            let mut row = Row { name, bar, pipe: Vec::new(), lambda: Vec::new(), api: Vec::new() };
            for _ in 0..rounds {
                row.pipe.push(timed(|| pipe.ask(&event))?);
                row.lambda.push(timed(|| lambda.invoke(runtime.name, &event))?);
                row.api.push(timed(|| api.invoke(runtime.name, &event))?);
            }
            rows.push(row);
        }
    }
    println!("| {:<28} | pipe ms | start-lambda | ratio | start-api | ratio |  bar |      |", "handler");
    let missed = rows.iter().map(print).sum();
    println!();
    println!("| {:<28} | pipe ms | start-lambda |", "first event, with the start");
    for (name, pipe, lambda) in first {
        println!("| {name:<28} | {pipe:7.1} | {lambda:12.1} |");
    }
    Ok(missed)
}

/// Prints a row; how many of its figures are above their bar.
fn print(row: &Row) -> u32 {
    let middle = |figures: &[f64]| median(figures.iter().copied());
    let ratio = |figures: &[f64]| median(figures.iter().zip(&row.pipe).map(|(figure, pipe)| figure / pipe));
    let (lambda, api) = (ratio(&row.lambda), ratio(&row.api));
    let missed = [lambda, api].iter().filter(|ratio| row.bar.is_some_and(|bar| **ratio > bar)).count() as u32;
    let bar = row.bar.map(|bar| bar.to_string()).unwrap_or_default();
    let verdict = match (row.bar, missed) {
        (None, _) => "",
        (Some(_), 0) => "pass",
        (Some(_), _) => "FAIL",
    };
    println!(
        "| {:<28} | {:7.3} | {:12.3} | {lambda:5.2} | {:9.3} | {api:5.2} | {bar:>4} | {verdict:<4} |",
        row.name,
        middle(&row.pipe),
        middle(&row.lambda),
        middle(&row.api),
    );
    missed
}

/// How many steps of work take so many milliseconds.
fn steps(pipe: &mut Pipe, work: f64) -> Result<u64, String> {
    if work == 0.0 {
        return Ok(0);
    }
    let mut steps = 1_000_u64;
    loop {
        let event = format!("{{\"n\": {steps}}}");
        let runs: Result<Vec<f64>, String> = (0..9).map(|_| timed(|| pipe.ask(&event))).collect();
        // The fastest run: other programs and compilers of languages make the others longer.
        let took = runs?.into_iter().fold(f64::INFINITY, f64::min);
        if took >= work / 2.0 {
            return Ok((steps as f64 * work / took) as u64);
        }
        steps *= 2;
    }
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

fn timed(work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    // Nothing of the turn before is left to do.
    std::thread::sleep(Duration::from_millis(5));
    let begin = Instant::now();
    work()?;
    Ok(milliseconds(begin))
}
