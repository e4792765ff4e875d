//! The tokens of one module: what it declares, imports and uses.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What a module contains, without test code.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Its modules, with the contents of inline ones.
    pub(crate) modules: Vec<(String, Option<Declarations>)>,
    pub(crate) types: BTreeSet<String>,
    /// Functions, statics and constants: a path cannot continue after one of these.
    pub(crate) values: BTreeSet<String>,
    pub(crate) macros: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: BTreeSet<Vec<String>>,
    pub(crate) called_macros: BTreeSet<String>,
}

/// One name, or all names, imported by a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// The name in this module; none for `*`.
    pub(crate) name: Option<String>,
    /// Whether other modules can use it from here.
    pub(crate) public: bool,
}

/// Macros whose tokens are code of another crate.
const QUOTES: [&str; 4] = ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned"];
const TYPES: [&str; 4] = ["struct", "trait", "union", "type"];
const VALUES: [&str; 3] = ["fn", "static", "const"];

pub(crate) fn read(tokens: TokenStream) -> Declarations {
    let mut found = Declarations::default();
    found.walk(tokens, true);
    found
}

impl Declarations {
    /// Reads tokens, either of the module itself or nested in an item.
    fn walk(&mut self, tokens: TokenStream, own: bool) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut public = false;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let word = word_of(token);
            let next = tokens.get(at + 1);
            at = match word.as_deref() {
                _ if punct(token) == Some('#') && attribute(&tokens, at).is_some() => {
                    let (end, of_tests) = attribute(&tokens, at).unwrap_or((at + 1, false));
                    if of_tests { after_item(&tokens, end, own) } else { end }
                }
                Some("use") if next.and_then(punct) != Some('<') => {
                    let end = position(&tokens, at, |t| punct(t) == Some(';'));
                    let tree = &tokens[at + 1..end.min(tokens.len())];
                    self.import(tree, &mut Vec::new(), public);
                    end + 1
                }
                Some("mod") if own => {
                    let name = next.and_then(word_of).unwrap_or_default();
                    let inside = tokens.get(at + 2).and_then(braces);
                    self.modules.push((name, inside.map(|inside| read(inside.stream()))));
                    at + 3
                }
                Some("macro_rules") if next.and_then(punct) == Some('!') => {
                    self.macros.extend(tokens.get(at + 2).and_then(word_of).filter(|_| own));
                    at + 3
                }
                Some("enum") if own => {
                    self.types.extend(next.and_then(word_of));
                    let body = position(&tokens, at, |t| braces(t).is_some());
                    self.variants(tokens.get(body).and_then(braces));
                    body + 1
                }
                Some(name) if own && TYPES.contains(&name) => {
                    self.types.extend(next.and_then(word_of));
                    at + 1
                }
                Some(name) if own && VALUES.contains(&name) && !lifetime(&tokens, at) => {
                    self.values.extend(next.and_then(word_of).filter(|n| n != "fn"));
                    at + 1
                }
                Some(_) => self.mention(&tokens, at),
                None => {
                    if let TokenTree::Group(group) = token {
                        self.walk(group.stream(), false);
                    }
                    at + 1
                }
            };
            public = match word.as_deref() {
                Some("pub") => true,
                _ => public && matches!(token, TokenTree::Group(_)),
            };
        }
    }

    /// Reads the contents of an enum's variants, not their names.
    fn variants(&mut self, body: Option<&Group>) {
        for token in body.into_iter().flat_map(|body| body.stream()) {
            match token {
                TokenTree::Group(held) if held.delimiter() != Delimiter::Bracket => {
                    self.walk(held.stream(), false);
                }
                _ => {}
            }
        }
    }

    /// Reads the path that starts here, and returns the tokens after it.
    fn mention(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let before = |back: usize| at.checked_sub(back).and_then(|i| punct(&tokens[i]));
        let mut path: Vec<String> = word_of(&tokens[at]).into_iter().collect();
        let mut end = at + 1;
        while let [colon, second, name, ..] = &tokens[end.min(tokens.len())..]
            && (punct(colon), punct(second)) == (Some(':'), Some(':'))
            && let Some(name) = word_of(name)
        {
            path.push(name);
            end += 3;
        }
        if tokens.get(end).and_then(punct) == Some('!')
            && let Some(TokenTree::Group(_)) = tokens.get(end + 1)
            && let [name] = &path[..]
        {
            self.called_macros.insert(name.clone());
            return if QUOTES.contains(&name.as_str()) { end + 2 } else { end + 1 };
        }
        // A field or method, a lifetime, an interpolation of `quote`, the rest of a path that
        // starts with a type.
        let part = match before(1) {
            Some('.') => before(2) != Some('.'),
            Some('\'' | '#') => true,
            Some(':') => before(2) == Some(':'),
            _ => false,
        };
        // The name of a field, a parameter or an associated type.
        let after = |next: usize| tokens.get(end + next).and_then(punct);
        let named = match after(0) {
            _ if path.len() > 1 => false,
            Some(':') => true,
            Some('=') => !matches!(after(1), Some('=' | '>')),
            _ => false,
        };
        if !part && !named {
            self.mentions.insert(path);
        }
        end
    }

    /// Reads what follows a `use`, or a group of it in braces.
    fn import(&mut self, tokens: &[TokenTree], before: &mut Vec<String>, public: bool) {
        for tree in tokens.split(|t| punct(t) == Some(',')) {
            let depth = before.len();
            let mut renamed = None;
            let mut rest = tree.iter();
            while let Some(token) = rest.next() {
                match token {
                    TokenTree::Ident(word) if word == "as" => {
                        renamed = rest.next().and_then(word_of);
                    }
                    TokenTree::Ident(word) => before.push(word.to_string()),
                    TokenTree::Group(group) => {
                        let inside: Vec<_> = group.stream().into_iter().collect();
                        self.import(&inside, before, public);
                        before.truncate(depth);
                    }
                    TokenTree::Punct(p) if p.as_char() == '*' => {
                        let path = before.clone();
                        self.imports.push(Import { path, name: None, public });
                        before.truncate(depth);
                    }
                    TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
            if before.len() > depth {
                let mut path = before.clone();
                if path.len() > 1 {
                    path.pop_if(|last| last == "self");
                }
                let name = renamed.or_else(|| path.last().cloned());
                self.imports.push(Import { path, name, public });
            }
            before.truncate(depth);
        }
    }
}

/// The end of the attribute that starts here, and whether the item after it is test code.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(usize, bool)> {
    let inner = usize::from(tokens.get(at + 1).and_then(punct) == Some('!'));
    let TokenTree::Group(group) = tokens.get(at + 1 + inner)? else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let inside: Vec<_> = group.stream().into_iter().collect();
    let of_tests = match &inside[..] {
        [name, TokenTree::Group(condition)] if word_of(name).as_deref() == Some("cfg") => {
            asks_for_tests(condition.stream())
        }
        _ => false,
    };
    Some((at + 2 + inner, of_tests))
}

