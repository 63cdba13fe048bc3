//! Bounds on the work that one run may do.

/// Bounds that are checked before work is done, so that hostile input ends in a clear error and never in exhausted
/// memory. The defaults are far above CloudFormation's quotas (reference/structure.md#quotas).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most bytes of one source file.
    pub file_bytes: u64,
    /// Most files that a template reads: modules, includes, inserted files and archives together.
    pub files: usize,
    /// Most bytes of these files together.
    pub read_bytes: u64,
    /// Most nodes that includes add to a template, those of a file counted at each of its uses.
    pub included_nodes: u64,
    /// Most bytes of a module, and of an inserted file.
    pub module_bytes: u64,
    /// Most bytes of an archive, and of a file with a hash.
    pub archive_bytes: u64,
    /// Most uses of modules.
    pub module_uses: usize,
    /// Most copies that all `ForEach` generate together.
    pub module_copies: u64,
    /// Most nodes of a template with its modules inlined.
    pub module_nodes: u64,
    /// Most rows that one `Fn::Flatten` generates.
    pub flattened_rows: usize,
    /// Most nested lists, mappings and calls in a source file or a result.
    pub depth: usize,
    /// Most nodes read from files, including copies by YAML aliases; also most elements of the lists that functions
    /// generate.
    pub nodes: usize,
    /// Most iterations of all loops together.
    pub iterations: u64,
    /// Most nodes of the written template, shared nodes counted at each use.
    pub output_nodes: u64,
    /// Most bytes of the keys and scalars of the written template, shared ones counted at each use: as many as one
    /// source file may have.
    pub output_bytes: u64,
    /// Most bytes of white space in the written template, for files that have much of it in one place.
    pub output_white_space: u64,
    /// Most bytes of one computed string.
    pub text_bytes: u64,
    /// Most bytes of all computed strings in total.
    pub total_text_bytes: u64,
    /// Number of iterations of a loop from which on the result of one is copied for the others, which saves time and
    /// does not change the result. Not a bound: tests compare the results of several numbers.
    #[doc(hidden)]
    pub copied_iterations: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 64 << 20,
            files: 10_000,
            read_bytes: 256 << 20,
            included_nodes: 1_000_000,
            module_bytes: 1 << 20,
            archive_bytes: 50 << 20,
            module_uses: 100_000,
            module_copies: 10_000,
            module_nodes: 1_000_000,
            flattened_rows: 100_000,
            depth: 200,
            nodes: 4_000_000,
            iterations: 100_000,
            output_nodes: 20_000_000,
            output_bytes: 64 << 20,
            output_white_space: 1 << 30,
            text_bytes: 4 << 20,
            total_text_bytes: 64 << 20,
            // With fewer, looking for what can be copied costs more than it gains.
            copied_iterations: 4,
        }
    }
}
