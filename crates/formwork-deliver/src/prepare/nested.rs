//! Nested stacks (spec packaging.md, section 3).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use formwork::{Diagnostic, Given, LeftLoops, Options, ParameterValue, VirtualPath};
use formwork_package::{Need, Passed};

use super::{Preparation, Resolution, Source, faults};

/// A nested stack with the values that its parent gives it.
pub(super) type Use = (PathBuf, Vec<(Passed, PathBuf)>);

impl Preparation<'_> {
    /// Packages the template that a need names, once for each set of values.
    pub(super) fn nested(
        &mut self,
        need: &Need,
        parent: &VirtualPath,
        real: &Path,
        folders: &HashMap<String, PathBuf>,
        own: &Path,
    ) -> Result<Resolution, Option<Box<Diagnostic>>> {
        if let Some(from) = self.chain.iter().position(|path| path == real) {
            return Err(Some(Box::new(faults::circle(need, &self.chain[from..], &self.project_root))));
        }
        let folder_of = |passed: &Passed| {
            let known = passed.parameter.as_ref().and_then(|name| folders.get(name));
            known.map_or_else(|| own.to_owned(), PathBuf::clone)
        };
        let mut values: Vec<(Passed, PathBuf)> =
            need.passed.iter().map(|passed| (passed.clone(), folder_of(passed))).collect();
        values.sort();
        let this: Use = (real.to_owned(), values);
        if let Some(&known) = self.nested.get(&this) {
            return Ok(Resolution::Nested(known));
        }
        let path = match need.parameter.as_ref().and_then(|name| folders.get(name)) {
            None => parent.sibling(&need.path),
            // The path was given by a template elsewhere.
            Some(_) => VirtualPath::new(&real.to_string_lossy()),
        };
        let bytes = self.request.host.read(&path).map_err(|error| Some(Box::new(faults::unreadable(need, &error))))?;
        let given = |passed: &Passed| ParameterValue {
            name: passed.name.clone(),
            value: passed.value.clone(),
            given: Given::CommandLine,
        };
        let outer = &self.request.options;
        let options = Options {
            parameters: this.1.iter().map(|(passed, _)| given(passed)).collect(),
            parameter_files: Vec::new(),
            configured_parameters: Vec::new(),
            left_loops: LeftLoops::Unknown,
            ..outer.clone()
        };
        let folders = this.1.iter().map(|(passed, folder)| (passed.name.clone(), folder.clone())).collect();
        self.chain.push(real.to_owned());
        let number = self.unit(Source { path, bytes, options, folders });
        self.chain.pop();
        self.nested.insert(this, number);
        Ok(Resolution::Nested(number))
    }
}
