//! Packs the shipped components: they are a third of the program's size otherwise, and are read only where one has to be compiled.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest as _, Sha256};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let plugins = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../plugins");
    let out = variable("OUT_DIR")?;
    println!("cargo:rerun-if-changed={}", plugins.display());
    // A developer's build is made often, and its size is nobody's worry.
    let level = if variable("PROFILE")? == "release" { Compression::best() } else { Compression::none() };
    let mut found = BTreeMap::new();
    for plugin in fs::read_dir(&plugins)? {
        let plugin = plugin?;
        let Ok(components) = fs::read_dir(plugin.path().join("components")) else { continue };
        for component in components {
            let component = component?;
            let (plugin, name) = (plugin.file_name(), component.file_name());
            let path = format!("{}/components/{}", plugin.to_string_lossy(), name.to_string_lossy());
            found.insert(path, fs::read(component.path())?);
        }
    }
    // A component that several plugins have is packed once.
    let (mut statics, mut table) = (BTreeMap::new(), String::new());
    for (path, bytes) in found {
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let name = format!("PACKED_{}", sha256.to_uppercase());
        if !statics.contains_key(&name) {
            let mut encoder = DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(&bytes)?;
            let file = Path::new(&out).join(format!("{sha256}.deflate"));
            fs::write(&file, encoder.finish()?)?;
            statics.insert(name.clone(), format!("static {name}: &[u8] = include_bytes!({file:?});\n"));
        }
        writeln!(
            table,
            "    Packed {{ path: {path:?}, sha256: {sha256:?}, length: {}, deflated: {name} }},",
            bytes.len()
        )
        .map_err(io::Error::other)?;
    }
    let statics: String = statics.into_values().collect();
    let source =
        format!("{statics}\n/// The shipped components, by their path.\nstatic PACKED: &[Packed] = &[\n{table}];\n");
    fs::write(Path::new(&out).join("packed.rs"), source)
}
