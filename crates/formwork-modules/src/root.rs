//! Assembly of the linked template from its sections.

use formwork_base::codes;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, symbol};

use formwork_template::template::MODULE_SECTIONS;
use rustc_hash::FxHashSet;

use super::address::Address;
use super::goals::BEYOND;
use super::instance::InstanceId;
use super::loaded::ModuleFile;
use super::modes::Modes;
use super::stop::{Resolved, Value};
use super::{Linked, Linker};

impl Linker<'_> {
    pub(super) fn run(mut self) -> (NodeId, Linked) {
        let written = self.template.root;
        let root = self.without_constants(written, self.loaded.files[0].file, InstanceId::ROOT);
        let root = if self.fits(root) { self.linked(root) } else { self.without_own_sections(written) };
        self.emitted.result.is_broken |= self.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::LIMIT);
        let is_elsewhere = |file: &&ModuleFile| !matches!(file.address, Address::Local(_));
        self.emitted.result.documents = self.documents();
        self.emitted.result.elsewhere = self.loaded.files.iter().filter(is_elsewhere).map(|file| file.file).collect();
        (root, self.emitted.result)
    }

    /// Returns the root without the sections of the module language, about which nothing else is reported.
    fn without_own_sections(&mut self, root: NodeId) -> NodeId {
        let entries: Vec<Entry> =
            self.tree.entries(root).filter(|entry| !MODULE_SECTIONS.contains(&self.tree.text(entry.key))).collect();
        let style = self.tree.style(root);
        self.tree.map(&entries, style, Origin::Generated(root, FrameId::NONE))
    }

    fn linked(&mut self, root: NodeId) -> NodeId {
        self.loaded.files[0].root = root;
        self.warn_of_root_sections(root);
        self.check_sections(InstanceId::ROOT);
        self.tree.reserve_copies(self.estimated());
        self.emit_all();
        let unrolled = self.complete(|linker| linker.unrolled(InstanceId::ROOT)).unwrap_or(root);
        let root = self.assembled(unrolled);
        let root = if self.values.usage.stopped { root } else { self.with_used_names(root) };
        self.check_size(root);
        if self.warns_of_full_ids && !self.values.usage.stopped {
            self.warn_of_full_ids();
        }
        root
    }

    fn estimated(&self) -> u64 {
        const OF_AN_IMPORT: u64 = 10;
        let imports = self.written_section(InstanceId::ROOT, "Modules").map_or(0, |imports| self.tree.len(imports));
        OF_AN_IMPORT.saturating_mul(imports as u64)
    }

    /// Reports a result with too many nodes or levels: outputs that contain each other may grow without bound
    /// (reference/modules/README.md#limits). Shared parts count each time.
    fn check_size(&mut self, root: NodeId) {
        let (nodes, depth) = (self.limits.module_nodes, self.limits.depth + BEYOND);
        if self.tree.is_below(root, nodes, depth as u32) {
            return;
        }
        let size = self.tree.measure(root);
        // Large templates without modules have limits of their own.
        let what = if size.nodes > nodes && self.values.instances.len() > 1 {
            format!("the result of modules has more than {nodes} nodes")
        } else if size.depth as usize > depth {
            format!("the result of modules is nested deeper than {depth} levels")
        } else {
            return;
        };
        let _: Resolved<()> = self.stop(InstanceId::ROOT, root, &what);
    }

    /// Returns each file once, for its first import. A file whose constants contain each other beyond the limits is
    /// left out: no check may walk it.
    fn documents(&mut self) -> Vec<(NodeId, FrameId)> {
        let mut seen = FxHashSet::default();
        let firsts = self.values.instances.iter().filter(|instance| seen.insert(instance.file));
        let documents = firsts.map(|instance| (self.loaded.files[instance.file].root, instance.frame));
        let (limits, mut documents) = (self.limits, documents.collect::<Vec<_>>());
        documents.retain(|(root, _)| {
            let size = self.tree.measure(*root);
            size.depth as usize <= limits.depth + BEYOND && size.fits(limits.output_nodes, limits.output_bytes)
        });
        documents
    }

    fn warn_of_root_sections(&mut self, root: NodeId) {
        if self.template.is_module {
            return;
        }
        let Some(entry) = self.tree.symbols().get("ParameterSchema").and_then(|name| self.tree.member(root, name))
        else {
            return;
        };
        let message = "ParameterSchema has no effect in a template, only in modules";
        let help = "write constraints such as `AllowedPattern` in Parameters, or assertions in Rules";
        self.report(InstanceId::ROOT, self.error(codes::SECTION_IGNORED, entry.key, message, help));
    }

    /// Returns the root's sections without those of the module language, resources of modules added.
    fn assembled(&mut self, root: NodeId) -> NodeId {
        let entries: Vec<Entry> = self.tree.entries(root).collect();
        let mut made: Vec<Entry> = Vec::with_capacity(entries.len());
        let emitted = std::mem::take(&mut self.emitted.entries);
        let mut has_modules = false;
        for entry in &entries {
            let name = self.tree.text(entry.key);
            if MODULE_SECTIONS.contains(&name) {
                has_modules |= name == "Modules";
                continue;
            }
            let value = match self.tree.symbol(entry.key) {
                symbol::RESOURCES if self.tree.kind(entry.value) == Kind::Map => {
                    let is_same = self.tree.entries(entry.value).eq(emitted.iter().copied());
                    if is_same { entry.value } else { self.map_in_place(entry.value, &emitted, FrameId::NONE) }
                }
                symbol::RESOURCES if self.tree.kind(entry.value) == Kind::Call && !emitted.is_empty() => {
                    let body = self.section_body(entry.value);
                    let mut members = self.members_of_body(body);
                    members.extend_from_slice(&emitted);
                    self.map_in_place(body, &members, FrameId::NONE)
                }
                symbol::RESOURCES | symbol::OUTPUTS => self.section_body(entry.value),
                symbol::TRANSFORM => self.merged_transform(Some(entry.value), entry.value),
                _ => entry.value,
            };
            made.push(Entry { key: entry.key, value });
        }
        let has = |name| self.tree.get(root, name).is_some();
        let (has_resources, has_transform) = (has(symbol::RESOURCES), has(symbol::TRANSFORM));
        let origin = Origin::Generated(root, FrameId::NONE);
        if !has_resources && (has_modules || !emitted.is_empty()) {
            let value = self.tree.map(&emitted, Style::Plain, origin);
            let key = self.tree.key("Resources", Style::Plain, origin);
            self.insert_section(&mut made, Entry { key, value }, &[symbol::OUTPUTS]);
        }
        if !has_transform && !self.emitted.transforms.is_empty() {
            let key = self.tree.key("Transform", Style::Plain, origin);
            let value = self.merged_transform(None, root);
            let front = [symbol::FORMAT_VERSION, symbol::DESCRIPTION];
            let at = made.iter().take_while(|entry| front.contains(&self.tree.symbol(entry.key))).count();
            made.insert(at, Entry { key, value });
        }
        if made == entries {
            return root;
        }
        let root = self.map_in_place(root, &made, FrameId::NONE);
        if self.choices.metrics && has_modules { self.with_metrics(root) } else { root }
    }

    /// Evaluates a section that is not a list of resources: loops and merges in its place are left to the next stage,
    /// which is strict about their keys.
    fn section_body(&mut self, node: NodeId) -> NodeId {
        let made = self.complete(|linker| match linker.tree.kind(node) {
            Kind::Call => linker.evaluate_other(node, InstanceId::ROOT),
            _ => linker.in_body(|linker| linker.root_entries(node)),
        });
        made.flatten().unwrap_or(node)
    }

    /// Evaluates the entries of a section: the values in an entry with a condition only exist when the condition holds.
    fn root_entries(&mut self, section: NodeId) -> Value {
        if self.tree.kind(section) != Kind::Map {
            return self.evaluate(section, InstanceId::ROOT);
        }
        let mut made = Vec::with_capacity(self.tree.len(section));
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            let under = [self.condition_left(entry.value, InstanceId::ROOT)?, None];
            let modes = Modes { under, ..self.values.modes };
            let value = self.with_modes(modes, |linker| linker.evaluate_part(entry.value, InstanceId::ROOT))?;
            made.extend(value.map(|value| Entry { key: entry.key, value }));
        }
        Ok(Some(self.map_in_place(section, &made, FrameId::NONE)))
    }

    /// Adds the marker of the AWS CLI (reference/modules/README.md#metadata).
    fn with_metrics(&mut self, root: NodeId) -> NodeId {
        let origin = Origin::Generated(root, FrameId::NONE);
        let mut value = self.tree.scalar(Kind::String, Style::Double, "true", origin);
        for name in ["Modules", "CloudFormationPackage"] {
            let key = self.tree.key(name, Style::Plain, origin);
            value = self.tree.map(&[Entry { key, value }], Style::Plain, origin);
        }
        let key = self.tree.key("AWSToolsMetrics", Style::Plain, origin);
        self.with_metadata(root, Entry { key, value })
    }
}
