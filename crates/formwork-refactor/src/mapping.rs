//! Mappings from resources to their new stacks and names.

use std::fmt;

/// A resource by its stack and its logical ID in the processed template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceId {
    /// The name of the stack.
    pub stack: String,
    /// The logical ID.
    pub logical_id: String,
}

/// A resource that gets another logical ID, another stack, or both.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mapping {
    /// The deployed resource.
    pub source: ResourceId,
    /// The resource after the refactor.
    pub destination: ResourceId,
}

impl ResourceId {
    /// Creates the ID of a resource in a stack.
    pub fn new(stack: &str, logical_id: &str) -> ResourceId {
        ResourceId { stack: stack.to_owned(), logical_id: logical_id.to_owned() }
    }

    /// Parses `STACK.ID`, or `ID` in `stack` if there is only one.
    fn read(text: &str, stack: Option<&str>) -> Option<ResourceId> {
        let (stack, id) = match text.split_once('.') {
            Some((stack, id)) => (stack, id),
            None => (stack?, text),
        };
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_id && !stack.is_empty()).then(|| ResourceId::new(stack, id))
    }
}

impl Mapping {
    /// Parses `OLD=NEW` or `STACK.OLD=STACK.NEW`. `stack` is that of IDs without a stack; `None` when there are several
    /// stacks.
    pub fn read(text: &str, stack: Option<&str>) -> Option<Mapping> {
        let (old, new) = text.split_once('=')?;
        let (source, destination) = (ResourceId::read(old, stack)?, ResourceId::read(new, stack)?);
        Some(Mapping { source, destination })
    }

    /// Returns `true` if the resource goes to another stack.
    pub fn is_move(&self) -> bool {
        self.source.stack != self.destination.stack
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.stack, self.logical_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_command_line() {
        let shop = |text| Mapping::read(text, Some("shop"));
        let rename = Mapping { source: ResourceId::new("shop", "Old"), destination: ResourceId::new("shop", "New") };
        assert_eq!(shop("Old=New"), Some(rename.clone()));
        assert_eq!(Mapping::read("shop.Old=shop.New", None), Some(rename.clone()));
        assert!(!rename.is_move());
        let moved = Mapping::read("shop.Old=data.Old", None).expect("a mapping");
        assert_eq!((moved.is_move(), moved.source.to_string().as_str()), (true, "shop.Old"));
        for wrong in ["Old", "Old=", "=New", "Old=a b", "shop.=New", ".Old=New"] {
            assert_eq!(shop(wrong), None, "{wrong}");
        }
        assert_eq!(Mapping::read("Old=New", None), None, "of which stack?");
    }
}
