//! The program that tests of packages use instead of `formwork`: small, and with the commands that packaging calls.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["version"] => println!("formwork {} (stub)", env!("STUB_VERSION")),
        ["completions", shell] => println!("# completions of {shell}"),
        ["man", "-o", directory] => {
            let page = std::path::Path::new(directory).join("formwork.1");
            std::fs::create_dir_all(directory).and_then(|()| std::fs::write(page, ".TH formwork 1\n")).expect("a page");
        }
        ["status", number] => return ExitCode::from(number.parse::<u8>().expect("a number")),
        ["wait"] => {
            println!("{}", std::process::id());
            std::io::stdout().flush().expect("a pipe");
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        other => println!("{other:?}"),
    }
    ExitCode::SUCCESS
}
