//! Converts arguments to the options of the library, and reads templates.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::{FileId, Loader, read_file};
use formwork::{
    Analysis, Change, Compat, Configuration, FileBytes, Limits, Options, Origins, ParameterWord, PseudoParameter,
    Session, SourceFile, UnknownRules, Values, VirtualPath, parameter_words,
};
use formwork_project::{Config, Failure, FileFailure, ProjectFile, notes};

use crate::args::InputArgs;
use crate::declared_templates::DeclaredTemplates;
use crate::folder::display_prefix;
pub use crate::folder::folder;
use crate::host::ProjectHost;
use crate::many_files::ManyFiles;
use crate::output::Outputs;
use crate::relocation::real;
use crate::surroundings::Surroundings;
use crate::templates::TemplateFile;

/// Commands that take a built template in place of the authored one, and show its locations as authored.
const AUTHORED: [&str; 10] = [
    "package",
    "deploy",
    "sync",
    "validate",
    "events",
    "list_resources",
    "list_endpoints",
    "logs",
    "diagnose",
    "refactor",
];

/// A template that was read, and the options that it is compiled with.
pub struct Input {
    /// The path of the template, relative to its directory.
    pub path: VirtualPath,
    /// The host that reads its files.
    pub host: Arc<ProjectHost>,
    /// The session with the files that were read so far, the template included.
    pub session: Session<'static>,
    /// The options of the compilation.
    pub options: Options,
    /// The Region of the command line or the configuration.
    pub region: Option<String>,
    /// The upload settings of the configuration file.
    pub upload: Upload,
    /// The resources that the configuration file excludes from a build.
    pub excluded: Vec<String>,
}

impl Input {
    /// Returns an analysis of the template with its options.
    pub fn analysis(&self) -> Analysis<'static> {
        self.session.with_options(self.options.clone()).analyze(&self.path)
    }

    /// Replaces the host; the content of the template is kept.
    ///
    /// # Errors
    /// When the template cannot be read.
    pub fn read_through(&mut self, host: ProjectHost) -> Result<(), formwork::ReadError> {
        let bytes = self.session.read(&self.path)?;
        self.host = Arc::new(host);
        self.session = Session::new(Arc::clone(&self.host), Options::default());
        self.session.set_file(&self.path, bytes);
        Ok(())
    }
}

/// The upload settings of the configuration file.
#[derive(Debug, Default)]
pub struct Upload {
    path: PathBuf,
    /// The bucket.
    pub s3_bucket: Option<String>,
    /// The prefix of keys.
    pub s3_prefix: Option<String>,
    /// Set when the bucket is the one that SAM CLI manages.
    pub resolve_s3: bool,
    /// The KMS key.
    pub kms_key_id: Option<String>,
    /// The repository of all images.
    pub image_repository: Option<String>,
    /// Image repositories of functions: `LOGICALID=URI`.
    pub image_repositories: Vec<String>,
    /// Set when the image repositories are those that SAM CLI manages.
    pub resolve_image_repos: bool,
    /// The name of the stack, from which names of created repositories are derived.
    pub stack_name: Option<String>,
}

impl Upload {
    fn of(config: &Config, stack_name: Option<String>) -> Result<Upload, FileFailure> {
        let section = config.section();
        Ok(Upload {
            path: config.path().to_owned(),
            s3_bucket: section.text("s3_bucket"),
            s3_prefix: section.text("s3_prefix"),
            resolve_s3: section.flag("resolve_s3").unwrap_or_default(),
            kms_key_id: section.text("kms_key_id"),
            image_repository: section.text("image_repository"),
            image_repositories: config.unused_words("image_repositories")?.unwrap_or_default(),
            resolve_image_repos: section.flag("resolve_image_repos").unwrap_or_default(),
            stack_name,
        })
    }

    /// Notes which of these settings had an effect.
    pub fn used(&self, settings: &[(&str, bool)]) {
        for (key, _) in settings.iter().filter(|(_, is_there)| *is_there) {
            notes::note(&self.path, key);
        }
    }

