//! Which associated items of types the bodies of an item name: methods that they call, functions and constants.
//!
//! The type of a receiver is known where it is `self`, or a variable, parameter, field or result whose type is written
//! down or is that of what a known function returns. Then the `impl` of that type declares the method, its own before
//! those of traits; where several modules declare it, as for a trait of two types with one name, nothing is called.
//!
//! The type of another receiver would have to be inferred. There a method is called that one type of the workspace has
//! and no trait, unless [`COMMON`] has its name.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, ImplItemFn, Item, Member, Pat, Signature, Token, UnOp};

use super::methods::Methods;
use super::names::{self, segments};
use super::{Definition, ModulePath};

/// Methods of one type of the workspace whose names those of other crates have, too: of the standard library, of
/// `serde_json` and of `serde`. By such a name alone it is not known whose method is called.
const COMMON: [&str; 26] = [
    "abort",
    "arg",
    "args",
    "display",
    "encode",
    "env",
    "exists",
    "extension",
    "info",
    "is_alive",
    "is_file",
    "is_object",
    "last",
    "lock",
    "mode",
    "or",
    "peek",
    "pointer",
    "retain",
    "round",
    "scan",
    "skip",
    "status",
    "take_while",
    "windows",
    "zip",
];

/// A call of a method: the module that declares it, and the method as `Type::name`. Associated functions and constants
/// count as well.
pub type Call = (ModulePath, String);

/// What the bodies of an item call.
pub(super) fn calls(methods: &Methods<'_>, module: &ModulePath, item: &Item) -> BTreeSet<Call> {
    let mut calls = Calls { methods, module, own: None, variables: Vec::new(), found: BTreeSet::new() };
    calls.visit_item(item);
    calls.found
}

fn called(of: &Definition, name: &str, module: &ModulePath) -> Call {
    (module.clone(), format!("{}::{name}", of.1))
}

struct Calls<'s> {
    methods: &'s Methods<'s>,
    module: &'s ModulePath,
    /// What `Self` means.
    own: Option<Definition>,
    /// The variables in scope, the innermost one last, with their types where these are of the workspace.
    variables: Vec<(String, Option<Definition>)>,
    found: BTreeSet<Call>,
}

impl Calls<'_> {
    /// Does something, and forgets the variables that it declares.
    fn within(&mut self, work: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        work(self);
        self.variables.truncate(outer);
    }

    fn declare(&mut self, pattern: &Pat, of: Option<Definition>) {
        let name = match pattern {
            Pat::Ident(name) if name.subpat.is_none() => &name.ident,
            Pat::Reference(inner) => return self.declare(&inner.pat, of),
            Pat::Type(typed) => {
                let of = self.methods.type_of(self.module, self.own.as_ref(), &typed.ty);
                return self.declare(&typed.pat, of);
            }
            _ => return self.visit_pat(pattern),
        };
        self.variables.push((names::plain(name), of));
    }

    fn type_of(&self, expression: &Expr) -> Option<Definition> {
        match expression {
            Expr::Reference(inner) => self.type_of(&inner.expr),
            Expr::Paren(inner) => self.type_of(&inner.expr),
            Expr::Group(inner) => self.type_of(&inner.expr),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => self.type_of(&inner.expr),
            Expr::Struct(made) => self.type_at(&segments(&made.path)),
            Expr::Path(path) if path.path.segments.len() == 1 => {
                let name = names::plain(&path.path.segments[0].ident);
                if name == "self" {
                    return self.own.clone();
                }
                self.variables.iter().rev().find(|(variable, _)| *variable == name)?.1.clone()
            }
            Expr::Field(field) => {
                let name = match &field.member {
                    Member::Named(name) => names::plain(name),
                    Member::Unnamed(at) => at.index.to_string(),
                };
                self.methods.field(&self.type_of(&field.base)?, &name)
            }
            Expr::MethodCall(call) => {
                let name = names::plain(&call.method);
                match self.type_of(&call.receiver) {
                    Some(of) if self.methods.has(&of, &name) => self.methods.returned_by(&of, &name).cloned(),
                    // A copy and a borrow are of the same type.
                    of if ["clone", "as_ref", "as_mut", "borrow"].contains(&name.as_str()) => of,
                    _ => None,
                }
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return None };
                let path = segments(&path.path);
                if let Some(returned) = self.methods.function_at(self.module, &path) {
                    return Some(returned);
                }
                let (name, of) = path.split_last().filter(|(_, of)| !of.is_empty())?;
                let of = self.type_at(of)?;
                self.methods.returned_by(&of, name).cloned()
            }
            _ => None,
        }
    }

    fn type_at(&self, path: &[String]) -> Option<Definition> {
        self.methods.type_at(self.module, self.own.as_ref(), path)
    }

    fn call(&mut self, of: &Definition, name: &str) {
        if let Some(module) = self.methods.declaring(of, name) {
            self.found.insert(called(of, name, module));
        }
    }

    fn function(&mut self, signature: &Signature, body: &syn::Block) {
        self.within(|found| {
            for input in &signature.inputs {
                if let FnArg::Typed(input) = input {
                    let of = found.methods.type_of(found.module, found.own.as_ref(), &input.ty);
                    found.declare(&input.pat, of);
                }
            }
            found.visit_block(body);
        });
    }

    /// The expressions among the arguments of a macro.
    fn arguments(&mut self, tokens: TokenStream) {
        let listed = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone());
        let repeated = || Punctuated::<Expr, Token![;]>::parse_terminated.parse2(tokens.clone()).map(Vec::from_iter);
        let expressions = listed.map(Vec::from_iter).or_else(|_| repeated());
        if let Ok(expressions) = expressions {
            return expressions.iter().for_each(|expression| self.visit_expr(expression));
        }
        // `matches!(value, pattern)`
        let first = |input: syn::parse::ParseStream<'_>| {
            let first = input.parse::<Expr>()?;
            input.parse::<TokenStream>().map(|_| first)
        };
        if let Ok(expression) = first.parse2(tokens) {
            self.visit_expr(&expression);
        }
    }
}

