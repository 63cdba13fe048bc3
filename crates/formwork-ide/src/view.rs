//! The view of an expansion.

use formwork::{FileRange, VirtualPath};

/// The stage of a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stage {
    /// The output of `expand`.
    #[default]
    Expand,
    /// The output of `resolve`.
    Resolve,
    /// The output of `expand --serverless`: what CloudFormation deploys.
    Deploy,
}

impl Stage {
    /// All stages, in the order of their numbers.
    pub(crate) const ALL: [Stage; 3] = [Stage::Expand, Stage::Resolve, Stage::Deploy];

    /// Returns the name in URIs.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Expand => "expand",
            Stage::Resolve => "resolve",
            Stage::Deploy => "deploy",
        }
    }

    /// Returns the stage of this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// A place of the view and its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapped {
    /// The first byte in the view.
    pub start: u32,
    /// The offset after the last byte in the view.
    pub end: u32,
    /// The authored place.
    pub site: FileRange,
    /// The iterations and imports that lead there, outermost first.
    pub frames: Vec<String>,
}

impl Mapped {
    /// Returns `true` if an import or loop variable of this name leads there.
    pub fn is_in(&self, name: &str) -> bool {
        let is_named =
            |frame: &String| frame.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(" = "));
        self.frames.iter().any(is_named)
    }
}

/// An expansion with the origins of its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The text, byte for byte that of the command.
    pub text: String,
    /// The nodes, in order.
    pub map: Vec<Mapped>,
    /// The number of errors that prevent the expansion; the text is empty then.
    pub errors: usize,
}

impl View {
    /// Returns the places of the view that come from an authored place: the copies of the smallest node around `offset`
    /// in a file, in the order of the view.
    pub fn copies_of(&self, file: &VirtualPath, offset: u32) -> Vec<&Mapped> {
        let holds = |mapped: &&Mapped| mapped.site.file == *file && mapped.site.touches(offset);
        let smallest = self.map.iter().filter(holds).map(|mapped| mapped.site.end - mapped.site.start).min();
        let Some(smallest) = smallest else { return Vec::new() };
        self.map.iter().filter(holds).filter(|mapped| mapped.site.end - mapped.site.start == smallest).collect()
    }

    /// Returns the origin of an offset of the view: that of the smallest node around it.
    pub fn site_of(&self, offset: u32) -> Option<&Mapped> {
        let around = self.map.iter().filter(|mapped| mapped.start <= offset && offset <= mapped.end);
        around.min_by_key(|mapped| mapped.end - mapped.start)
    }
}