    /// Returns the path of the configuration file, for messages.
    pub fn file(&self) -> std::path::Display<'_> {
        self.path.display()
    }
}

/// Reads a template and all inputs of the command line. `command` is its name, for the configuration file.
///
/// # Errors
/// When a file named on the command line cannot be read, or an argument is invalid.
pub fn read(
    template: &Path,
    command: &str,
    values: Values,
    inputs: &InputArgs,
    is_strict: bool,
) -> Result<Input, Failure> {
    let file = TemplateFile::named(template.to_owned());
    read_in(&Surroundings::default(), &file, command, values, (inputs, is_strict))
}

/// Like [`read`], for one of several templates that share their surroundings.
///
/// # Errors
/// The errors of [`read`].
pub fn read_in(
    surroundings: &Surroundings,
    file: &TemplateFile,
    command: &str,
    values: Values,
    (inputs, is_strict): (&InputArgs, bool),
) -> Result<Input, Failure> {
    let limits = Limits::default();
    let template = file.path.as_path();
    let named = file.many.is_none() && file.found_by.is_none() && !template.is_file() && template != Path::new("-");
    let declared =
        if named { DeclaredTemplates::find()?.of_word(template).map(|one| Arc::clone(&one.files)) } else { None };
    if let Some(many) = file.many.as_ref().or(declared.as_ref()) {
        return read_many(surroundings, (file, many), (command, values), (inputs, is_strict));
    }
    // The outputs of the command itself have been checked before.
    Outputs::new(&[], inputs.live.record_account.as_deref()).check(&inputs.named_files(template))?;
    let content = if template == Path::new("-") {
        (read_stdin(limits.file_bytes)?, None)
    } else if let Some(content) = file.take_content() {
        content
    } else {
        let read = match &file.found_by {
            Some(loader) => loader.read_found(template),
            None => read_file(template, limits.file_bytes),
        };
        let read = read.map_err(|error| FileFailure::unread(template, &error).of_template())?;
        (read.bytes.into(), read.id)
    };
    read_content(surroundings, template, content, (command, values), (inputs, is_strict))
}

