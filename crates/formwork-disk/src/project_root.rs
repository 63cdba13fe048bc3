//! Finds the project of a template (reference/command-line.md#project-root), and its configuration
//! (reference/configuration.md#search).

use std::path::{Component, Path, PathBuf};

use crate::owner::{Owner, is_foreign};

/// Marks the directory of a repository.
const REPOSITORY: &str = ".git";

const OWN_MARKERS: [&str; 2] = ["formwork.toml", "formwork.lock"];

/// A file of a project that need not be at its top.
const SAMCONFIG: &str = "samconfig.toml";

/// Number of levels above a template at which markers outside of a repository are searched.
const LEVELS: usize = 8;

/// Returns the project root of a template in `directory`: the nearest directory at or above it that holds `.git`.
/// Outside of a repository it is the outermost directory below the home directory and at most 8 levels up that holds
/// `formwork.toml`, `formwork.lock` or `samconfig.toml`; the working directory, when it is above that or nothing is
/// found, below the home directory, and neither of the first two exists; else `directory` itself.
pub fn project_root(directory: &Path) -> PathBuf {
    project_root_from(directory, std::env::current_dir().ok().as_deref())
}

/// Like [`project_root`], for another working directory, which a person chose.
pub fn project_root_from(directory: &Path, working: Option<&Path>) -> PathBuf {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let Ok(real) = directory.canonicalize() else { return directory.to_owned() };
    let working = working.and_then(|working| working.canonicalize().ok());
    match root_of(&real, working.as_deref(), home().as_deref()) {
        Some(root) if root != real => root.to_owned(),
        _ => directory.to_owned(),
    }
}

fn root_of<'d>(directory: &'d Path, working: Option<&Path>, home: Option<&Path>) -> Option<&'d Path> {
    let owners = [Some(Owner::of_process()), Owner::of(directory)];
    let is_owned = |path: &Path| {
        let owner = Owner::of(path);
        owner.is_some() && owners.contains(&owner)
    };
    // A marker may be a broken link: it marks all the same. Those of other users do not count.
    let has = |directory: &Path, name: &str| is_owned(&directory.join(name));
    if let Some(repository) = directory.ancestors().find(|directory| has(directory, REPOSITORY)) {
        return Some(repository);
    }
    let candidates = || directory.ancestors().take(LEVELS + 1).take_while(|directory| is_below(directory, home));
    let has_own = |directory: &Path| OWN_MARKERS.iter().any(|name| has(directory, name));
    let marked = candidates().filter(|directory| has_own(directory) || has(directory, SAMCONFIG)).last();
    if candidates().any(has_own) {
        return marked;
    }
    // A working directory is a project to a person: `/` and the home directory are not, nor is a directory that others
    // may write.
    let is_working = |directory: &&Path| {
        Some(*directory) == working && is_below(directory, home) && directory.parent().is_some() && is_owned(directory)
    };
    let working = directory.ancestors().find(is_working);
    // Of two directories above another one, the outer one has the shorter path.
    marked.into_iter().chain(working).min_by_key(|directory| directory.components().count())
}

/// The position of a directory in its project, as its path is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InProject {
    /// The project root, without links.
    pub root: PathBuf,
    /// The path from there as typed: links of the project in it are not followed.
    pub below: PathBuf,
}

/// Returns the project that a directory belongs to by its path as typed. A link inside of a project is one of its
/// files, wherever it leads: its target does not select another root. A link outside of every project is followed.
///
/// # Errors
/// When a part of the path does not exist.
pub fn in_project(directory: &Path) -> std::io::Result<InProject> {
    let working = std::env::current_dir().and_then(|working| working.canonicalize()).ok();
    in_project_of(directory, working.as_deref(), home().as_deref())
}

fn in_project_of(directory: &Path, working: Option<&Path>, home: Option<&Path>) -> std::io::Result<InProject> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let typed = std::path::absolute(directory)?;
    let (mut walked, mut parts) = (PathBuf::new(), typed.components());
    while let Some(part) = parts.next() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                walked.pop();
            }
            Component::Normal(name) if walked.join(name).is_symlink() => {
                let real = walked.canonicalize()?;
                if let Some(root) = root_of(&real, working, home) {
                    let inside = real.strip_prefix(root).unwrap_or(Path::new(""));
                    return Ok(InProject { root: root.to_owned(), below: inside.join(name).join(parts.as_path()) });
                }
                walked = walked.join(name).canonicalize()?;
            }
            part => walked.push(part),
        }
    }
    let real = walked.canonicalize()?;
    let root = root_of(&real, working, home).unwrap_or(&real);
    let below = real.strip_prefix(root).unwrap_or(Path::new("")).to_owned();
    Ok(InProject { root: root.to_owned(), below })
}

