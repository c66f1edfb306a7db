//! What LaTeX's names stand for.

/// Letters that stand for values.
#[rustfmt::skip]
const LETTERS: &[(&str, &str)] = &[
    ("alpha", "α"), ("beta", "β"), ("gamma", "γ"), ("delta", "δ"), ("epsilon", "ε"), ("varepsilon", "ε"),
    ("zeta", "ζ"), ("eta", "η"), ("theta", "θ"), ("vartheta", "ϑ"), ("iota", "ι"), ("kappa", "κ"), ("lambda", "λ"),
    ("mu", "μ"), ("nu", "ν"), ("xi", "ξ"), ("pi", "π"), ("rho", "ρ"), ("sigma", "σ"), ("tau", "τ"),
    ("upsilon", "υ"), ("phi", "φ"), ("varphi", "φ"), ("chi", "χ"), ("psi", "ψ"), ("omega", "ω"), ("Gamma", "Γ"),
    ("Delta", "Δ"), ("Theta", "Θ"), ("Lambda", "Λ"), ("Xi", "Ξ"), ("Pi", "Π"), ("Sigma", "Σ"), ("Phi", "Φ"),
    ("Psi", "Ψ"), ("Omega", "Ω"), ("ell", "ℓ"), ("hbar", "ħ"), ("partial", "∂"), ("nabla", "∇"),
];

/// Signs between values.
#[rustfmt::skip]
const OPERATORS: &[(&str, &str)] = &[
    ("times", "×"), ("div", "÷"), ("cdot", "·"), ("pm", "±"), ("mp", "∓"), ("ast", "∗"), ("star", "⋆"),
    ("circ", "∘"), ("le", "≤"), ("leq", "≤"), ("leqslant", "≤"), ("ge", "≥"), ("geq", "≥"), ("geqslant", "≥"),
    ("ne", "≠"), ("neq", "≠"), ("approx", "≈"), ("equiv", "≡"), ("sim", "∼"), ("simeq", "≃"), ("cong", "≅"),
    ("propto", "∝"), ("ll", "≪"), ("gg", "≫"), ("lt", "<"), ("gt", ">"), ("to", "→"), ("rightarrow", "→"),
    ("longrightarrow", "→"), ("leftarrow", "←"), ("leftrightarrow", "↔"), ("Rightarrow", "⇒"), ("implies", "⇒"),
    ("Leftarrow", "⇐"), ("Leftrightarrow", "⇔"), ("iff", "⇔"), ("mapsto", "↦"), ("rightleftharpoons", "⇌"),
    ("in", "∈"), ("notin", "∉"), ("ni", "∋"), ("subset", "⊂"), ("subseteq", "⊆"), ("supset", "⊃"),
    ("supseteq", "⊇"), ("cup", "∪"), ("cap", "∩"), ("setminus", "∖"), ("land", "∧"), ("wedge", "∧"), ("lor", "∨"),
    ("vee", "∨"), ("perp", "⊥"), ("parallel", "∥"), ("mid", "|"), ("therefore", "∴"), ("because", "∵"),
    ("oplus", "⊕"), ("otimes", "⊗"), ("colon", ":"), ("bullet", "•"), ("sum", "∑"), ("prod", "∏"), ("int", "∫"),
    ("oint", "∮"),
];

/// Signs that stand for themselves.
#[rustfmt::skip]
const SIGNS: &[(&str, &str)] = &[
    ("infty", "∞"), ("forall", "∀"), ("exists", "∃"), ("neg", "¬"), ("lnot", "¬"), ("emptyset", "∅"),
    ("varnothing", "∅"), ("angle", "∠"), ("triangle", "△"), ("square", "□"), ("degree", "°"), ("prime", "′"),
    ("ldots", "…"), ("dots", "…"), ("cdots", "⋯"), ("vdots", "⋮"), ("pounds", "£"), ("euro", "€"), ("checkmark", "✓"),
    ("langle", "⟨"), ("rangle", "⟩"), ("lfloor", "⌊"), ("rfloor", "⌋"), ("lceil", "⌈"), ("rceil", "⌉"),
    ("lbrace", "{"), ("rbrace", "}"), ("lbrack", "["), ("rbrack", "]"), ("vert", "|"), ("lvert", "|"),
    ("rvert", "|"), ("Vert", "‖"), ("backslash", "∖"), ("uparrow", "↑"), ("downarrow", "↓"),
];

/// What takes away or adds room, or changes only looks.
#[rustfmt::skip]
const SILENT: &[&str] = &[
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "big", "Big", "bigg", "Bigg", "bigl", "bigr",
    "Bigl", "Bigr", "hline", "cline", "nonumber", "notag", "middle", "boxed", "color", "mathstrut", "strut", "left",
    "right",
];

const SPACES: &[&str] = &["quad", "qquad", "thinspace", "enspace", "space", "medspace", "thickspace"];

/// Commands whose argument is text or keeps its looks.
#[rustfmt::skip]
const WORDS: &[&str] = &["text", "textrm", "textbf", "textit", "textsf", "texttt", "mbox", "operatorname", "mathrm", "hbox"];

#[rustfmt::skip]
const KEPT: &[&str] = &["mathbf", "mathit", "mathsf", "boldsymbol", "bm", "cancel", "underline", "underbrace", "mathcal"];

#[rustfmt::skip]
const MARKS: &[(&str, char)] = &[
    ("overline", '‾'), ("bar", '‾'), ("vec", '→'), ("overrightarrow", '→'), ("hat", '^'), ("widehat", '^'),
    ("tilde", '~'), ("dot", '˙'),
];

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Letter(&'static str),
    Operator(&'static str),
    Sign(&'static str),
    Space,
    Silent,
    /// Its argument is text.
    Words,
    /// Its argument is a formula, shown as it is.
    Kept,
    /// A mark above its argument.
    Mark(char),
    Fraction,
    Binomial,
    Root,
    /// Sets of numbers.
    Double,
    Unknown,
}

pub(super) fn look_up(name: &str) -> Name {
    let find = |table: &'static [(&str, &str)]| table.iter().find(|(it, _)| *it == name).map(|(_, sign)| *sign);
    if let Some(letter) = find(LETTERS) {
        return Name::Letter(letter);
    }
    if let Some(operator) = find(OPERATORS) {
        return Name::Operator(operator);
    }
    if let Some(sign) = find(SIGNS) {
        return Name::Sign(sign);
    }
    if let Some((_, mark)) = MARKS.iter().find(|(it, _)| *it == name) {
        return Name::Mark(*mark);
    }
    match name {
        "frac" | "dfrac" | "tfrac" | "cfrac" => Name::Fraction,
        "binom" | "dbinom" => Name::Binomial,
        "sqrt" => Name::Root,
        "mathbb" => Name::Double,
        _ if SILENT.contains(&name) => Name::Silent,
        _ if SPACES.contains(&name) => Name::Space,
        _ if WORDS.contains(&name) => Name::Words,
        _ if KEPT.contains(&name) => Name::Kept,
        _ => Name::Unknown,
    }
}

/// The letter of a set of numbers.
pub(super) fn double(letter: &str) -> &str {
    match letter {
        "N" => "ℕ",
        "Z" => "ℤ",
        "Q" => "ℚ",
        "R" => "ℝ",
        "C" => "ℂ",
        other => other,
    }
}
