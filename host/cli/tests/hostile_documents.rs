//! Documents that were made to be hard to read, through the binary: each ends in the sandbox with a named error or as a file, within
//! the time and the memory of a reader, and the next good one is read.

use std::process::Command;

use crate::pages::{self, Page};
use crate::support;

use serde_json::Value;
use support::Home;

/// CPU time of a reader, and what a process without optimisation takes to start and to hand the file over on a machine that others use.
const CPU_S_MAX: f64 = 5.0 + 10.0;
/// Memory of a reader, the file and what came of it, and what a process of this build takes.
const MEMORY_MB_MAX: f64 = 256.0 + 32.0 * 4.0 + 150.0;

/// Runs a command and says what its process used: exit code, CPU seconds, the most memory in megabytes, what it printed.
const MEASURED: &str = "
import json, resource, subprocess, sys
call = subprocess.run(sys.argv[1:], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({'code': call.returncode, 'cpu_s': used.ru_utime + used.ru_stime, 'memory_mb': used.ru_maxrss / 1000,
    'out': call.stdout.decode(), 'err': call.stderr.decode()}))
";

fn measured(home: &Home, file: &str) -> Value {
    let import = home.command(&["curriculum", "import", file, "--dry-run", "--output", "json", "--edition", "1"]);
    let mut command = Command::new("python3");
    command.args(["-c", MEASURED]).arg(import.get_program()).args(import.get_args());
    command.envs(import.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// What this inflates from: so many times the same bytes, deflated by Python's zlib.
fn deflated(home: &Home, piece: &str, times: usize) -> Vec<u8> {
    let program = "import sys, zlib\nc = zlib.compressobj(9)\np = sys.argv[2].encode() * 1000\nf = open(sys.argv[1], 'wb')\nfor _ in range(int(sys.argv[3]) // 1000): f.write(c.compress(p))\nf.write(c.flush())";
    let file = home.path("deflated");
    let status = Command::new("python3").args(["-c", program]).arg(&file).arg(piece).arg(times.to_string()).status();
    assert!(status.unwrap().success());
    std::fs::read(&file).unwrap()
}

/// A Word document whose text is this piece, so many times.
fn word(home: &Home, name: &str, piece: &str, times: usize) {
    let program = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\nwith z.open('word/document.xml', 'w', force_zip64=True) as f:\n  p = sys.argv[2].encode() * 1000\n  for _ in range(int(sys.argv[3]) // 1000): f.write(p)\nz.close()";
    let mut command = Command::new("python3");
    command.args(["-c", program]).arg(home.path(name)).arg(piece).arg(times.to_string());
    assert!(command.status().unwrap().success());
}

/// The files, each with the codes that it may end with; none where it may be read as well.
fn files(home: &Home) -> Vec<(&'static str, &'static [&'static str])> {
    let write = |name: &str, bytes: &[u8]| std::fs::write(home.path(name), bytes).unwrap();
    let nested = |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    // Two gigabytes out of two megabytes as a page, 400 MB in a Word document.
    write("pages.pdf", &pages::deflated(&deflated(home, "                    ", 100_000_000)));
    word(home, "inflates.docx", "<w:p><w:t>word</w:t>", 20_000_000);
    write("operations.pdf", &pages::deflated(&deflated(home, "BT (a) Tj ET q Q ", 2_000_000)));
    write("arrays.pdf", &pages::with_objects(nested("[", "]", 10_000).as_bytes(), "", &[]));
    write("object.pdf", &pages::with_objects(b"/X Do", &format!("/XObject {}", nested("<< /A ", ">>", 10_000)), &[]));
    let form = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 26 >>\nstream\n/X Do /X Do /X Do /X Do /X\nendstream";
    write("forms.pdf", &pages::with_objects(b"/X Do /X Do", "/XObject << /X 5 0 R >>", &[form]));
    let tree = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>\nendobj\ntrailer\n<< /Root 1 0 R /Prev 0 >>\n%%EOF\n";
    write("tree.pdf", tree);
    let many: Vec<Page> = (0..2_500).map(|_| Page::of(&[(60.0, 700.0, "TCH 3-14a Follows a loop by hand.")])).collect();
    write("many.pdf", &pages::pdf(&many));
    word(home, "tables.docx", "<w:tbl><w:tr><w:tc>", 10_000);
    write("tables.html", nested("<table><tr><td>", "</table>", 10_000).as_bytes());
    write("blocks.html", nested("<div><p><b>", "</b></div>", 10_000).as_bytes());
    write("angles.html", "<".repeat(12 << 20).as_bytes());
    write("attributes.html", format!("<p {}>", "a=b ".repeat(2_000_000)).as_bytes());
    write("rows.csv", "TCH 3-14a,a\n".repeat(1_000_000).as_bytes());
    write("lines.txt", "TCH 3-\n14a \n".repeat(1_000_000).as_bytes());
    write("long.txt", &vec![b'1'; (32 << 20) + 1]);
    vec![
        ("pages.pdf", &["import.too-large"]),
        ("inflates.docx", &["import.too-large"]),
        ("operations.pdf", &["import.too-large", "import.no-codes", "import.no-text"]),
        ("arrays.pdf", &["import.malformed", "import.no-text"]),
        ("object.pdf", &["import.malformed", "import.no-codes"]),
        ("forms.pdf", &["import.no-text", "import.too-large"]),
        ("tree.pdf", &["import.malformed", "import.no-text", "import.no-codes"]),
        ("many.pdf", &["import.too-large"]),
        ("tables.docx", &["import.no-codes"]),
        ("tables.html", &["import.no-codes"]),
        ("blocks.html", &["import.no-codes"]),
        ("angles.html", &["import.no-codes", "import.too-large"]),
        ("attributes.html", &["import.no-codes", "import.too-large"]),
        ("rows.csv", &["import.too-large"]),
        ("lines.txt", &[]),
        ("long.txt", &["import.too-large"]),
    ]
}

#[test]
fn a_hostile_document_ends_in_the_sandbox() {
    let home = Home::new();
    let good = home.write("good.txt", "TCH 3-14a: follows a program by hand and says what it prints\n");
    let good = good.display().to_string();
    // The component is compiled once before anything is measured.
    assert_eq!(measured(&home, &good)["code"], 0);
    for (name, codes) in files(&home) {
        let file = home.path(name).display().to_string();
        let call = measured(&home, &file);
        let (cpu_s, memory_mb) = (call["cpu_s"].as_f64().unwrap(), call["memory_mb"].as_f64().unwrap());
        let out: Value = serde_json::from_str(call["out"].as_str().unwrap()).unwrap();
        let error = &out["error"];
        eprintln!("{name}: {} {} {cpu_s:.2} s {memory_mb:.0} MB {}", call["code"], error["code"], error["message"]);
        assert!(cpu_s < CPU_S_MAX && memory_mb < MEMORY_MB_MAX, "{name}: {cpu_s} s, {memory_mb} MB");
        if codes.is_empty() && call["code"] == 0 {
            continue;
        }
        let code = error["code"].as_str().unwrap();
        let named = if codes.is_empty() { code.starts_with("import.") } else { codes.contains(&code) };
        assert!(call["code"] == 1 && named, "{name}: {call}");
        assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{name}: {error}");
        // The document is named, not what was done with it.
        assert!(error["message"].as_str().unwrap().contains(name), "{name}: {error}");
        assert!(!call["err"].as_str().unwrap().contains("panicked"), "{name}: {call}");
    }
    assert_eq!(measured(&home, &good)["code"], 0);
}

/// A plugin of somebody else's reads what its manifest says; an operator who pins other bytes than its reader has is told so.
#[test]
fn another_plugin_brings_a_reader_of_its_own() {
    let home = Home::new();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/lesson-planning");
    let manifest = std::fs::read_to_string(format!("{shipped}/plugin.toml")).unwrap();
    let begins = manifest.find("[readers.published]").unwrap();
    let table = manifest[begins..].split("\n\n").next().unwrap();
    let formats = table.lines().find(|line| line.starts_with("formats")).unwrap();
    let table = table.replace(formats, "formats = [\"letter\"]");
    let component = std::fs::read(format!("{shipped}/components/lesson-reader.wasm")).unwrap();
    home.write("plugins/letters/plugin.toml", &format!("name = \"letters\"\nversion = \"1\"\n\n{table}\n"));
    home.write("teacher-assist.toml", "[grants.\"letters:published\"]\ncapabilities = [\"log\"]\n\n[grants.\"lesson-planning:published\"]\ncapabilities = [\"log\"]\n");
    let file = home.path("plugins/letters/components/lesson-reader.wasm");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, &component).unwrap();
    let letter = home.write("a.letter", "<html><p>TCH 3-14a Follows a program by hand and says what it prints.");
    let text = home.write("a.txt", "TCH 3-14a Follows a program by hand and says what it prints.\n");
    let plugins = home.path("plugins").display().to_string();
    let import = |file: &std::path::Path| {
        home.run(&["curriculum", "import", file.to_str().unwrap(), "--dry-run", "--plugins", &plugins])
    };
    assert!(import(&letter).expect(0).out.contains("## TCH 3-14a: Follows a program"));
    std::fs::write(&file, [component.as_slice(), &[0, 2, 1, 0]].concat()).unwrap();
    let changed = import(&letter).expect(1);
    assert!(changed.err.contains("[plugin.digest_mismatch]"), "{}", changed.err);
    // The shipped reader has nothing to do with it.
    import(&text).expect(0);
}
