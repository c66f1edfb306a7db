//! Tables as text: the first row that is not empty is the head.

use super::{Block, Cell, Parts, Place, Shape};
use crate::error::ImportError;
use crate::limits::{CELLS_MAX, ROWS_MAX};

pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Parts, ImportError> {
    let text = super::plain::decoded(bytes);
    let delimiter = delimiter(&text);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut parts = Parts::default();
    let mut heads: Option<Vec<String>> = None;
    for (number, record) in (1..).zip(reader.records()) {
        let record = record.map_err(|error| {
            ImportError::new("import.csv", format!("{name} is no table: {error}"), "save it as CSV anew")
        })?;
        if parts.blocks.len() >= ROWS_MAX {
            let message = format!("{name} has more than {ROWS_MAX} rows");
            return Err(ImportError::new("import.too-large", message, "split the table"));
        }
        let cells: Vec<String> = record.iter().take(CELLS_MAX).map(|cell| cell.trim().to_owned()).collect();
        if cells.iter().all(String::is_empty) {
            continue;
        }
        let Some(heads) = &heads else {
            heads = Some(cells);
            continue;
        };
        let cells = (0..)
            .zip(cells)
            .map(|(index, text): (usize, _)| Cell { head: heads.get(index).cloned().unwrap_or_default(), text });
        let shape = Shape::Row(cells.collect());
        parts.blocks.push(Block { place: Place::Row(number), column: 0, shape });
    }
    Ok(parts)
}

/// What parts the cells of the first line.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |wanted: u8| first.bytes().filter(|&byte| byte == wanted).count();
    // Of equals the last is the largest: a comma.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|&mark| count(mark)).unwrap_or(b',')
}
