//! `AWS::Include` of local files (reference/packaging.md#includes). Includes are resolved before loops and functions,
//! anywhere in the tree: the content of the file replaces the call as CloudFormation does it, an included key replacing
//! a sibling of the same name.
//!
//! Files that include others are processed with a list, not by recursion. Each is parsed once for all of its uses, and
//! its nodes are shared; so the size of the result is counted before it is built.

mod computed;
mod put;
mod sites;
mod size;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, IdMap, Limits, ReadError, Severity, SourceMap, VirtualPath, codes};
use formwork_syntax::{Files, Kind, NodeId, Role, Tree, flags, symbol};
use formwork_template::kind_of_file::{is_meant_as_template, sentences};
use rustc_hash::{FxHashMap, FxHashSet};

pub use computed::{Computed, Named, with_locations};
use sites::Site;
pub(crate) use sites::{arguments, has_computed, is_computed};
use size::Size;

/// The state of a run that includes need.
pub struct Context<'c> {
    /// The tree, which grows.
    pub tree: &'c mut Tree,
    /// The files in the position space, which grow.
    pub sources: &'c mut SourceMap,
    /// The files of the run.
    pub reading: &'c Files<'c>,
    /// Bounds on the work.
    pub limits: &'c Limits,
    /// The diagnostics found so far.
    pub diagnostics: &'c mut Diagnostics,
    /// The severity of a missing file, whose call is kept.
    pub missing: Severity,
}

/// The files that a run included so far, by path.
#[derive(Debug, Default)]
pub struct Includes {
    contents: FxHashMap<VirtualPath, Content>,
    spliced: u64,
    /// Set when a limit was exceeded and reported: nothing more is included.
    stopped: bool,
}

#[derive(Clone, Copy, Debug)]
struct Content {
    root: NodeId,
    size: Size,
}

struct Open {
    path: VirtualPath,
    root: NodeId,
    /// The includes of the file; those before `next` are done.
    sites: Vec<Site>,
    next: usize,
    /// The contents by the arguments of the calls that they replace.
    found: IdMap<NodeId, NodeId>,
    size: Size,
}

impl Open {
    fn new(tree: &Tree, root: NodeId, path: VirtualPath, is_template: bool) -> Open {
        let mut sites = Vec::new();
        if is_template {
            sites::of_section(tree, root, &path, &mut sites);
        }
        sites::below(tree, root, &path, 0, &mut sites);
        Open::with(tree, root, path, sites)
    }

    fn with(tree: &Tree, root: NodeId, path: VirtualPath, sites: Vec<Site>) -> Open {
        Open { path, root, sites, next: 0, found: IdMap::default(), size: size::of(tree, root) }
    }
}

fn may_include(tree: &Tree, root: NodeId) -> bool {
    let is_plain = |node| tree.is_scalar(node);
    let has_section = || match tree.get(root, symbol::TRANSFORM) {
        Some(node) if tree.kind(node) == Kind::List => !tree.items(node).iter().all(|&item| is_plain(item)),
        Some(node) => !is_plain(node),
        None => false,
    };
    tree.has(root, flags::HAS_TRANSFORM) || tree.kind(root) == Kind::Map && has_section()
}

impl Includes {
    /// Returns the template with this root and its local includes inlined. `path` is the path of the template.
    pub fn include(&mut self, cx: &mut Context<'_>, root: NodeId, path: &VirtualPath) -> NodeId {
        if self.stopped || !may_include(cx.tree, root) {
            return root;
        }
        let open = Open::new(cx.tree, root, path.clone(), true);
        self.put_in(cx, open)
    }

    fn put_in(&mut self, cx: &mut Context<'_>, template: Open) -> NodeId {
        let root = template.root;
        let mut paths: FxHashSet<VirtualPath> = FxHashSet::from_iter([template.path.clone()]);
        let mut open = vec![template];
        loop {
            let is_template = open.len() == 1;
            if cx.diagnostics.is_cancelled() {
                return root;
            }
            let Some(top) = open.last_mut() else { return root };
            let Some(site) = top.sites.get(top.next) else {
                let made = put::includes(cx.tree, top.root, &top.found, is_template, cx.diagnostics);
                let Some(top) = open.pop() else { return root };
                if open.is_empty() {
                    return made;
                }
                paths.remove(&top.path);
                self.contents.insert(top.path, Content { root: made, size: top.size });
                continue;
            };
            if let Some(&content) = self.contents.get(&site.target) {
                let (argument, fits) = (site.argument, self.charge(cx, site, content, top.size));
                let Some(size) = fits else {
                    self.stopped = true;
                    return root;
                };
                top.size = size;
                top.found.insert(argument, content.root);
                top.next += 1;
            } else if paths.contains(&site.target) {
                let chain =
                    open.iter().map(|file| &file.path).chain(open.last().map(|top| &top.sites[top.next].target));
                let diagnostic = circular(chain.collect());
                if let Some(top) = open.last_mut() {
                    cx.diagnostics.push(diagnostic.at(top.sites[top.next].span));
                    top.next += 1;
                }
            } else if let Some(root) = read(cx, site) {
                let file = Open::new(cx.tree, root, site.target.clone(), false);
                paths.insert(file.path.clone());
                open.push(file);
            } else {
                top.next += 1;
            }
        }
    }

