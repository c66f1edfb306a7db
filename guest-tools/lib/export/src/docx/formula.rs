//! Formulas as Word's own.

use super::xml::Xml;
use crate::math::Math;

/// Writes one formula.
pub(super) fn write(xml: &mut Xml, math: &Math) {
    xml.open("m:oMath", &[]);
    part(xml, math);
    xml.close("m:oMath");
}

fn part(xml: &mut Xml, math: &Math) {
    match math {
        Math::Row(parts) => parts.iter().for_each(|it| part(xml, it)),
        Math::Letter(text) => run(xml, text, false),
        Math::Upright(text) => run(xml, text, true),
        Math::Operator(text) | Math::Sign(text) => run(xml, text, true),
        Math::Space => run(xml, "\u{2002}", true),
        Math::Fraction(top, bottom) => {
            xml.open("m:f", &[]);
            inside(xml, "m:num", top);
            inside(xml, "m:den", bottom);
            xml.close("m:f");
        }
        Math::Root { degree, of } => {
            xml.open("m:rad", &[]);
            if degree.is_none() {
                xml.open("m:radPr", &[]);
                xml.value("m:degHide", "1");
                xml.close("m:radPr");
            }
            inside(xml, "m:deg", degree.as_deref().unwrap_or(&Math::Row(Vec::new())));
            inside(xml, "m:e", of);
            xml.close("m:rad");
        }
        Math::Script { base, sub, sup } => script(xml, base, sub.as_deref(), sup.as_deref()),
        Math::Fence { open, close, of } => {
            xml.open("m:d", &[]);
            xml.open("m:dPr", &[]);
            xml.value("m:begChr", open);
            xml.value("m:endChr", close);
            xml.close("m:dPr");
            inside(xml, "m:e", of);
            xml.close("m:d");
        }
        Math::Over { mark, of } => {
            xml.open("m:acc", &[]);
            xml.open("m:accPr", &[]);
            let mark = match mark {
                '→' => "\u{20D7}",
                '^' => "\u{302}",
                '~' => "\u{303}",
                '˙' => "\u{307}",
                _ => "\u{305}",
            };
            xml.value("m:chr", mark);
            xml.close("m:accPr");
            inside(xml, "m:e", of);
            xml.close("m:acc");
        }
        Math::Lines(rows) => {
            let columns = rows.iter().map(Vec::len).max().unwrap_or(1);
            xml.open("m:m", &[]);
            for row in rows {
                xml.open("m:mr", &[]);
                for column in 0..columns {
                    inside(xml, "m:e", row.get(column).unwrap_or(&Math::Row(Vec::new())));
                }
                xml.close("m:mr");
            }
            xml.close("m:m");
        }
    }
}

fn inside(xml: &mut Xml, name: &str, math: &Math) {
    xml.open(name, &[]);
    // A sign of relation wants something on its left, also at the beginning of a cell.
    if let Math::Row(parts) = math
        && parts.iter().find(|it| !matches!(it, Math::Space)).is_some_and(Math::is_relation)
    {
        run(xml, "\u{2009}", true);
    }
    part(xml, math);
    xml.close(name);
}

fn script(xml: &mut Xml, base: &Math, sub: Option<&Math>, sup: Option<&Math>) {
    let name = match (sub, sup) {
        (Some(_), Some(_)) => "m:sSubSup",
        (Some(_), None) => "m:sSub",
        _ => "m:sSup",
    };
    xml.open(name, &[]);
    inside(xml, "m:e", base);
    if let Some(sub) = sub {
        inside(xml, "m:sub", sub);
    }
    if let Some(sup) = sup {
        inside(xml, "m:sup", sup);
    }
    xml.close(name);
}

fn run(xml: &mut Xml, text: &str, upright: bool) {
    xml.open("m:r", &[]);
    if upright {
        xml.open("m:rPr", &[]);
        xml.value("m:sty", "p");
        xml.close("m:rPr");
    }
    xml.open("w:rPr", &[]);
    xml.empty("w:rFonts", &[("w:ascii", "Cambria Math"), ("w:hAnsi", "Cambria Math")]);
    xml.close("w:rPr");
    xml.open("m:t", &[("xml:space", "preserve")]);
    xml.text(text);
    xml.close("m:t");
    xml.close("m:r");
}
