//! Diagnostics about links. A finding belongs to the template with the authored place; the other place is in a note, since
//! templates are read by themselves.

mod cycle;
mod exported_twice;
mod joined_list;
mod link_name;
mod stack_values;
mod stage_export;
mod unused_export;

use formwork_base::Diagnostic;
use formwork_base::display::shown;

use crate::links::Links;
use crate::name::Name;
use crate::template::Template;

/// A diagnostic, and the number of the template that it is about.
pub type Found = (usize, Diagnostic);

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The diagnostics, by template.
    pub found: Vec<Found>,
    /// The number of names that are imported and come from outside.
    pub outside: usize,
}

/// What a check is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Set when the templates are all there are: an import from outside is an error then.
    pub is_closed: bool,
    /// Set to report exports that nothing imports.
    pub unused: bool,
}

/// Checks the links between templates.
pub fn check(templates: &[Template], asked: Asked) -> Checked {
    let links = Links::of(templates);
    let mut checked = Checked::default();
    let lacking = stage_export::check(templates, &links, &mut checked.found);
    link_name::check(templates, &links, (asked.is_closed, &lacking), &mut checked);
    cycle::check(templates, &links, &mut checked.found);
    exported_twice::check(templates, &mut checked.found);
    joined_list::check(&links, &mut checked.found);
    stack_values::check(templates, &mut checked.found);
    if asked.unused {
        unused_export::check(templates, &links, &mut checked.found);
    }
    checked.found.sort_by_key(|(template, _)| *template);
    checked
}

/// Returns the templates with errors.
fn broken(templates: &[Template]) -> Vec<&Template> {
    templates.iter().filter(|template| template.is_broken).collect()
}

/// Returns `true` if one of the templates with errors may export what another one imports.
fn may_be_of(broken: &[&Template], importer: &Template) -> bool {
    broken.iter().any(|template| template.may_be_beside(importer))
}

/// Returns a name as a message shows it.
fn quoted(name: &Name) -> String {
    format!("`{}`", shown(&name.to_string()))
}

/// Returns a place as a message shows it.
fn place(file: &str, line: u32) -> String {
    format!("{}:{line}", shown(file))
}