/// `test`, or `all(test, ..)`.
fn asks_for_tests(condition: TokenStream) -> bool {
    let condition: Vec<_> = condition.into_iter().collect();
    match &condition[..] {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(all), TokenTree::Group(each)] if all == "all" => {
            let each: Vec<_> = each.stream().into_iter().collect();
            let mut each = each.split(|t| punct(t) == Some(','));
            each.any(|one| asks_for_tests(one.iter().cloned().collect()))
        }
        _ => false,
    }
}

/// The tokens after the item, field, arm or statement that starts here.
fn after_item(tokens: &[TokenTree], at: usize, own: bool) -> usize {
    let mut angles = 0_i32;
    let end = position(tokens, at, |token| {
        match punct(token) {
            Some('<') => angles += 1,
            Some('>') => angles -= 1,
            _ => {}
        }
        let comma = !own && angles <= 0 && punct(token) == Some(',');
        comma || punct(token) == Some(';') || braces(token).is_some()
    });
    end + 1
}

fn position(tokens: &[TokenTree], from: usize, is: impl FnMut(&TokenTree) -> bool) -> usize {
    let rest = &tokens[from.min(tokens.len())..];
    from + rest.iter().position(is).unwrap_or(rest.len())
}

fn lifetime(tokens: &[TokenTree], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| punct(&tokens[before]) == Some('\''))
}

fn braces(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

fn punct(token: &TokenTree) -> Option<char> {
    match token {
        TokenTree::Punct(punct) => Some(punct.as_char()),
        _ => None,
    }
}

fn word_of(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    }
}
