//! What items are called, and which paths their signatures and bodies name.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Fields, Generics, ImplItem, Item, Signature, TraitItem, Visibility};

/// A path that a signature names, and the part of the item that does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Named {
    /// A field, variant or function of the item; empty for the item itself.
    pub part: String,
    /// The path as written.
    pub path: Vec<String>,
}

/// A name without the mark of one that is a keyword, too.
pub(super) fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// The name of a declared item; `None` for what has none.
pub(super) fn declared(item: &Item) -> Option<(String, &Visibility)> {
    let (name, vis) = match item {
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        _ => return None,
    };
    Some((plain(name), vis))
}

/// The types that the macro which an item defines or calls declares as public ones.
pub(super) fn declared_by_macro(item: &Item) -> Vec<String> {
    let Item::Macro(item) = item else { return Vec::new() };
    let mut found = Vec::new();
    types_in(item.mac.tokens.clone(), &mut found);
    found
}

fn types_in(tokens: TokenStream, found: &mut Vec<String>) {
    let mut before = [String::new(), String::new()];
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            types_in(group.stream(), found);
        }
        let word = token.to_string();
        if before[0] == "pub" && ["enum", "struct", "type"].contains(&before[1].as_str()) {
            found.push(word.clone());
        }
        before = [std::mem::take(&mut before[1]), word];
    }
}

/// The name of a declared item; `None` for what has none.
pub fn name_of(item: &Item) -> Option<String> {
    declared(item).map(|(name, _)| name)
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether a part of an `impl` is compiled for tests alone.
pub(super) fn is_part_for_tests(part: &ImplItem) -> bool {
    let attributes = match part {
        ImplItem::Const(part) => &part.attrs,
        ImplItem::Fn(part) => &part.attrs,
        ImplItem::Type(part) => &part.attrs,
        _ => return false,
    };
    attributes.iter().any(is_test_only)
}

/// Whether an attribute keeps what it is on from all but tests.
pub(super) fn is_test_only(attribute: &Attribute) -> bool {
    let is = |name: &str| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == name)
    };
    is("test") || is("doctest")
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// What an item shows of itself to a user of its crate: the types and traits of public fields, variants,
/// functions, and associated types. The item of an `impl` is the type that it is of.
pub fn signature_of(item: &Item) -> (Option<Vec<String>>, Vec<Named>) {
    let mut found = Collector::default();
    match item {
        Item::Const(item) => found.within(&item.generics, |found| found.visit_type(&item.ty)),
        Item::Static(item) => found.visit_type(&item.ty),
        Item::Type(item) => found.within(&item.generics, |found| found.visit_type(&item.ty)),
        Item::Fn(item) => found.function(&item.sig),
        Item::Struct(item) => found.within(&item.generics, |found| found.fields(&item.fields, false)),
        Item::Enum(item) => found.within(&item.generics, |found| {
            for variant in &item.variants {
                found.part = variant.ident.to_string();
                found.fields(&variant.fields, true);
            }
        }),
        Item::Trait(item) => found.within(&item.generics, |found| {
            item.supertraits.iter().for_each(|bound| found.visit_type_param_bound(bound));
            for item in &item.items {
                match item {
                    TraitItem::Fn(item) => found.function(&item.sig),
                    TraitItem::Const(item) => found.visit_type(&item.ty),
                    TraitItem::Type(item) => item.bounds.iter().for_each(|bound| found.visit_type_param_bound(bound)),
                    _ => {}
                }
            }
        }),
        Item::Impl(item) => {
            let is_of_trait = item.trait_.is_some();
            found.within(&item.generics, |found| {
                for item in &item.items {
                    match item {
                        ImplItem::Fn(item) if !is_of_trait && is_public(&item.vis) => found.function(&item.sig),
                        ImplItem::Const(item) if !is_of_trait && is_public(&item.vis) => found.visit_type(&item.ty),
                        ImplItem::Type(item) => found.visit_type(&item.ty),
                        _ => {}
                    }
                }
            });
            let syn::Type::Path(of) = &*item.self_ty else { return (None, Vec::new()) };
            return (Some(segments(&of.path)), found.named);
        }
        _ => {}
    }
    (None, found.named)
}

/// Every path of several segments that an item holds, bodies of functions and macros included.
pub fn paths_in_body(item: &Item) -> BTreeSet<Vec<String>> {
    let mut found = Body::default();
    found.visit_item(item);
    found.0
}

pub(super) fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| plain(&segment.ident)).collect()
}

/// Collects what types and bounds name, without generic parameters.
#[derive(Default)]
struct Collector {
    generic: Vec<String>,
    part: String,
    named: Vec<Named>,
}

impl Collector {
    fn within(&mut self, generics: &Generics, work: impl FnOnce(&mut Collector)) {
        let outer = self.generic.len();
        self.generic.extend(generics.type_params().map(|param| param.ident.to_string()));
        self.generic.extend(generics.const_params().map(|param| param.ident.to_string()));
        self.visit_generics(generics);
        work(self);
        self.generic.truncate(outer);
    }

    fn function(&mut self, signature: &Signature) {
        self.part = signature.ident.to_string();
        self.within(&signature.generics, |found| {
            for input in &signature.inputs {
                if let syn::FnArg::Typed(input) = input {
                    found.visit_type(&input.ty);
                }
            }
            found.visit_return_type(&signature.output);
        });
    }

    fn fields(&mut self, fields: &Fields, are_all: bool) {
        let variant = std::mem::take(&mut self.part);
        for field in fields.iter().filter(|field| are_all || is_public(&field.vis)) {
            self.part = field.ident.as_ref().filter(|_| !are_all).map_or_else(|| variant.clone(), ToString::to_string);
            self.visit_type(&field.ty);
        }
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_path(&mut self, path: &'a syn::Path) {
        let names = segments(path);
        if names[0] != "Self" && !self.generic.contains(&names[0]) {
            self.named.push(Named { part: self.part.clone(), path: names });
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}
}

#[derive(Default)]
struct Body(BTreeSet<Vec<String>>);

impl Body {
    /// The paths among tokens that nobody has parsed, such as the arguments of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons < 2 {
                        self.take(&mut path);
                    }
                    path.push(plain(&name));
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.take(&mut path);
                    self.tokens(group.stream());
                }
                _ => self.take(&mut path),
            }
        }
        self.take(&mut path);
    }

    fn take(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.0.insert(path);
        }
    }
}

impl<'a> Visit<'a> for Body {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.take(&mut segments(path));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'a syn::Macro) {
        self.tokens(found.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_item_use(&mut self, _: &'a syn::ItemUse) {}

    fn visit_item_mod(&mut self, _: &'a syn::ItemMod) {}
}