    /// Returns the size of a file with one more include inlined; `None` when it exceeds a limit.
    fn charge(&mut self, cx: &mut Context<'_>, site: &Site, content: Content, size: Size) -> Option<Size> {
        if cx.tree.kind(content.root) == Kind::Map {
            self.spliced += cx.tree.len(content.root) as u64;
        }
        let size = size.with(content.size, site.depth);
        let (nodes, depth) = (cx.limits.included_nodes, cx.limits.depth);
        let what = if size.nodes > nodes || self.spliced > nodes {
            format!("the included files have more than {nodes} nodes: the limit is exceeded")
        } else if size.depth > depth {
            format!("lists, mappings and calls in included files are nested deeper than {depth}: the limit is exceeded")
        } else {
            return Some(size);
        };
        let diagnostic = Diagnostic::new(codes::LIMIT, what)
            .at(site.span)
            .note("a file counts each time it is included")
            .help("include fewer files, or each of them only once");
        cx.diagnostics.push(diagnostic);
        None
    }
}

fn read(cx: &mut Context<'_>, site: &Site) -> Option<NodeId> {
    let bytes = match cx.reading.read(&site.target) {
        Ok(bytes) => bytes,
        Err(error) => {
            cx.diagnostics.push(unreadable(site, &error, cx.missing));
            return None;
        }
    };
    let display = cx.sources.shown(&site.target);
    let Some(loaded) = cx.reading.load(cx.sources, (&site.target, &display, Role::Template), &bytes) else {
        let diagnostic = Diagnostic::new(codes::LIMIT, "the total size of the files exceeds the limit");
        cx.diagnostics.push(diagnostic.at(site.span).help("include fewer or smaller files"));
        return None;
    };
    cx.diagnostics.extend(loaded.error.map(|error| error.at(site.span)));
    let mut found = cx.diagnostics.of_same_run();
    let document = cx.reading.parse(cx.tree, cx.sources, loaded.file, cx.limits, &mut found);
    let is_read = document.is_well_formed || found.is_cancelled();
    if is_read || is_meant_as_template(cx.tree, &document, cx.sources.text(loaded.file)) {
        cx.diagnostics.append(found);
        return Some(document.root);
    }
    // The file may be a secret: none of its text is in the report.
    cx.sources.hide(loaded.file);
    cx.diagnostics.push(broken(site, sentences(&found)));
    None
}

/// Reports a file that is not well-formed and has no section of a template.
fn broken(site: &Site, sentence: Option<String>) -> Diagnostic {
    let message = format!("the included file {} is not well-formed", shown(&site.text));
    let diagnostic = Diagnostic::titled(codes::NOT_WELL_FORMED, message).at(site.span);
    sentence
        .into_iter()
        .fold(diagnostic, |diagnostic, sentence| diagnostic.quoting(&sentence))
        .note("a file that is not a part of a template is not quoted")
        .help("include a file in YAML or JSON, such as resources or properties")
}

fn unreadable(site: &Site, error: &ReadError, missing: Severity) -> Diagnostic {
    let (code, severity) = match error {
        ReadError::Limit(_) => (codes::LIMIT, codes::LIMIT.info().severity),
        _ => (codes::UNREADABLE_FILE, missing),
    };
    Diagnostic::new(code, format!("the included file {} cannot be read: {error}", shown(&site.text)))
        .severity(severity)
        .at(site.span)
        .note(format!("looked for {}, relative to the file that includes it", shown(site.target.as_str())))
        .help(match error {
            ReadError::OutsideRoot => {
                "name a directory that contains the file and the template with `--project-root DIR`"
            }
            ReadError::NotRegular(_) => "include a regular file",
            ReadError::Limit(_) => "include fewer files",
            _ => "correct the path, or add the file",
        })
}

/// Reports files that include each other. `chain` begins with the template and ends with the repeated file.
fn circular(chain: Vec<&VirtualPath>) -> Diagnostic {
    /// Names that are shown at each end of a long chain.
    const ENDS: usize = 4;
    let mut names: Vec<&str> = chain.into_iter().map(VirtualPath::as_str).collect();
    if names.len() > 2 * ENDS + 1 {
        names.splice(ENDS..names.len() - ENDS, ["…"]);
    }
    let message = format!("circular dependency between included files: {}", shown(&names.join(" -> ")));
    Diagnostic::new(codes::UNREADABLE_FILE, message).help("remove one of the includes")
}
