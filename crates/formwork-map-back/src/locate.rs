//! Findings with their authored locations.

use formwork_base::{Diagnostics, Limits, VirtualPath};
use formwork_syntax::{NodeId, Tree, read};

use crate::finding::{Target, ToolFinding};
use crate::map::{Entry, SourceMap};
use crate::site::Site;

/// Looks up the authored locations of findings.
pub struct Locator<'m> {
    map: &'m SourceMap,
    /// The output, if it is available.
    expanded: Option<Expanded>,
}

pub(crate) struct Expanded {
    sources: formwork_base::SourceMap,
    tree: Tree,
    root: NodeId,
}

/// A finding with its authored location.
#[derive(Clone, Debug)]
pub struct Located {
    /// The finding of the tool.
    pub finding: ToolFinding,
    /// The authored site; `None` for a finding about the whole file.
    pub site: Option<Site>,
    /// The last authored line, if the finding is about a whole entry.
    pub last_line: Option<u32>,
    /// The path of the node in the output, such as `Resources.Queue.Properties.Name`, or of its entry.
    pub path: Option<String>,
    /// The line and column in the output.
    pub output: Option<(u32, u32)>,
    /// The name of the entry that contains it.
    pub entry: Option<String>,
}

impl<'m> Locator<'m> {
    /// Creates a locator; `expanded` is the content of the output, in which paths are looked up.
    pub fn new(map: &'m SourceMap, expanded: Option<&str>) -> Locator<'m> {
        Locator { map, expanded: expanded.and_then(Expanded::read) }
    }

    /// Returns the source map.
    pub fn map(&self) -> &'m SourceMap {
        self.map
    }

    /// Returns a finding with its authored location.
    pub fn locate(&self, finding: ToolFinding) -> Located {
        match &finding.target {
            Target::Path { path, line, column } => {
                let place = self.expanded.as_ref().and_then(|expanded| expanded.place(path));
                let (line, column) = place.unwrap_or((*line, *column));
                let path = (!path.is_empty()).then(|| path.join("."));
                self.at(self.map.site(line, column), (line, column), path, finding)
            }
            &Target::Point { line, column } => self.at(self.map.site(line, column), (line, column), None, finding),
            &Target::Line { line, column } => {
                self.at(self.map.nearest_site(line, column), (line, column), None, finding)
            }
            &Target::Lines { first, last } => match self.map.entry_around(first, last) {
                Some(entry) => self.whole(&entry, finding),
                None => self.at(self.map.nearest_site(first, 1), (first, 1), None, finding),
            },
            Target::Resource(name) => match self.map.entry(None, name) {
                Some(entry) => self.whole(&entry, finding),
                None => Located::of_file(finding),
            },
            Target::File => Located::of_file(finding),
        }
    }

    fn at(&self, site: Option<Site>, output: (u32, u32), path: Option<String>, finding: ToolFinding) -> Located {
        let entry = self.map.entry_around(output.0, output.0);
        let found = || self.expanded.as_ref().and_then(|expanded| expanded.path_at(output));
        let path = path.or_else(found).or_else(|| entry.as_ref().map(Entry::path));
        let entry = entry.map(|entry| entry.name);
        Located { finding, site, last_line: None, path, output: Some(output), entry }
    }

    fn whole(&self, entry: &Entry, finding: ToolFinding) -> Located {
        let (site, last_line) = match self.map.site_of_entry(entry) {
            Some((site, _, last)) => (Some(site), Some(last)),
            None => (None, None),
        };
        let (path, output) = (Some(entry.path()), Some((entry.first, 1)));
        Located { finding, site, last_line, path, output, entry: Some(entry.name.clone()) }
    }
}

impl Located {
    fn of_file(finding: ToolFinding) -> Located {
        Located { finding, site: None, last_line: None, path: None, output: None, entry: None }
    }
}

impl Entry {
    fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }
}

/// Returns the path of the node at a position in an authored file, such as `Resources.Fn::ForEach::Queues.2`, which
/// identifies it when lines move.
pub fn authored_path(text: &str, line: u32, column: u32) -> Option<String> {
    Expanded::read(text)?.path_at((line, column))
}

impl Expanded {
    pub(crate) fn read(text: &str) -> Option<Expanded> {
        let (mut sources, mut tree, mut found) = (formwork_base::SourceMap::new(), Tree::new(), Diagnostics::new());
        let file = sources.add(VirtualPath::new("expanded"), text)?;
        let document = read(&mut tree, &sources, file, &Limits::default(), &mut found);
        Some(Expanded { sources, tree, root: document.root })
    }

    /// Returns line and column of the key or element at a path. A path that is too long leads to its last existing
    /// node.
    fn place(&self, path: &[String]) -> Option<(u32, u32)> {
        let (mut node, mut span) = (self.root, None);
        for word in path {
            let Some((next, place)) = crate::paths::child(&self.tree, node, word) else { break };
            (node, span) = (next, Some(place));
        }
        let place = self.sources.place(span?)?;
        Some((place.line, place.column))
    }

    /// Returns the path of the smallest node at a position.
    pub(crate) fn path_at(&self, (line, column): (u32, u32)) -> Option<String> {
        let file = self.sources.files().next()?;
        let text = self.sources.text(file);
        let mut start = 0;
        for _ in 1..line {
            start += text.get(start..)?.find('\n')? + 1;
        }
        let rest = text.get(start..)?;
        let offset = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at);
        let at = self.sources.base(file) + (start + offset) as u32;
        let mut words = Vec::new();
        let mut node = self.root;
        while let Some((word, next)) = crate::paths::child_at(&self.tree, node, at) {
            words.push(word);
            node = next;
        }
        (!words.is_empty()).then(|| words.join("."))
    }
}
