//! What a component is made of, measured before the engine reads it.
//!
//! The engine takes time in proportion to what it is given, and sometimes to its square; and it writes every instance
//! of a component out, so that thirty components, each of which instantiates the one before twice, are a billion.
//! Nothing here is believed beyond that: what passes is still checked in full by the engine.

use crate::failure::SandboxError;
use crate::limits::{CompileLimits, NESTING_MAX, UNFOLDED_BYTES_MAX};

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shape {
    /// Functions of all core modules.
    pub(crate) functions: u64,
    /// Bytes of each function, squared, added up: the compiler's time at its worst.
    pub(crate) squared_bytes: u64,
    /// Bytes of definitions when every instance of a component is written out; never less than what the engine makes of it.
    pub(crate) unfolded_bytes: u64,
}

/// Why there is no shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misshapen {
    /// It ends too early, or a length is not one.
    Broken,
    /// Components within components within components.
    TooDeep,
}

/// Refuses a component whose compilation would not end within reason.
pub(crate) fn check(bytes: &[u8], limits: &CompileLimits) -> Result<(), SandboxError> {
    let shape = Shape::of(bytes).map_err(|misshapen| match misshapen {
        Misshapen::Broken => SandboxError::new(
            "plugin.malformed",
            "this is no valid component: a part of it is longer than the whole",
            "build it again; the file may have been cut",
        ),
        Misshapen::TooDeep => {
            excess("components within components", u64::from(NESTING_MAX) + 1, u64::from(NESTING_MAX))
        }
    })?;
    for (what, found, limit) in [
        ("functions", shape.functions, limits.functions),
        ("bytes squared, over all functions", shape.squared_bytes, limits.squared_bytes),
        ("bytes when every instance is written out", shape.unfolded_bytes, UNFOLDED_BYTES_MAX),
    ] {
        if found > limit {
            return Err(excess(what, found, limit));
        }
    }
    Ok(())
}

fn excess(what: &str, found: u64, limit: u64) -> SandboxError {
    let message = format!("it would take too long to compile: {found} {what}; {limit} are allowed");
    SandboxError::new(
        "hook.limit",
        message,
        "a guest that carries a language runtime needs the capability `wasi`, which allows more",
    )
}

impl Shape {
    /// Measures a component. Takes time in proportion to its bytes.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, Misshapen> {
        let mut shape = Self::default();
        component(&mut Reader(bytes), NESTING_MAX, &mut shape)?;
        Ok(shape)
    }
}

/// A component with all that it holds. A component can instantiate only what stands before it, so the heaviest so far
/// bounds each of its instances, whichever they are of.
fn component(reader: &mut Reader<'_>, depth: u32, shape: &mut Shape) -> Result<(), Misshapen> {
    let deeper = depth.checked_sub(1).ok_or(Misshapen::TooDeep)?;
    reader.take(8)?;
    let mut own: u64 = 0;
    let mut instances: u64 = 0;
    while let Some((id, mut body)) = reader.section()? {
        match id {
            1 => module(&mut body, shape)?,
            4 => component(&mut body, deeper, shape)?,
            // Custom sections are not looked at.
            0 => {}
            _ => {
                own = own.saturating_add(body.0.len() as u64);
                if id == 5 {
                    instances = instances.saturating_add(body.number()?);
                }
            }
        }
    }
    let unfolded = own.saturating_add(instances.saturating_mul(shape.unfolded_bytes.max(1)));
    shape.unfolded_bytes = shape.unfolded_bytes.max(unfolded);
    Ok(())
}

fn module(reader: &mut Reader<'_>, shape: &mut Shape) -> Result<(), Misshapen> {
    reader.take(8)?;
    while let Some((id, mut body)) = reader.section()? {
        if id == 10 {
            let functions = body.number()?;
            shape.functions = shape.functions.saturating_add(functions);
            for _ in 0..functions {
                let length = body.number()?;
                body.take(length)?;
                shape.squared_bytes = shape.squared_bytes.saturating_add(length.saturating_mul(length));
            }
        }
    }
    Ok(())
}

/// Bytes that are left.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, length: u64) -> Result<&'a [u8], Misshapen> {
        let length = usize::try_from(length).map_err(|_| Misshapen::Broken)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Misshapen::Broken)?;
        self.0 = rest;
        Ok(taken)
    }

    /// An unsigned number of at most 32 bits, seven bits a byte, the lowest first.
    fn number(&mut self) -> Result<u64, Misshapen> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.take(1)? else { return Err(Misshapen::Broken) };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Misshapen::Broken)
    }

    /// The next section: its kind and its bytes; none at the end.
    pub(crate) fn section(&mut self) -> Result<Option<(u8, Self)>, Misshapen> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let [id] = self.take(1)? else { return Err(Misshapen::Broken) };
        let length = self.number()?;
        Ok(Some((*id, Reader(self.take(length)?))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] = b"\0asm\x0d\0\x01\0";

    fn section(id: u8, body: &[u8]) -> Vec<u8> {
        let length = u16::try_from(body.len()).unwrap();
        let mut bytes = vec![id, (length & 0x7f) as u8 | 0x80, (length >> 7 & 0x7f) as u8 | 0x80, (length >> 14) as u8];
        bytes.extend_from_slice(body);
        bytes
    }

    /// Each component holds the one before and instantiates it so many times.
    fn towers(levels: usize, instances: u8) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for _ in 0..levels {
            let mut entries = vec![instances];
            entries.extend((0..instances).flat_map(|_| [0, 0, 0]));
            bytes = [HEADER, &section(4, &bytes), &section(5, &entries)].concat();
        }
        bytes
    }

    #[test]
    fn instances_of_instances_multiply() {
        let small = Shape::of(&towers(2, 2)).unwrap().unfolded_bytes;
        assert_eq!(small, 7 + 2 * (7 + 2));
        assert!(Shape::of(&towers(15, 9)).unwrap().unfolded_bytes > UNFOLDED_BYTES_MAX);
        assert_eq!(Shape::of(&towers(17, 1)).unwrap_err(), Misshapen::TooDeep);
    }

    #[test]
    fn functions_are_counted_and_measured() {
        let code = [3, 2, 0, 0x0b, 4, 0, 1, 1, 0x0b, 2, 0, 0x0b];
        let module = [b"\0asm\x01\0\0\0".as_slice(), &section(10, &code)].concat();
        let shape = Shape::of(&[HEADER, &section(1, &module), &section(1, &module)].concat()).unwrap();
        assert_eq!((shape.functions, shape.squared_bytes), (6, 2 * (4 + 16 + 4)));
    }

    #[test]
    fn what_ends_early_is_broken() {
        let whole = [HEADER, &section(5, &[1, 0, 0, 0]), &section(0, b"\x01x")].concat();
        for end in HEADER.len() + 1..whole.len() {
            let cut = Shape::of(&whole[..end]);
            assert!(cut == Err(Misshapen::Broken) || end == HEADER.len() + 8, "{end}: {cut:?}");
        }
        assert_eq!(Shape::of(&[HEADER, &[5, 0xff, 0xff, 0xff, 0xff, 0xff]].concat()).unwrap_err(), Misshapen::Broken);
    }
}
