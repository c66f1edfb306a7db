//! The committed page is that of its sources.

use std::path::Path;

#[test]
fn the_page_is_built_from_its_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if let Err(problem) = xtask::page::fresh(root) {
        panic!("{problem}");
    }
}