/// Returns `true` if a directory is neither the home directory nor above it.
fn is_below(directory: &Path, home: Option<&Path>) -> bool {
    !home.is_some_and(|home| home.starts_with(directory))
}

fn home() -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
    Some(home.canonicalize().unwrap_or(home))
}

/// A configuration file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectConfiguration {
    /// The path of the file.
    pub path: PathBuf,
    /// Set if another user owns the file: it must not be read then.
    pub is_foreign: bool,
}

/// Returns the nearest file `name` in `directory` or above it. The search ends at the first directory with `.git`,
/// and never finds a file in the home directory or above it unless that directory is the one with `.git`.
pub fn project_configuration(directory: &Path, name: &str) -> Option<ProjectConfiguration> {
    let real = directory.canonicalize().ok()?;
    let levels = configuration_of(&real, name, home().as_deref())?;
    // The path as people write it.
    let above = std::iter::repeat_n("..", levels).collect::<PathBuf>();
    let path = if directory == Path::new(".") { above.join(name) } else { directory.join(above).join(name) };
    Some(ProjectConfiguration { is_foreign: is_foreign(&path), path })
}

/// Returns the number of levels from a directory, which has no links, up to the file.
fn configuration_of(directory: &Path, name: &str, home: Option<&Path>) -> Option<usize> {
    for (levels, directory) in directory.ancestors().enumerate() {
        let is_repository = directory.join(REPOSITORY).symlink_metadata().is_ok();
        let is_there = directory.join(name).symlink_metadata().is_ok();
        if (is_repository || is_below(directory, home)) && is_there {
            return Some(levels);
        }
        if is_repository {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A directory with others below it.
    fn directories(below: &str) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().expect("a directory");
        let base = directory.path().canonicalize().expect("it exists");
        fs::create_dir_all(base.join(below)).expect("directories");
        (directory, base)
    }

    fn mark(base: &Path, paths: &[&str]) {
        for path in paths {
            fs::write(base.join(path), "").expect("written");
        }
    }

    #[test]
    fn the_nearest_repository_is_the_project_whatever_is_nearer() {
        let (_directory, base) = directories("a/b/c");
        let deep = base.join("a/b/c");
        mark(&base, &[".git", "a/samconfig.toml", "a/b/c/formwork.toml"]);
        assert_eq!(project_root(&deep), base);
        // A file of a worktree or a submodule, and a link that leads nowhere.
        mark(&base, &["a/.git"]);
        assert_eq!(project_root(&deep), base.join("a"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", base.join("a/b/.git")).expect("a link");
            assert_eq!(project_root(&deep), base.join("a/b"));
        }
        assert_eq!(project_root(&base.join("missing")), base.join("missing"));
    }

    #[test]
    fn without_a_repository_the_outermost_marker_counts() {
        let (_directory, base) = directories("a/b/c");
        let deep = base.join("a/b/c");
        assert_eq!(project_root(&deep), deep);
        for (marker, at) in [("samconfig.toml", "a/b/c"), ("formwork.lock", "a/b"), ("formwork.toml", "a")] {
            mark(&base, &[&format!("{at}/{marker}")]);
            assert_eq!(project_root(&deep), base.join(at), "{marker}");
        }
    }

    #[test]
    fn the_working_directory_counts_where_no_file_marks_the_project() {
        let (_directory, base) = directories("home/work/shop/deploy/child");
        let (home, shop, deploy) = (base.join("home"), base.join("home/work/shop"), base.join("home/work/shop/deploy"));
        let root =
            |directory: &Path, working: &Path| root_of(directory, Some(working), Some(&home)).map(Path::to_owned);
        assert_eq!(root(&deploy, &shop), Some(shop.clone()));
        assert_eq!(root(&shop, &shop), Some(shop.clone()));
        assert_eq!(project_root_from(&deploy, Some(&shop)), shop);
        assert_eq!(project_root_from(&deploy, None), deploy);
        // Not beside or below the template, in the home directory, or above it.
        for working in [&deploy.join("child"), &home, &base, Path::new("/")] {
            assert_eq!(root(&deploy, working), None, "{}", working.display());
        }
        assert_eq!(root_of(&deploy, Some(Path::new("/")), None), None);
        // A samconfig.toml does not end the search, and counts where it is further up.
        mark(&base, &["home/work/shop/deploy/samconfig.toml"]);
        assert_eq!(root(&deploy, &shop), Some(shop.clone()));
        assert_eq!(root(&deploy, &home), Some(deploy.clone()));
        mark(&base, &["home/work/samconfig.toml"]);
        assert_eq!(root(&deploy, &shop), Some(home.join("work")));
        // What marks a project does, whoever works where.
        for marker in [".git", "formwork.lock", "formwork.toml"] {
            let (_directory, base) = directories("shop/deploy");
            mark(&base, &[&format!("shop/deploy/{marker}")]);
            let deploy = base.join("shop/deploy");
            assert_eq!(root_of(&deploy, Some(&base.join("shop")), None), Some(deploy.as_path()), "{marker}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_working_directory_of_another_user_does_not_count() {
        let (_directory, base) = directories("shared/deploy");
        // Only root may change owners.
        if std::os::unix::fs::chown(base.join("shared"), Some(65_534), None).is_ok() {
            assert_eq!(root_of(&base.join("shared/deploy"), Some(&base.join("shared")), None), None);
        }
    }

    #[test]
    fn a_marker_in_the_home_directory_or_above_it_or_too_far_up_does_not_count() {
        let (_directory, base) = directories("home/1/2/3/4/5/6/7/8/9");
        let (home, deep) = (base.join("home"), base.join("home/1/2/3/4/5/6/7/8/9"));
        mark(&base, &["samconfig.toml", "home/samconfig.toml"]);
        assert_eq!(root_of(&home.join("1"), None, Some(&home)), None);
        assert_eq!(root_of(&home, None, Some(&home)), None);
        assert_eq!(root_of(&home.join("1"), None, Some(Path::new("/elsewhere"))), Some(base.as_path()));
        assert_eq!(root_of(&deep, None, Some(&home)), None);
        mark(&base, &["home/1/formwork.toml"]);
        assert_eq!(root_of(&deep, None, Some(&home)), Some(home.join("1").as_path()), "eight levels up");
        fs::create_dir(deep.join("10")).expect("a directory");
        assert_eq!(root_of(&deep.join("10"), None, Some(&home)), None, "nine levels up");
        mark(&base, &["home/.git"]);
        assert_eq!(root_of(&deep, None, Some(&home)), Some(home.as_path()), "a repository has no such bound");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_a_project_belongs_to_it_wherever_it_leads() {
        use std::os::unix::fs::symlink;
        let (_directory, base) = directories("project/a/b");
        fs::create_dir_all(base.join("other/deep")).expect("directories");
        mark(&base, &["project/.git", "other/.git"]);
        symlink("../other", base.join("project/out")).expect("a link");
        symlink("a", base.join("project/in")).expect("a link");
        symlink("project", base.join("way")).expect("a link");
        let home = base.join("home");
        let of = |path: &str| in_project_of(&base.join(path), None, Some(&home)).expect("it exists");
        let project = |below: &str| InProject { root: base.join("project"), below: PathBuf::from(below) };
        for (path, below) in [
            ("project", ""),
            ("project/a/../a/b", "a/b"),
            ("project/out", "out"),
            ("project/out/deep", "out/deep"),
            ("project/in/b", "in/b"),
            // A link outside of every project only leads there.
            ("way/a", "a"),
            ("way/out/deep", "out/deep"),
        ] {
            assert_eq!(of(path), project(below), "{path}");
        }
        assert_eq!(of("other/deep").root, base.join("other"));
        assert!(in_project(&base.join("project/missing")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_marker_of_another_user_does_not_count_unless_the_directory_is_theirs() {
        let (_directory, base) = directories("a/b");
        for marker in [".git", "formwork.toml"] {
            mark(&base, &[marker]);
            // Only root may change owners.
            if std::os::unix::fs::chown(base.join(marker), Some(65_534), None).is_err() {
                return;
            }
        }
        assert_eq!(root_of(&base.join("a/b"), None, None), None);
        std::os::unix::fs::chown(base.join("a/b"), Some(65_534), None).expect("root may");
        assert_eq!(root_of(&base.join("a/b"), None, None), Some(base.as_path()));
    }

    #[test]
    fn the_search_for_a_configuration_ends_at_the_repository_and_below_the_home_directory() {
        let (_directory, base) = directories("home/project/src");
        let (home, source) = (base.join("home"), base.join("home/project/src"));
        let find = |directory: &Path| configuration_of(directory, "formwork.toml", Some(&home));
        mark(&base, &["formwork.toml", "home/formwork.toml"]);
        assert_eq!(find(&source), None);
        assert_eq!(find(&home), None);
        mark(&base, &["home/project/formwork.toml"]);
        assert_eq!(find(&source), Some(1));
        mark(&base, &["home/project/src/.git"]);
        assert_eq!(find(&source), None, "the repository has none");
        mark(&base, &["home/.git"]);
        assert_eq!(find(&home), Some(0), "the home directory is the project");
        let found = project_configuration(&home.join("project"), "formwork.toml").expect("a file");
        assert_eq!((found.path, found.is_foreign), (home.join("project/formwork.toml"), false));
    }
}
