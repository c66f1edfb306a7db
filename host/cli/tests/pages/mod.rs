//! The smallest PDFs that show text: one font that every reader has, lines at places.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[derive(Default, Clone)]
pub struct Page {
    lines: Vec<(f64, f64, String)>,
}

impl Page {
    pub fn of(lines: &[(f64, f64, &str)]) -> Self {
        Self { lines: lines.iter().map(|(x, y, text)| (*x, *y, (*text).to_owned())).collect() }
    }

    pub fn and(mut self, line: &(f64, f64, String)) -> Self {
        self.lines.push(line.clone());
        self
    }

    fn content(&self) -> Vec<u8> {
        let mut content = b"BT /F 11 Tf ".to_vec();
        for (x, y, text) in &self.lines {
            content.extend(format!("1 0 0 1 {x} {y} Tm (").bytes());
            for c in text.chars() {
                match c {
                    // The place of the dash in the encoding of Windows.
                    '\u{2013}' => content.push(0x96),
                    '(' | ')' | '\\' => content.extend([b'\\', u8::try_from(c).unwrap()]),
                    c => content.push(u8::try_from(c).expect("a letter of the encoding")),
                }
            }
            content.extend(b") Tj ");
        }
        content.extend(b"ET");
        content
    }
}

pub fn pdf(pages: &[Page]) -> Vec<u8> {
    file(pages, "")
}

/// One page whose content is compressed already.
pub fn deflated(content: &[u8]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>\nendobj\n4 0 obj\n".to_vec();
    bytes.extend(format!("<< /Filter /FlateDecode /Length {} >>\nstream\n", content.len()).bytes());
    bytes.extend(content);
    bytes.extend(b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n");
    bytes
}

/// One page with this content, and objects of one's own from the fifth on, each without its number.
pub fn with_objects(content: &[u8], resources: &str, more: &[&str]) -> Vec<u8> {
    let mut bytes = format!("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << {resources} >> /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length {} >>\nstream\n", content.len()).into_bytes();
    bytes.extend(content);
    bytes.extend(b"\nendstream\nendobj\n");
    for (number, object) in (5..).zip(more) {
        bytes.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    bytes.extend(b"trailer\n<< /Root 1 0 R >>\n%%EOF\n");
    bytes
}

/// One that opens with a password nobody knows.
pub fn encrypted() -> Vec<u8> {
    let key = "11".repeat(32);
    let filter = format!(
        "/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <{key}> /U <{key}> >> /ID [<{0}> <{0}>]",
        "22".repeat(16)
    );
    file(&[Page::of(&[(60.0, 700.0, "TCH 3-14a hidden")])], &filter)
}

fn file(pages: &[Page], trailer: &str) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = Vec::new();
    let kids: Vec<String> = (0..pages.len()).map(|index| format!("{} 0 R", 4 + index * 2)).collect();
    objects.push(b"<< /Type /Catalog /Pages 2 0 R >>".to_vec());
    objects.push(format!("<< /Type /Pages /Count {} /Kids [{}] >>", pages.len(), kids.join(" ")).into_bytes());
    objects.push(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec());
    for (index, page) in pages.iter().enumerate() {
        let content = page.content();
        let number = 5 + index * 2;
        objects.push(format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents {number} 0 R >>").into_bytes());
        let mut stream = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
        stream.extend(&content);
        stream.extend(b"\nendstream");
        objects.push(stream);
    }
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", index + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    bytes.extend(
        format!("trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1)
            .bytes(),
    );
    bytes
}
