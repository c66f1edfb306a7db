//! What a component is made of, read before the engine reads it.
//!
//! The engine takes time and memory in proportion to what it is given, sometimes to a product: to the square of a function's
//! length, to the branches times the values that each carries, to the instances of instances that a component writes out.
//! Here these products are counted in one pass, without recursion that the bytes decide, and what is too much is refused
//! by name. What passes is still validated and compiled in full, in a process of its own with limits of its own.

mod code;
mod types;

use serde::{Deserialize, Serialize};
use wasmparser::{BinaryReaderError, ComponentInstance, Instance, Parser, Payload};

use crate::compile::Weight;
use crate::failure::SandboxError;
use crate::limits::{COMPONENT_BYTES_CEILING, COMPONENT_BYTES_MAX, NESTING_MAX, SHAPE_MAX, SHAPE_MAX_WITH_RUNTIME};
use code::Module;
use types::Scopes;

/// What is counted; and, as limits, how much of it there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// Core modules.
    pub(crate) modules: u64,
    /// Functions of all core modules.
    pub(crate) functions: u64,
    /// The length of each function, squared, added up: the compiler's time at its worst. Its length is its bytes,
    /// its variables, and the values that its blocks, branches and calls carry.
    pub(crate) squared_lengths: u64,
    /// Calls of all functions: a compiler does far more for one than its two bytes say.
    pub(crate) calls: u64,
    /// The most values that one signature of a core module has.
    pub(crate) signature: u64,
    /// The most of them that are results.
    pub(crate) results: u64,
    /// Entries of all sections of all core modules, functions and their code left out.
    pub(crate) entries: u64,
    /// Elements of tables.
    pub(crate) elements: u64,
    /// Definitions of a component when every instance within it is written out; never less than what the engine makes of it.
    pub(crate) definitions: u64,
    /// Instances, written out in the same way.
    pub(crate) instances: u64,
    /// Types within types.
    pub(crate) type_depth: u64,
}

/// What a component says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Outline {
    /// Names of its imports.
    pub(crate) imports: Vec<String>,
    /// Names of its exports.
    pub(crate) exports: Vec<String>,
    /// What it is made of.
    pub(crate) shape: Shape,
    /// Bytes of the data that its core modules begin with: a compiler copies them.
    pub(crate) data_bytes: u64,
}

/// Why there is no outline.
#[derive(Debug)]
enum Misshapen {
    Broken(BinaryReaderError),
    /// What there is too much of, and how much there may be.
    TooMuch(&'static str, u64),
}

impl From<BinaryReaderError> for Misshapen {
    fn from(error: BinaryReaderError) -> Self {
        Self::Broken(error)
    }
}

impl Shape {
    /// Refuses what would not be compiled within reason. The same holds for a component that was compiled long ago.
    ///
    /// # Errors
    /// `plugin.too_complex`, naming what there is too much of.
    pub(crate) fn check(&self, runtime: bool) -> Result<(), SandboxError> {
        self.within(limits(runtime)).map_err(refused)
    }

    fn within(&self, limits: &Self) -> Result<(), Misshapen> {
        let counted = [
            ("core modules", self.modules, limits.modules),
            ("functions", self.functions, limits.functions),
            ("lengths squared, over all functions", self.squared_lengths, limits.squared_lengths),
            ("calls", self.calls, limits.calls),
            ("results of one signature", self.results, limits.results),
            ("values in one signature", self.signature, limits.signature),
            ("entries of core modules", self.entries, limits.entries),
            ("elements of tables", self.elements, limits.elements),
            ("definitions when every instance is written out", self.definitions, limits.definitions),
            ("instances when every one is written out", self.instances, limits.instances),
            ("types within types", self.type_depth, limits.type_depth),
        ];
        let excess = counted.into_iter().find(|(_, found, limit)| found > limit);
        excess.map_or(Ok(()), |(what, _, limit)| Err(Misshapen::TooMuch(what, limit)))
    }
}

const fn limits(runtime: bool) -> &'static Shape {
    if runtime { &SHAPE_MAX_WITH_RUNTIME } else { &SHAPE_MAX }
}

/// Refuses what is no component before anything else looks at it.
///
/// # Errors
/// `plugin.too_large`, `plugin.malformed`.
pub(crate) fn header(bytes: &[u8], runtime: bool) -> Result<(), SandboxError> {
    let most = if runtime { COMPONENT_BYTES_CEILING } else { COMPONENT_BYTES_MAX };
    if bytes.len() > most {
        let message = format!("the component has {} bytes; it may have {most}", bytes.len());
        let hint = "a guest that carries a language runtime needs the capability `wasi`, which allows more";
        return Err(SandboxError::new("plugin.too_large", message, hint));
    }
    let malformed = |message: &str, hint: &str| Err(SandboxError::new("plugin.malformed", message, hint));
    match bytes.get(..8) {
        Some(b"\0asm\x0d\0\x01\0") => Ok(()),
        Some(b"\0asm\x01\0\0\0") => {
            malformed("this is a core module, not a component", "turn it into one with wit-component")
        }
        _ => malformed("this is no WebAssembly component", "give a `.wasm` file that was built as a component"),
    }
}

