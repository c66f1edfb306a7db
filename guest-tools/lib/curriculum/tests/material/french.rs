//! As much French as the questions ask for: present tense and participle of regular verbs and of the irregular ones of the first years, and
//! the agreement of regular adjectives. Forms after the tables of any school grammar.

const PERSONS: [&str; 6] = ["je", "tu", "il", "nous", "vous", "ils"];

/// Present tense by person, then the participle.
const IRREGULAR: &[(&str, [&str; 7])] = &[
    ("être", ["suis", "es", "est", "sommes", "êtes", "sont", "été"]),
    ("avoir", ["ai", "as", "a", "avons", "avez", "ont", "eu"]),
    ("aller", ["vais", "vas", "va", "allons", "allez", "vont", "allé"]),
    ("faire", ["fais", "fais", "fait", "faisons", "faites", "font", "fait"]),
    ("prendre", ["prends", "prends", "prend", "prenons", "prenez", "prennent", "pris"]),
    ("venir", ["viens", "viens", "vient", "venons", "venez", "viennent", "venu"]),
    ("voir", ["vois", "vois", "voit", "voyons", "voyez", "voient", "vu"]),
    ("vouloir", ["veux", "veux", "veut", "voulons", "voulez", "veulent", "voulu"]),
    ("pouvoir", ["peux", "peux", "peut", "pouvons", "pouvez", "peuvent", "pu"]),
    ("boire", ["bois", "bois", "boit", "buvons", "buvez", "boivent", "bu"]),
    ("lire", ["lis", "lis", "lit", "lisons", "lisez", "lisent", "lu"]),
    ("écrire", ["écris", "écris", "écrit", "écrivons", "écrivez", "écrivent", "écrit"]),
    ("partir", ["pars", "pars", "part", "partons", "partez", "partent", "parti"]),
    ("sortir", ["sors", "sors", "sort", "sortons", "sortez", "sortent", "sorti"]),
];

/// Verbs in -ir and -re that follow the rule of their group.
const REGULAR: &[&str] = &["finir", "choisir", "remplir", "vendre", "attendre", "perdre", "entendre"];

/// The form that is asked for: `aller, nous`, `finir, participe`, `petit, feminine plural`.
pub(crate) fn form(asked: &str) -> Option<String> {
    let (word, what) = asked.split_once(',')?;
    let (word, what) = (word.trim(), what.trim());
    if what.starts_with("masculine") || what.starts_with("feminine") {
        return adjective(word, what);
    }
    let person = match what {
        "elle" | "on" => "il",
        "elles" => "ils",
        other => other,
    };
    let at = PERSONS.iter().position(|one| *one == person).or((what == "participe").then_some(6))?;
    if let Some((_, forms)) = IRREGULAR.iter().find(|(verb, _)| *verb == word) {
        return forms.get(at).map(|form| (*form).to_owned());
    }
    let endings: [&str; 7] = match word.char_indices().rev().nth(1).map(|(at, _)| word.split_at(at).1)? {
        "er" => ["e", "es", "e", "ons", "ez", "ent", "é"],
        "ir" if REGULAR.contains(&word) => ["is", "is", "it", "issons", "issez", "issent", "i"],
        "re" if REGULAR.contains(&word) => ["s", "s", "", "ons", "ez", "ent", "u"],
        _ => return None,
    };
    let stem = word.get(..word.len() - 2)?;
    let ending = endings.get(at)?;
    // The sound of g and c is kept before o.
    let stem = match (stem.strip_suffix('c'), ending.starts_with('o')) {
        (Some(before), true) => format!("{before}ç"),
        (None, true) if stem.ends_with('g') => format!("{stem}e"),
        _ => stem.to_owned(),
    };
    Some(format!("{stem}{ending}"))
}

fn adjective(word: &str, what: &str) -> Option<String> {
    let feminine = |word: &str| match word {
        "beau" | "nouveau" => format!("{}elle", word.trim_end_matches("eau")),
        "vieux" => "vieille".to_owned(),
        "blanc" => "blanche".to_owned(),
        _ if word.ends_with('e') => word.to_owned(),
        _ if word.ends_with("eux") => format!("{}se", word.trim_end_matches('x')),
        _ if word.ends_with("if") => format!("{}ve", word.trim_end_matches('f')),
        _ if word.ends_with("en") || word.ends_with("el") || word.ends_with("on") => {
            format!("{word}{}e", if word.ends_with("el") { "l" } else { "n" })
        }
        _ => format!("{word}e"),
    };
    let plural = |word: &str| match word {
        _ if word.ends_with(['s', 'x']) => word.to_owned(),
        _ if word.ends_with("eau") => format!("{word}x"),
        _ => format!("{word}s"),
    };
    Some(match what {
        "masculine" => word.to_owned(),
        "feminine" => feminine(word),
        "masculine plural" => plural(word),
        "feminine plural" => plural(&feminine(word)),
        _ => return None,
    })
}
