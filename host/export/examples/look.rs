#![allow(missing_docs)]
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::fs::read_to_string(&a[1]).unwrap();
    for (f, e) in [(ta_export::Form::Markdown, "md"), (ta_export::Form::Docx, "docx"), (ta_export::Form::Pdf, "pdf")] {
        for (p, n) in [(ta_export::Part::All, "all"), (ta_export::Part::Pupil, "pupil")] {
            match ta_export::export(&t, f, &ta_export::Options { part: p, ..Default::default() }) {
                Ok(b) => std::fs::write(format!("{}/{n}.{e}", a[2]), b).unwrap(),
                Err(x) => println!("{e} {n}: {x} {}", x.code()),
            }
        }
    }
}