fn refused(misshapen: Misshapen) -> SandboxError {
    match misshapen {
        Misshapen::Broken(error) => SandboxError::new(
            "plugin.malformed",
            format!("this is no valid component: {error}"),
            "build it again; the file may have been cut",
        ),
        Misshapen::TooMuch(what, limit) => SandboxError::new(
            "plugin.too_complex",
            format!("it has more than {limit} {what}, which would take too long to compile"),
            "a guest that carries a language runtime needs the capability `wasi`, which allows more",
        ),
    }
}

impl Outline {
    /// Reads a component, in time in proportion to its bytes, and stops where there is too much of something.
    ///
    /// # Errors
    /// `plugin.malformed`, `plugin.too_complex`.
    pub(crate) fn of(bytes: &[u8], runtime: bool) -> Result<Self, SandboxError> {
        let mut reading = Reading { limits: *limits(runtime), ..Reading::default() };
        let read = Parser::new(0).parse_all(bytes).try_for_each(|payload| reading.take(payload?, bytes));
        read.map_err(refused)?;
        Ok(reading.outline)
    }

    /// What decides how long it may be compiled.
    pub(crate) const fn weight(&self, runtime: bool) -> Weight {
        Weight { data_bytes: self.data_bytes, runtime }
    }
}

/// A component or core module that is being read.
#[derive(Default)]
struct Frame {
    /// What it defines itself.
    definitions: u64,
    /// Components that it instantiates.
    components: u64,
    /// Core modules that it instantiates.
    cores: u64,
    /// None in a component.
    module: Option<Module>,
}

#[derive(Default)]
struct Reading {
    limits: Shape,
    outline: Outline,
    frames: Vec<Frame>,
    scopes: Scopes,
}

impl Reading {
    fn take(&mut self, payload: Payload<'_>, bytes: &[u8]) -> Result<(), Misshapen> {
        match payload {
            Payload::Version { encoding, .. } => {
                if self.frames.len() > NESTING_MAX {
                    return Err(Misshapen::TooMuch("components within components", NESTING_MAX as u64));
                }
                let module = (encoding == wasmparser::Encoding::Module).then(Module::default);
                self.outline.shape.modules += u64::from(module.is_some());
                self.scopes.open();
                self.frames.push(Frame { module, ..Frame::default() });
            }
            Payload::End(_) => self.close(),
            other => self.section(other, bytes)?,
        }
        self.outline.shape.within(&self.limits)
    }

