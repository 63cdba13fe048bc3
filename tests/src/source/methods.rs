//! Methods: which module declares one, of which type, and what type it returns.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, FnArg, GenericArgument, ImplItem, Item, PathArguments, ReturnType, Signature, TraitItem, Type};

use super::names::{self, segments};
use super::{Definition, ModulePath, Sources, Target};

/// Smart pointers: a method of what they hold is called on them.
const POINTERS: [&str; 5] = ["Arc", "Box", "Rc", "Ref", "RefMut"];

/// A method, an associated function or a constant of a type.
#[derive(Clone, Debug)]
struct AssociatedItem {
    /// The module whose `impl` declares it.
    module: ModulePath,
    /// What it returns, where that is a type of the workspace.
    returns: Option<Definition>,
}

/// The associated items of one type.
#[derive(Default, Debug)]
struct AssociatedItems {
    /// By name; several for `impl Type<A>` and `impl Type<B>`.
    inherent: BTreeMap<String, Vec<AssociatedItem>>,
    of_traits: BTreeMap<String, Vec<AssociatedItem>>,
}

/// The methods of all types, and the types of all fields and functions.
pub(super) struct Methods<'s> {
    sources: &'s Sources,
    types: BTreeMap<Definition, AssociatedItems>,
    fields: BTreeMap<(Definition, String), Definition>,
    functions: BTreeMap<Definition, Definition>,
    /// Methods with a receiver, by name: the types and traits that declare one, and where.
    named: BTreeMap<String, BTreeSet<(Definition, ModulePath)>>,
    /// Methods of traits from elsewhere that a type implements, and of traits of the workspace.
    of_traits: BTreeSet<String>,
}

