//! Times of the stages of a run, for `--timings`.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use crate::terminal;

/// The stages of the work on one template with their start times; empty unless requested.
pub struct Timings {
    stages: Option<RefCell<Vec<(&'static str, Instant)>>>,
}

/// The time of each stage, summed over templates.
#[derive(Debug, Default)]
pub struct Spent {
    stages: Vec<(&'static str, Duration)>,
    templates: usize,
}

impl Timings {
    /// Starts with the stage of reading; nothing is recorded unless `is_wanted`.
    pub fn new(is_wanted: bool) -> Timings {
        Timings { stages: is_wanted.then(|| RefCell::new(vec![("read", Instant::now())])) }
    }

    /// Begins a stage, which ends the one before it.
    pub fn begin(&self, name: &'static str) {
        if let Some(stages) = &self.stages {
            stages.borrow_mut().push((name, Instant::now()));
        }
    }

    /// Returns the time of each stage until now, in the order in which they began.
    pub fn spent(&self) -> Spent {
        let Some(stages) = &self.stages else { return Spent::default() };
        let (stages, end) = (stages.borrow(), Instant::now());
        let ends = stages.iter().skip(1).map(|(_, begin)| *begin).chain([end]);
        let stages = stages.iter().zip(ends).map(|((name, begin), end)| (*name, end - *begin)).collect();
        Spent { stages, templates: 1 }
    }

    /// Prints the time of each stage until now.
    pub fn print(&self) {
        self.spent().print();
    }
}

impl Spent {
    /// Adds the time of another template, stage by stage.
    pub fn add(&mut self, other: &Spent) {
        self.templates += other.templates;
        for (name, time) in &other.stages {
            match self.stages.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += *time,
                None => self.stages.push((name, *time)),
            }
        }
    }

    /// Prints one table. The time of several templates is the sum over all threads.
    pub fn print(&self) {
        for (name, time) in &self.stages {
            terminal::say_line(&format!("{name:>10} {:8.3} ms", time.as_secs_f64() * 1e3));
        }
        if self.templates > 1 {
            let all: Duration = self.stages.iter().map(|(_, time)| *time).sum();
            let all = all.as_secs_f64() * 1e3;
            terminal::say_line(&format!("{:>10} {all:8.3} ms for {} templates, on all threads", "all", self.templates));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_templates_are_added_stage_by_stage() {
        let of = |stages: &[(&'static str, u64)]| Spent {
            stages: stages.iter().map(|(name, time)| (*name, Duration::from_millis(*time))).collect(),
            templates: 1,
        };
        let mut spent = Spent::default();
        spent.add(&of(&[("read", 1), ("check", 2)]));
        spent.add(&of(&[("read", 3), ("expand", 4), ("check", 5)]));
        let wanted = of(&[("read", 4), ("check", 7), ("expand", 4)]);
        assert_eq!((spent.stages, spent.templates), (wanted.stages, 2));
    }
}
