//! Errors of the transform.

use formwork_base::suggest;
use formwork_syntax::NodeId;

/// A reason to refuse a part of a template: the sentence of the translator about a resource, without its beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) sentence: Box<str>,
    /// The node that it is about; the resource without it.
    pub(crate) at: Option<NodeId>,
    /// The name that is wrong.
    pub(crate) name: Option<Box<str>>,
    /// The title; `@` is the place of the resource's ID.
    pub(crate) title: Option<Box<str>>,
    /// The name that a wrong one may mean.
    pub(crate) near: Option<Box<str>>,
    /// The ID in the sentence, if it is not that of the resource.
    id: Option<Box<str>>,
    /// The other resource of an ID.
    pub(crate) other: Option<NodeId>,
    pub(crate) is_clash: bool,
    /// Set when it is about a limit of the run, which the translator does not have.
    pub(crate) is_limit: bool,
    /// Set when the translator ends with it: no other refusal is reported.
    pub(crate) is_alone: bool,
    subject: Subject,
}

/// The subject of a sentence of the translator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    Resource,
    Template,
    Globals,
    /// The sentence is complete.
    Whole,
}

impl Refusal {
    pub(crate) fn new(sentence: impl Into<String>) -> Refusal {
        Refusal {
            sentence: sentence.into().into(),
            at: None,
            name: None,
            title: None,
            near: None,
            id: None,
            other: None,
            is_clash: false,
            is_limit: false,
            is_alone: false,
            subject: Subject::Resource,
        }
    }

    /// Returns the refusal of a template.
    pub(crate) fn of_template(sentence: impl Into<String>) -> Refusal {
        Refusal { subject: Subject::Template, ..Refusal::new(sentence) }
    }

    /// Returns the refusal of a template that leaves nothing else to report.
    pub(crate) fn alone(sentence: impl Into<String>) -> Refusal {
        Refusal { is_alone: true, ..Refusal::of_template(sentence) }
    }

    /// Returns the refusal of a template whose result is too large.
    pub(crate) fn limit(title: String) -> Refusal {
        let refusal = Refusal { is_limit: true, is_alone: true, ..Refusal::new(title.as_str()) };
        refusal.whole().titled(title)
    }

    /// Returns the refusal of an ID that another resource has.
    pub(crate) fn clash(sentence: String, id: &str) -> Refusal {
        Refusal { subject: Subject::Whole, is_clash: true, ..Refusal::new(sentence) }.about(id)
    }

    /// Makes the sentence complete: nothing is put before it.
    #[must_use]
    pub(crate) fn whole(mut self) -> Refusal {
        self.subject = Subject::Whole;
        self
    }

    /// Sets the other place.
    #[must_use]
    pub(crate) fn other(mut self, node: Option<NodeId>) -> Refusal {
        self.other = node;
        self
    }

    /// Makes it a refusal of the section `Globals`.
    #[must_use]
    pub(crate) fn of_globals(mut self) -> Refusal {
        self.subject = Subject::Globals;
        self
    }

    /// Returns the translator's sentence about the resource with this ID.
    pub(crate) fn full_sentence(&self, id: &str) -> String {
        match self.subject {
            Subject::Resource => {
                format!("Resource with id [{}] is invalid. {}", self.id.as_deref().unwrap_or(id), self.sentence)
            }
            Subject::Template => format!("Structure of the SAM template is invalid. {}", self.sentence),
            Subject::Globals => format!("'Globals' section is invalid. {}", self.sentence),
            Subject::Whole => self.sentence.to_string(),
        }
    }

    /// Sets the place, unless it has one.
    #[must_use]
    pub(crate) fn at(mut self, node: Option<NodeId>) -> Refusal {
        self.at = self.at.or(node);
        self
    }

    /// Sets the ID in the sentence, unless it has one.
    #[must_use]
    pub(crate) fn of_resource(mut self, id: &str) -> Refusal {
        self.id.get_or_insert_with(|| id.into());
        self
    }

    /// Sets the name that is wrong.
    #[must_use]
    pub(crate) fn about(mut self, name: &str) -> Refusal {
        self.name = Some(name.into());
        self
    }

    /// Sets the names of which the wrong one may be a typo.
    #[must_use]
    pub(crate) fn among<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Refusal {
        self.near = self.name.as_deref().and_then(|name| suggest::nearest(name, names)).map(Into::into);
        self
    }

    /// Sets the title. `@` is the place of the resource's ID.
    #[must_use]
    pub(crate) fn titled(mut self, title: impl Into<String>) -> Refusal {
        self.title = Some(title.into().into());
        self
    }

    /// Returns the refusal of an event, unless it is about another resource.
    #[must_use]
    pub(crate) fn of_event(mut self, id: &str) -> Refusal {
        if self.id.is_some() {
            return self;
        }
        self.sentence = format!("Event with id [{id}] is invalid. {}", self.sentence).into();
        self
    }

    /// Returns the refusal of an event whose sentence does not name its resource, unless it is about another resource.
    #[must_use]
    pub(crate) fn of_event_alone(self, id: &str) -> Refusal {
        if self.id.is_some() { self } else { self.of_event(id).whole() }
    }
}
