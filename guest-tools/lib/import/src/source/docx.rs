//! Word documents: a zip, of which one file is read, with a limit on what it inflates to.

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{CompressionMethod, ZipArchive};

use super::{Parts, markup};
use crate::error::ImportError;
use crate::limits::{INFLATED_BYTES_MAX, ZIP_ENTRIES_MAX};

const TEXT: &[u8] = b"word/document.xml";

pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Parts, ImportError> {
    let malformed = |why: String| {
        let message = format!("{name} is no Word document: {why}");
        ImportError::new("import.docx", message, "open it, save it anew as DOCX, PDF or text, and import that")
    };
    let archive = ZipArchive::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
    let mut entries = archive.entries();
    for _ in 0..ZIP_ENTRIES_MAX {
        let Some(entry) = entries.next_entry().map_err(|error| malformed(error.to_string()))? else { break };
        if entry.file_path().as_ref() != TEXT {
            continue;
        }
        let method = entry.compression_method();
        let found = archive.get_entry(entry.wayfinder()).map_err(|error| malformed(error.to_string()))?;
        let text = match method {
            CompressionMethod::STORE => found.data().to_vec(),
            CompressionMethod::DEFLATE => {
                decompress_to_vec_with_limit(found.data(), INFLATED_BYTES_MAX).map_err(|error| {
                    if error.status == miniz_oxide::inflate::TINFLStatus::HasMoreOutput {
                        let message = format!("the text of {name} inflates to more than {INFLATED_BYTES_MAX} bytes");
                        ImportError::new("import.too-large", message, "this is no ordinary document; split it")
                    } else {
                        malformed("its text does not inflate".to_owned())
                    }
                })?
            }
            other => return Err(malformed(format!("its text is compressed by {other:?}"))),
        };
        return markup::word(&String::from_utf8_lossy(&text));
    }
    Err(malformed("there is no text in it".to_owned()))
}