impl<'s> Methods<'s> {
    pub(super) fn new(sources: &'s Sources) -> Methods<'s> {
        let mut methods = Methods {
            sources,
            types: BTreeMap::new(),
            fields: BTreeMap::new(),
            functions: BTreeMap::new(),
            named: BTreeMap::new(),
            of_traits: BTreeSet::new(),
        };
        for (path, module) in &sources.modules {
            module.items.iter().for_each(|item| methods.read(path, item));
        }
        methods
    }

    fn read(&mut self, module: &ModulePath, item: &Item) {
        match item {
            Item::Impl(item) => self.read_impl(module, item),
            Item::Trait(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(names::plain(&method.sig.ident)),
                    _ => None,
                });
                self.of_traits.extend(methods);
            }
            Item::Struct(item) => {
                let own = (module.clone(), names::plain(&item.ident));
                self.read_fields(module, &own, &item.fields);
            }
            Item::Fn(item) => {
                if let Some(returned) = self.returned(module, None, &item.sig) {
                    self.functions.insert((module.clone(), names::plain(&item.sig.ident)), returned);
                }
            }
            _ => {}
        }
    }

    fn read_fields(&mut self, module: &ModulePath, own: &Definition, fields: &Fields) {
        for (at, field) in fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or_else(|| at.to_string(), names::plain);
            if let Some(of) = self.type_of(module, Some(own), &field.ty) {
                self.fields.insert((own.clone(), name), of);
            }
        }
    }

    fn read_impl(&mut self, module: &ModulePath, item: &syn::ItemImpl) {
        let own = self.type_of(module, None, &item.self_ty);
        for part in item.items.iter().filter(|part| !names::is_part_for_tests(part)) {
            let (name, returns, has_receiver) = match part {
                ImplItem::Fn(method) => {
                    let returns = self.returned(module, own.as_ref(), &method.sig);
                    let has_receiver = matches!(method.sig.inputs.first(), Some(FnArg::Receiver(_)));
                    (names::plain(&method.sig.ident), returns, has_receiver)
                }
                ImplItem::Const(constant) => (names::plain(&constant.ident), None, false),
                _ => continue,
            };
            if item.trait_.is_some() {
                self.of_traits.insert(name.clone());
            }
            let Some(own) = &own else { continue };
            let items = self.types.entry(own.clone()).or_default();
            let kind = if item.trait_.is_some() { &mut items.of_traits } else { &mut items.inherent };
            kind.entry(name.clone()).or_default().push(AssociatedItem { module: module.clone(), returns });
            if item.trait_.is_none() && has_receiver {
                self.named.entry(name).or_default().insert((own.clone(), module.clone()));
            }
        }
    }

    /// The type of the workspace that a signature returns.
    fn returned(&self, module: &ModulePath, own: Option<&Definition>, signature: &Signature) -> Option<Definition> {
        match &signature.output {
            ReturnType::Type(_, of) => self.type_of(module, own, of),
            ReturnType::Default => None,
        }
    }

    /// The type of the workspace that a type as written is, or points to; `own` is what `Self` means.
    pub(super) fn type_of(&self, module: &ModulePath, own: Option<&Definition>, of: &Type) -> Option<Definition> {
        match of {
            Type::Reference(of) => self.type_of(module, own, &of.elem),
            Type::Paren(of) => self.type_of(module, own, &of.elem),
            Type::Group(of) => self.type_of(module, own, &of.elem),
            Type::Path(of) if of.qself.is_none() => {
                let last = of.path.segments.last()?;
                if POINTERS.iter().any(|pointer| last.ident == pointer) {
                    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
                    return arguments.args.iter().find_map(|argument| match argument {
                        GenericArgument::Type(of) => self.type_of(module, own, of),
                        _ => None,
                    });
                }
                self.type_at(module, own, &segments(&of.path))
            }
            _ => None,
        }
    }

    /// The type of the workspace that a path names, through aliases.
    pub(super) fn type_at(&self, module: &ModulePath, own: Option<&Definition>, path: &[String]) -> Option<Definition> {
        if path.len() == 1 && path[0] == "Self" {
            return own.cloned();
        }
        let mut items = self.sources.resolve(module, path).into_iter().filter_map(|target| match target {
            Target::Item(definition) => Some(definition),
            _ => None,
        });
        let found = items.find(|(_, name)| name.starts_with(char::is_uppercase))?;
        let alias = self.sources.modules[&found.0].items.iter().find_map(|item| match item {
            Item::Type(alias) if alias.ident == found.1 => Some(&alias.ty),
            _ => None,
        });
        match alias {
            Some(of) => self.type_of(&found.0, None, of),
            None => Some(found),
        }
    }

    /// What a function that a path names returns.
    pub(super) fn function_at(&self, module: &ModulePath, path: &[String]) -> Option<Definition> {
        let mut targets = self.sources.resolve(module, path).into_iter();
        targets.find_map(|target| match target {
            Target::Item(definition) => self.functions.get(&definition).cloned(),
            _ => None,
        })
    }

    /// The type of a field.
    pub(super) fn field(&self, of: &Definition, name: &str) -> Option<Definition> {
        self.fields.get(&(of.clone(), name.to_owned())).cloned()
    }

    /// The associated items of a type with a name: its own ones, or else those of traits.
    fn items(&self, of: &Definition, name: &str) -> &[AssociatedItem] {
        let Some(items) = self.types.get(of) else { return &[] };
        items.inherent.get(name).or_else(|| items.of_traits.get(name)).map_or(&[], Vec::as_slice)
    }

    /// The module that declares an associated item of a type; `None` where several may.
    pub(super) fn declaring(&self, of: &Definition, name: &str) -> Option<&ModulePath> {
        let items = self.items(of, name);
        let first = &items.first()?.module;
        items.iter().all(|item| item.module == *first).then_some(first)
    }

    /// Whether a type has an associated item with a name.
    pub(super) fn has(&self, of: &Definition, name: &str) -> bool {
        !self.items(of, name).is_empty()
    }

    /// What an associated function of a type returns.
    pub(super) fn returned_by(&self, of: &Definition, name: &str) -> Option<&Definition> {
        match self.items(of, name) {
            [item] => item.returns.as_ref(),
            _ => None,
        }
    }

    /// The only type of the workspace with a method of a name that no trait has, and that method's module.
    pub(super) fn only(&self, name: &str) -> Option<&(Definition, ModulePath)> {
        let declared = self.named.get(name).filter(|_| !self.of_traits.contains(name))?;
        declared.first().filter(|_| declared.len() == 1)
    }
}