/// Reads a template of several files: for a check each by itself, for other commands united as one text, with the places
/// in its files. Files that cannot be united are read for their errors.
fn read_many(
    surroundings: &Surroundings,
    (file, many): (&TemplateFile, &ManyFiles),
    (command, values): (&str, Values),
    (inputs, is_strict): (&InputArgs, bool),
) -> Result<Input, Failure> {
    Outputs::new(&[], inputs.live.record_account.as_deref())
        .check(&many.files.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    if command != "check" {
        let united = many.unite(is_strict)?;
        if let Some(text) = many.text(&united, folder(&file.path)) {
            let content = (FileBytes::from(text.bytes), None);
            let place = Place { origins: Some(text.origins), ..Place::of(&file.path) };
            let input = read_at(surroundings, place, content, (command, values), (inputs, is_strict))?;
            many.files.iter().for_each(|file| input.host.loader().note(file));
            return Ok(input);
        }
    }
    let mut paths = many.paths();
    let mut contents = many.read()?;
    let place = Place {
        directory: many.directory().to_owned(),
        path: paths.remove(0),
        file: many.files.first().cloned().unwrap_or_default(),
        prefix: many.prefix(),
        origins: None,
    };
    let mut input = read_at(surroundings, place, (contents.remove(0), None), (command, values), (inputs, is_strict))?;
    input.session.apply(paths.iter().cloned().zip(contents).map(|(path, bytes)| Change::Set(path, bytes)));
    many.files.iter().for_each(|file| input.host.loader().note(file));
    input.options.shown_file = file.shown.as_ref().and_then(|shown| {
        let at = many.files.iter().position(|one| real(one) == real(shown))?;
        many.paths().into_iter().nth(at)
    });
    input.options.other_files = paths;
    Ok(input)
}

/// The place of a template.
struct Place {
    /// The directory from which paths are relative in the session.
    directory: PathBuf,
    path: VirtualPath,
    /// The file on the disk, or the name of the template.
    file: PathBuf,
    /// The prefix with which paths are shown.
    prefix: String,
    /// The places in the authored files.
    origins: Option<Origins>,
}

impl Place {
    fn of(template: &Path) -> Place {
        let is_stdin = template == Path::new("-");
        let parent = if is_stdin { PathBuf::new() } else { template.parent().map(Path::to_owned).unwrap_or_default() };
        let path = match template.file_name().filter(|_| !is_stdin) {
            Some(name) => VirtualPath::new(&name.to_string_lossy()),
            None => VirtualPath::stdin(),
        };
        Place {
            directory: folder(template).to_owned(),
            path,
            file: template.to_owned(),
            prefix: display_prefix(&parent),
            origins: None,
        }
    }
}

/// Like [`read`], for a template whose content was read, with the identity of its file on the disk, if it has one.
///
/// # Errors
/// The errors of [`read`].
pub fn read_content(
    surroundings: &Surroundings,
    template: &Path,
    (bytes, id): (FileBytes, Option<FileId>),
    (command, values): (&str, Values),
    (inputs, is_strict): (&InputArgs, bool),
) -> Result<Input, Failure> {
    read_at(surroundings, Place::of(template), (bytes, id), (command, values), (inputs, is_strict))
}

fn read_at(
    surroundings: &Surroundings,
    place: Place,
    (bytes, id): (FileBytes, Option<FileId>),
    (command, values): (&str, Values),
    (inputs, is_strict): (&InputArgs, bool),
) -> Result<Input, Failure> {
    let Place { directory: base, path, file, prefix: display_prefix, origins } = place;
    let base = base.as_path();
    let directory = surroundings.directory(base, command, inputs)?;
    let host = ProjectHost::in_project(base, &directory.project, directory.loader(), inputs)?;
    let host = match origins {
        Some(origins) => host.with_origins(&path, origins),
        None if AUTHORED.contains(&command) => host.showing_authored(base),
        None => host,
    };
    let host = Arc::new(host);
    let loader = host.loader();
    loader.note_file(&file, id);
    let config = &directory.config;
    let passed = passed_options(inputs, loader, base)?;
    let mut options = Options { values, strict: is_strict, display_prefix, ..passed };
    config.refuse_signing(command)?;
    config.apply_to(&mut options)?;
    if let Some(name) = &inputs.parameter_set {
        options.configurations.push(parameter_set(name)?);
    }
    options.configurations.extend(inputs.stack_values.as_deref().cloned());
    let stack_name = inputs.stack_name.clone().or_else(|| config.section().text("stack_name"));
    let upload = Upload::of(config, stack_name)?;
    let excluded = if command == "build" { config.words("exclude")?.unwrap_or_default() } else { Vec::new() };
    let region = inputs.region.clone().or_else(|| config.section().text("region"));
    let session = Session::sharing(surroundings.sources(), Arc::clone(&host), Options::default());
    let session = match surroundings.clean() {
        Some(clean) => session.with_clean_uses(clean),
        None => session,
    };
    session.set_file(&path, bytes);
    Ok(Input { path, host, session, options, region, upload, excluded })
}

/// Returns the options that the arguments set. Others keep the defaults of the library, except that unknown rules are
/// not errors.
fn passed_options(inputs: &InputArgs, loader: &Loader, base: &Path) -> Result<Options, Failure> {
    let mut parameters = Vec::new();
    let mut parameter_files = side_files(loader, &inputs.parameters_file, base)?;
    let words = parameter_words(inputs.parameter_overrides.iter().map(String::as_str));
    for word in words.map_err(|error| format!("{error}\n  help: {}", error.help()))? {
        match word {
            ParameterWord::Value(value) => parameters.push(value),
            ParameterWord::File(path) => parameter_files.extend(side_files(loader, &[PathBuf::from(path)], base)?),
        }
    }
    Ok(Options {
        parameters,
        parameter_files,
        pseudo: passed_pseudo(inputs)?,
        accounts: side_files(loader, &inputs.account, base)?,
        unknown_rules: UnknownRules::Warn,
        language_extensions: inputs.language_extensions,
        compat: inputs.compat.unwrap_or(Compat::Formwork),
        allow_unresolved: inputs.allow_unresolved,
        ..Options::default()
    })
}

/// Returns the pseudo parameters with an option of their own, and those of `--pseudo`, which take precedence.
fn passed_pseudo(inputs: &InputArgs) -> Result<Vec<(PseudoParameter, String)>, Failure> {
    let own = [
        (PseudoParameter::Region, &inputs.region),
        (PseudoParameter::AccountId, &inputs.account_id),
        (PseudoParameter::Partition, &inputs.partition),
        (PseudoParameter::StackName, &inputs.stack_name),
    ];
    let own = own.into_iter().filter_map(|(name, value)| Some(Ok((name, value.clone()?))));
    own.chain(inputs.pseudo.iter().map(|word| pseudo_word(word))).collect()
}

fn parameter_set(name: &str) -> Result<Configuration, Failure> {
    let missing = || format!("no formwork.toml with a parameter set `{name}` was found here or in a directory above");
    let file = ProjectFile::find().map_err(Failure::of_first)?.ok_or_else(missing)?;
    Ok(file.set(name)?)
}

/// Reads standard input, at most `limit` bytes and one more.
///
/// # Errors
/// When it cannot be read.
pub fn read_stdin(limit: u64) -> Result<FileBytes, Failure> {
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    stdin.take(limit + 1).read_to_end(&mut bytes).map_err(|error| format!("standard input cannot be read: {error}"))?;
    Ok(bytes.into())
}

/// Reads files on the command line that are inputs besides a template.
///
/// # Errors
/// When one of them cannot be read.
pub fn side_files_of(loader: &Loader, template: &Path, paths: &[PathBuf]) -> Result<Vec<SourceFile>, FileFailure> {
    side_files(loader, paths, folder(template))
}

fn side_files(loader: &Loader, paths: &[PathBuf], directory: &Path) -> Result<Vec<SourceFile>, FileFailure> {
    paths
        .iter()
        .map(|path| {
            Ok(SourceFile {
                path: from_directory(path, directory),
                display: path.to_string_lossy().into_owned(),
                bytes: loader.read_named(path).map_err(|error| FileFailure::unread(path, &error))?.into(),
            })
        })
        .collect()
}

/// Rewrites a path relative to a directory, so that it is the same from any working directory.
pub fn from_directory(path: &Path, directory: &Path) -> String {
    let (Ok(path), Ok(directory)) = (std::path::absolute(path), std::path::absolute(directory)) else {
        return path.to_string_lossy().into_owned();
    };
    let parts = |path: &Path| -> Vec<String> {
        let path = VirtualPath::new(&path.to_string_lossy());
        path.as_str().split('/').map(str::to_owned).collect()
    };
    let (path, directory) = (parts(&path), parts(&directory));
    let shared = path.iter().zip(&directory).take_while(|(a, b)| a == b).count();
    let up = directory[shared..].iter().filter(|part| !part.is_empty()).map(|_| "..");
    up.chain(path[shared..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
}

/// Parses `AWS::Name=VALUE`.
///
/// # Errors
/// When the word is not `AWS::Name=VALUE`.
pub fn pseudo_word(word: &str) -> Result<(PseudoParameter, String), Failure> {
    let (name, value) = word.split_once('=').ok_or_else(|| "a value of --pseudo is not AWS::Name=VALUE".to_owned())?;
    match PseudoParameter::from_name(name) {
        Some(PseudoParameter::NoValue) | None => {
            let names: Vec<&str> = PseudoParameter::ALL
                .iter()
                .filter(|pseudo| **pseudo != PseudoParameter::NoValue)
                .map(|pseudo| pseudo.name())
                .collect();
            Err(format!("{name} is not a pseudo parameter; use one of {}", names.join(", ")).into())
        }
        Some(pseudo) => Ok((pseudo, value.to_owned())),
    }
}