impl<'a> Visit<'a> for Calls<'_> {
    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let own = self.methods.type_of(self.module, None, &item.self_ty);
        let outer = std::mem::replace(&mut self.own, own);
        item.items.iter().filter(|part| !names::is_part_for_tests(part)).for_each(|part| self.visit_impl_item(part));
        self.own = outer;
    }

    fn visit_impl_item_fn(&mut self, method: &'a ImplItemFn) {
        self.function(&method.sig, &method.block);
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.function(&function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, method: &'a syn::TraitItemFn) {
        if let Some(body) = &method.default {
            self.function(&method.sig, body);
        }
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        self.within(|found| visit::visit_block(found, block));
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.within(|found| visit::visit_arm(found, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.within(|found| {
            closure.inputs.iter().for_each(|input| found.declare(input, None));
            found.visit_expr(&closure.body);
        });
    }

    fn visit_expr_for_loop(&mut self, found: &'a syn::ExprForLoop) {
        self.within(|outer| {
            outer.visit_expr(&found.expr);
            outer.declare(&found.pat, None);
            outer.visit_block(&found.body);
        });
    }

    fn visit_expr_if(&mut self, found: &'a syn::ExprIf) {
        self.within(|outer| visit::visit_expr_if(outer, found));
    }

    fn visit_expr_while(&mut self, found: &'a syn::ExprWhile) {
        self.within(|outer| visit::visit_expr_while(outer, found));
    }

    fn visit_expr_let(&mut self, found: &'a syn::ExprLet) {
        self.visit_expr(&found.expr);
        self.visit_pat(&found.pat);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let mut of = None;
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            of = self.type_of(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.declare(&local.pat, of);
    }

    fn visit_pat_ident(&mut self, name: &'a syn::PatIdent) {
        self.variables.push((names::plain(&name.ident), None));
        visit::visit_pat_ident(self, name);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = names::plain(&call.method);
        match self.type_of(&call.receiver) {
            Some(of) if self.methods.has(&of, &name) => self.call(&of, &name),
            _ if COMMON.contains(&name.as_str()) => {}
            _ => self.found.extend(self.methods.only(&name).map(|(of, module)| called(of, &name, module))),
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let path_names = segments(path);
        if let Some((name, of)) = path_names.split_last().filter(|(_, of)| !of.is_empty())
            && let Some(of) = self.type_at(of)
        {
            self.call(&of, name);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'a syn::Macro) {
        self.arguments(found.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_item_use(&mut self, _: &'a syn::ItemUse) {}

    fn visit_item_mod(&mut self, _: &'a syn::ItemMod) {}
}