    fn section(&mut self, payload: Payload<'_>, bytes: &[u8]) -> Result<(), Misshapen> {
        let outermost = self.frames.len() == 1;
        if let Payload::DataSection(section) = &payload {
            self.outline.data_bytes += section.range().len() as u64;
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if let Some(module) = &mut frame.module {
            return module.section(payload, &mut self.outline.shape, &self.limits);
        }
        let shape = &mut self.outline.shape;
        let mut count = 1;
        match payload {
            Payload::InstanceSection(section) => {
                for instance in section {
                    match instance? {
                        Instance::Instantiate { args, .. } => {
                            frame.cores += 1;
                            count += 1 + args.len() as u64;
                        }
                        Instance::FromExports(exports) => count += 1 + exports.len() as u64,
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section {
                    match instance? {
                        ComponentInstance::Instantiate { args, .. } => {
                            frame.components += 1;
                            count += 1 + args.len() as u64;
                        }
                        ComponentInstance::FromExports(exports) => count += 1 + exports.len() as u64,
                    }
                }
            }
            Payload::ComponentTypeSection(section) => {
                let bytes = bytes.get(section.range()).unwrap_or_default();
                count += types::section(bytes, &mut self.scopes, shape, self.limits.type_depth)?;
            }
            Payload::ComponentAliasSection(section) => {
                count += u64::from(section.count());
                for alias in section {
                    self.scopes.alias(&alias?);
                }
            }
            Payload::ComponentImportSection(section) => {
                count += u64::from(section.count());
                for import in section {
                    let import = import?;
                    self.scopes.bound(&import.ty);
                    if outermost {
                        self.outline.imports.push(import.name.name.to_owned());
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                count += u64::from(section.count());
                for export in section {
                    let export = export?;
                    self.scopes.export(&export);
                    if outermost {
                        self.outline.exports.push(export.name.name.to_owned());
                    }
                }
            }
            Payload::CoreTypeSection(section) => count += types::core(section)?,
            Payload::ComponentCanonicalSection(section) => count += u64::from(section.count()),
            _ => {}
        }
        frame.definitions = frame.definitions.saturating_add(count);
        // What is not even counted by instances: it is there once.
        shape.definitions = shape.definitions.max(frame.definitions);
        Ok(())
    }

    /// A component can instantiate only what stands before it, so the heaviest so far bounds each of its instances,
    /// whichever they are of.
    fn close(&mut self) {
        self.scopes.close();
        let Some(frame) = self.frames.pop().filter(|frame| frame.module.is_none()) else { return };
        let shape = &mut self.outline.shape;
        let written = |own: u64, each: u64| own.saturating_add(frame.components.saturating_mul(each));
        shape.definitions = shape.definitions.max(written(frame.definitions, shape.definitions));
        shape.instances = shape.instances.max(written(frame.cores.saturating_add(frame.components), shape.instances));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Outline::of(&wat::parse_str(text).unwrap(), false).unwrap().shape
    }

    fn refusal(text: &str) -> SandboxError {
        Outline::of(&wat::parse_str(text).unwrap(), false).unwrap_err()
    }

    #[test]
    fn names_are_those_of_the_outermost_component() {
        let text = r#"(component
            (import "a:b/c@1.0.0" (instance $i (export "f" (func))))
            (component (import "inner" (func)))
            (alias export $i "f" (func $f))
            (export "g" (func $f)))"#;
        let outline = Outline::of(&wat::parse_str(text).unwrap(), false).unwrap();
        assert_eq!((outline.imports, outline.exports), (vec!["a:b/c@1.0.0".to_owned()], vec!["g".to_owned()]));
    }

    /// Each component holds the one before and instantiates it so many times.
    fn towers(levels: usize, instances: usize) -> String {
        let instantiate = "(instance (instantiate $inner))".repeat(instances);
        (1..levels).fold("(component)".to_owned(), |inner, _| {
            format!("(component (component $inner {} {instantiate})", &inner["(component".len()..])
        })
    }

    #[test]
    fn instances_of_instances_multiply() {
        assert_eq!(shape(&towers(3, 2)).instances, 2 + 2 * 2);
        assert_eq!(shape(&towers(5, 3)).instances, 3 + 9 + 27 + 81);
        assert!(refusal(&towers(12, 2)).message.contains("instances"));
        assert!(refusal(&towers(18, 1)).message.contains("components within components"));
    }

    #[test]
    fn what_branches_carry_counts_as_length() {
        let values = "i32 ".repeat(30);
        let body = |targets: &str| {
            let push = "(i32.const 0) ".repeat(31);
            format!(
                "(component (core module (type $t (func (result {values}))) \
                 (func (result {values}) (block (type $t) {push} (br_table {targets})))))"
            )
        };
        let (few, many) = (shape(&body("0 0")).squared_lengths, shape(&body(&"0 ".repeat(400))).squared_lengths);
        assert!(many > few * 1_000, "{few} {many}");
        assert_eq!(shape(&body("0")).results, 30);
    }

    #[test]
    fn types_within_types_are_counted_through_names_and_instances() {
        let lists = |depth: usize| {
            let first = "(type $t0 (list u8))".to_owned();
            (1..depth).fold(first, |text, at| format!("{text} (type $t{at} (list $t{}))", at - 1))
        };
        assert_eq!(shape(&format!("(component {})", lists(7))).type_depth, 7);
        let nested = (0..9).fold("(type (component))".to_owned(), |inner, _| format!("(type (component {inner}))"));
        assert_eq!(shape(&format!("(component {nested})")).type_depth, 10);
        let through = format!(
            "(component (import \"i\" (instance $i {} (export \"t\" (type (eq $t6))))) (alias export $i \"t\" (type $t)) \
             (type (list $t)))",
            lists(7)
        );
        assert!(shape(&through).type_depth >= 8);
        assert!(refusal(&format!("(component {})", lists(5_000))).message.contains("types within types"));
    }

    #[test]
    fn what_ends_within_a_section_is_broken() {
        let text = wat::parse_str(towers(4, 2)).unwrap();
        let whole = Outline::of(&text, false).unwrap().shape;
        let mut broken = 0;
        for end in 0..text.len() {
            match Outline::of(&text[..end], false) {
                Err(error) => {
                    assert_eq!(error.code, "plugin.malformed", "{end}");
                    broken += 1;
                }
                // It ends between two sections: less is there, and no more is counted.
                Ok(part) => assert!(part.shape.within(&whole).is_ok(), "{end}: {:?}", part.shape),
            }
        }
        assert!(broken > text.len() / 2, "only {broken} of {} ends are refused", text.len());
    }
}
