//! Reads LaTeX. Whatever is written, something comes out: braces that do not close end with the formula.

use super::Math;
use super::names::{self, Name};
use crate::limits;

pub(super) fn read(latex: &str) -> Math {
    let mut reader = Reader { tokens: tokens(latex), at: 0, depth: 0 };
    let mut rows = Vec::new();
    loop {
        rows.push(reader.cells(&Stop::End));
        // A closing brace too many, or an end without its beginning.
        if reader.at >= reader.tokens.len() {
            break;
        }
        reader.at += 1;
    }
    let mut parts: Vec<Math> = rows.into_iter().map(lines).collect();
    match parts.len() {
        1 => parts.pop().unwrap_or(Math::Row(Vec::new())),
        _ => Math::Row(parts),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A command, without its backslash.
    Command(String),
    Open,
    Close,
    Sub,
    Sup,
    /// Separates cells.
    Cell,
    /// Ends a line.
    Line,
    Sign(char),
    Blank,
}

fn tokens(latex: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut signs = latex.chars().peekable();
    while let Some(c) = signs.next() {
        if tokens.len() >= limits::MATH_TOKENS {
            tokens.push(Token::Sign('…'));
            break;
        }
        tokens.push(match c {
            '{' => Token::Open,
            '}' => Token::Close,
            '_' => Token::Sub,
            '^' => Token::Sup,
            '&' => Token::Cell,
            '~' => Token::Blank,
            '$' => continue,
            '%' => Token::Sign('%'),
            c if c.is_whitespace() => Token::Blank,
            '\\' => {
                let mut name = String::new();
                while let Some(letter) = signs.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                if name.is_empty() {
                    match signs.next() {
                        Some('\\') => Token::Line,
                        Some(',' | ';' | ':' | ' ') => Token::Command("space".into()),
                        Some('!') | None => continue,
                        Some('|') => Token::Sign('‖'),
                        Some(other) => Token::Sign(other),
                    }
                } else {
                    // A star only changes numbering.
                    Token::Command(name)
                }
            }
            c => Token::Sign(c),
        });
    }
    tokens
}

/// Where a stretch of formula ends.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    End,
    Brace,
    Bracket,
    /// `\right`
    Right,
    /// `\end{…}`
    Environment,
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// Lines of cells as one formula.
fn lines(mut rows: Vec<Vec<Math>>) -> Math {
    if rows.len() == 1 && rows.first().is_some_and(|row| row.len() == 1) {
        return rows.pop().and_then(|mut row| row.pop()).unwrap_or(Math::Row(Vec::new()));
    }
    rows.retain(|row| !row.iter().all(Math::is_empty));
    Math::Lines(rows)
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn command_is(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Token::Command(it)) if it == name)
    }

    fn stops(&self, stop: &Stop) -> bool {
        match self.peek() {
            None | Some(Token::Close) => true,
            Some(Token::Sign(']')) => *stop == Stop::Bracket,
            Some(Token::Command(name)) if name == "right" => *stop == Stop::Right,
            Some(Token::Command(name)) if name == "end" => *stop == Stop::Environment,
            Some(_) => false,
        }
    }

    /// Lines of cells, up to the stop.
    fn cells(&mut self, stop: &Stop) -> Vec<Vec<Math>> {
        let mut rows = vec![Vec::new()];
        let mut cell = Vec::new();
        let end = |rows: &mut Vec<Vec<Math>>, cell: &mut Vec<Math>| {
            if let Some(row) = rows.last_mut() {
                row.push(Math::Row(std::mem::take(cell)));
            }
        };
        while !self.stops(stop) {
            match self.peek() {
                Some(Token::Cell) => {
                    self.at += 1;
                    end(&mut rows, &mut cell);
                }
                Some(Token::Line) => {
                    self.at += 1;
                    end(&mut rows, &mut cell);
                    rows.push(Vec::new());
                }
                _ => {
                    if let Some(part) = self.scripted() {
                        cell.push(part);
                    }
                }
            }
        }
        end(&mut rows, &mut cell);
        rows
    }

    /// One thing with what stands below and above it.
    fn scripted(&mut self) -> Option<Math> {
        let base = match self.peek()? {
            Token::Sub | Token::Sup => Math::Row(Vec::new()),
            _ => self.one()?,
        };
        let (mut sub, mut sup): (Option<Box<Math>>, Option<Box<Math>>) = (None, None);
        loop {
            while matches!(self.peek(), Some(Token::Blank)) {
                self.at += 1;
            }
            match self.peek() {
                Some(Token::Sub) if sub.is_none() => {
                    self.at += 1;
                    sub = Some(Box::new(self.argument()));
                }
                Some(Token::Sup) if sup.is_none() => {
                    self.at += 1;
                    sup = Some(Box::new(self.argument()));
                }
                // A third one is a mistake; what it holds is read as it stands.
                Some(Token::Sub | Token::Sup) => self.at += 1,
                Some(Token::Command(name)) if name == "limits" => self.at += 1,
                Some(Token::Sign('\'')) if sup.is_none() => {
                    self.at += 1;
                    sup = Some(Box::new(Math::Sign("′".into())));
                }
                _ => break,
            }
        }
        if sub.is_none() && sup.is_none() {
            return Some(base);
        }
        Some(Math::Script { base: Box::new(base), sub, sup })
    }

    /// What a command takes: a group in braces, or one thing.
    fn argument(&mut self) -> Math {
        while matches!(self.peek(), Some(Token::Blank)) {
            self.at += 1;
        }
        match self.peek() {
            None | Some(Token::Close | Token::Cell | Token::Line | Token::Sub | Token::Sup) => Math::Row(Vec::new()),
            _ => self.one().unwrap_or(Math::Row(Vec::new())),
        }
    }

    fn group(&mut self, stop: &Stop) -> Math {
        if self.depth >= limits::MATH_DEPTH {
            return Math::Row(Vec::new());
        }
        self.depth += 1;
        let rows = self.cells(stop);
        self.depth -= 1;
        if self.stops(stop) {
            self.at += 1;
        }
        lines(rows)
    }

    fn one(&mut self) -> Option<Math> {
        match self.next()? {
            Token::Open => Some(self.group(&Stop::Brace)),
            Token::Blank | Token::Close | Token::Cell | Token::Line | Token::Sub | Token::Sup => None,
            Token::Sign(sign) => Some(self.sign(sign)),
            Token::Command(name) => self.command(&name),
        }
    }

    fn sign(&mut self, sign: char) -> Math {
        match sign {
            '0'..='9' => {
                let mut number = String::from(sign);
                while let Some(Token::Sign(next @ ('0'..='9' | '.' | ','))) = self.peek().cloned() {
                    let digit = matches!(self.tokens.get(self.at + 1), Some(Token::Sign('0'..='9')));
                    if !next.is_ascii_digit() && !digit {
                        break;
                    }
                    number.push(next);
                    self.at += 1;
                }
                Math::Upright(number)
            }
            '-' => Math::Operator("−".into()),
            '*' => Math::Operator("∗".into()),
            '+' | '=' | '<' | '>' | '×' | '÷' | '±' | '≤' | '≥' | '≠' | '≈' | '→' | '−' => {
                Math::Operator(sign.into())
            }
            '\'' => Math::Sign("′".into()),
            c if c.is_alphabetic() => Math::Letter(c.into()),
            c => Math::Sign(c.into()),
        }
    }

    fn command(&mut self, name: &str) -> Option<Math> {
        if self.depth >= limits::MATH_DEPTH {
            return None;
        }
        self.depth += 1;
        let math = self.known(name);
        self.depth -= 1;
        math
    }

    fn known(&mut self, name: &str) -> Option<Math> {
        match name {
            "left" => return Some(self.fence()),
            "begin" => return Some(self.environment()),
            "end" => {
                self.raw();
                return None;
            }
            _ => {}
        }
        Some(match names::look_up(name) {
            Name::Letter(sign) => Math::Letter(sign.into()),
            Name::Operator(sign) => Math::Operator(sign.into()),
            Name::Sign(sign) => Math::Sign(sign.into()),
            Name::Space => Math::Space,
            Name::Silent => return None,
            Name::Words => Math::Upright(self.raw()),
            Name::Kept => self.argument(),
            Name::Mark(mark) => Math::Over { mark, of: Box::new(self.argument()) },
            Name::Fraction => Math::Fraction(Box::new(self.argument()), Box::new(self.argument())),
            Name::Binomial => {
                let rows = vec![vec![self.argument()], vec![self.argument()]];
                Math::Fence { open: "(".into(), close: ")".into(), of: Box::new(Math::Lines(rows)) }
            }
            Name::Root => {
                let degree = if self.peek() == Some(&Token::Sign('[')) {
                    self.at += 1;
                    Some(Box::new(self.group(&Stop::Bracket)))
                } else {
                    None
                };
                Math::Root { degree, of: Box::new(self.argument()) }
            }
            Name::Double => Math::Upright(names::double(&self.raw()).to_owned()),
            // Functions, units and what nobody knows: by its name.
            Name::Unknown => Math::Upright(name.into()),
        })
    }

    /// The words of an argument, as they stand.
    fn raw(&mut self) -> String {
        let mut words = String::new();
        while matches!(self.peek(), Some(Token::Blank)) {
            self.at += 1;
        }
        let mut open = 0_u32;
        while let Some(token) = self.next() {
            match token {
                Token::Open => open += 1,
                Token::Close if open > 0 => open -= 1,
                Token::Close => {
                    self.at -= 1;
                    break;
                }
                Token::Sign(sign) => words.push(sign),
                Token::Command(name) if name == "space" => words.push(' '),
                Token::Command(name) => words.push_str(&name),
                Token::Blank | Token::Cell | Token::Line => words.push(' '),
                Token::Sub | Token::Sup => {}
            }
            if open == 0 {
                break;
            }
        }
        words
    }

    /// `\left( … \right)`
    fn fence(&mut self) -> Math {
        let open = self.delimiter();
        let of = Box::new(self.group(&Stop::Right));
        let closed = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let close = if matches!(closed, Some(Token::Command(name)) if name == "right") {
            self.delimiter()
        } else {
            String::new()
        };
        Math::Fence { open, close, of }
    }

    fn delimiter(&mut self) -> String {
        match self.next() {
            Some(Token::Sign('.')) | None => String::new(),
            Some(Token::Sign(sign)) => sign.into(),
            Some(Token::Command(name)) => match names::look_up(&name) {
                Name::Sign(sign) | Name::Operator(sign) => sign.into(),
                _ => String::new(),
            },
            Some(_) => String::new(),
        }
    }

    /// `\begin{cases} … \end{cases}`
    fn environment(&mut self) -> Math {
        let name = self.raw();
        if name.starts_with("array") || name.starts_with("tabular") {
            self.raw();
        }
        let of = Box::new(self.group(&Stop::Environment));
        let closed = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        if matches!(closed, Some(Token::Command(name)) if name == "end") && !self.command_is("end") {
            self.raw();
        }
        let (open, close) = match name.as_str() {
            "cases" => ("{", ""),
            "pmatrix" => ("(", ")"),
            "bmatrix" => ("[", "]"),
            "vmatrix" => ("|", "|"),
            _ => return *of,
        };
        Math::Fence { open: open.into(), close: close.into(), of }
    }
}
