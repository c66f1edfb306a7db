//! Types of a component: how many definitions, and how deep.
//!
//! Types of components lie within each other in the bytes, so this is read by hand, with a depth that has a limit; all
//! other types refer to each other by number, so their depths are kept by number.

use wasmparser::{
    BinaryReader, ComponentAlias, ComponentDefinedType, ComponentExport, ComponentExternalKind,
    ComponentOuterAliasKind, ComponentType, ComponentTypeRef, ComponentValType, CoreType, SectionLimited, TypeBounds,
};

use super::{Misshapen, Shape};

/// Depths of the types that can be named, from the outermost scope to the one that is being read.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Vec<u64>>,
    /// For a type that comes out of an instance: nothing that was defined before it is deeper.
    deepest: u64,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    fn define(&mut self, depth: u64) {
        self.deepest = self.deepest.max(depth);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(depth);
        }
    }

    /// The depth of a type that is so many scopes out; the greatest where there is none such.
    fn depth(&self, out: u32, index: u32) -> u64 {
        let scope = self.scopes.iter().rev().nth(out as usize);
        scope.and_then(|scope| scope.get(index as usize)).copied().unwrap_or(self.deepest)
    }

    pub(super) fn alias(&mut self, alias: &ComponentAlias<'_>) {
        match alias {
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Type, .. } => self.define(self.deepest),
            ComponentAlias::Outer { kind: ComponentOuterAliasKind::Type, count, index } => {
                self.define(self.depth(*count, *index));
            }
            _ => {}
        }
    }

    /// What an import or export of a type adds to the types that can be named.
    pub(super) fn bound(&mut self, reference: &ComponentTypeRef) {
        match reference {
            ComponentTypeRef::Type(TypeBounds::Eq(index)) => self.define(self.depth(0, *index)),
            ComponentTypeRef::Type(TypeBounds::SubResource) => self.define(1),
            _ => {}
        }
    }

    pub(super) fn export(&mut self, export: &ComponentExport<'_>) {
        if export.kind == ComponentExternalKind::Type {
            self.define(self.depth(0, export.index));
        }
    }

    fn value(&self, value: ComponentValType) -> u64 {
        match value {
            ComponentValType::Primitive(_) => 0,
            ComponentValType::Type(index) => self.depth(0, index),
        }
    }
}

/// Reads a section of types and returns how much it defines.
pub(super) fn section(bytes: &[u8], scopes: &mut Scopes, shape: &mut Shape, limit: u64) -> Result<u64, Misshapen> {
    let mut reader = BinaryReader::new(bytes, 0);
    let mut definitions = 0;
    for _ in 0..reader.read_var_u32()? {
        definitions += one(&mut reader, scopes, 1, limit)?;
        if scopes.deepest > limit {
            break;
        }
    }
    shape.type_depth = shape.type_depth.max(scopes.deepest);
    Ok(definitions)
}

/// Reads one type, at a depth of the bytes.
fn one(reader: &mut BinaryReader<'_>, scopes: &mut Scopes, depth: u64, limit: u64) -> Result<u64, Misshapen> {
    if depth > limit {
        return Err(Misshapen::TooMuch("types within types", limit));
    }
    if !matches!(reader.clone().read_u8()?, 0x41 | 0x42) {
        let (depth, parts) = flat(&reader.read()?, scopes);
        scopes.define(depth);
        return Ok(1 + parts);
    }
    reader.read_u8()?;
    scopes.open();
    let before = std::mem::replace(&mut scopes.deepest, 0);
    let mut definitions = 1;
    for _ in 0..reader.read_var_u32()? {
        definitions += declaration(reader, scopes, depth, limit)?;
    }
    scopes.close();
    let within = std::mem::replace(&mut scopes.deepest, before);
    scopes.define(within + 1);
    Ok(definitions)
}

/// Reads one line of a component's or an instance's type.
fn declaration(reader: &mut BinaryReader<'_>, scopes: &mut Scopes, depth: u64, limit: u64) -> Result<u64, Misshapen> {
    match reader.read_u8()? {
        0x00 => return Ok(1 + parts_of_core(&reader.read()?)),
        0x01 => return one(reader, scopes, depth + 1, limit),
        0x02 => scopes.alias(&reader.read()?),
        0x03 => {
            let import: wasmparser::ComponentImport<'_> = reader.read()?;
            scopes.bound(&import.ty);
        }
        0x04 => {
            let _name: wasmparser::ComponentExternName<'_> = reader.read()?;
            scopes.bound(&reader.read()?);
        }
        // The engine says what is wrong with it.
        _ => {}
    }
    Ok(1)
}

/// Depth and parts of a type that holds no other within its bytes.
fn flat(kind: &ComponentType<'_>, scopes: &Scopes) -> (u64, u64) {
    let values: Vec<ComponentValType> = match kind {
        ComponentType::Defined(defined) => values(defined),
        ComponentType::Func(func) => func.params.iter().map(|(_, value)| *value).chain(func.result).collect(),
        _ => Vec::new(),
    };
    let deepest = values.iter().map(|value| scopes.value(*value)).max().unwrap_or(0);
    let names = match kind {
        ComponentType::Defined(ComponentDefinedType::Flags(names) | ComponentDefinedType::Enum(names)) => names.len(),
        ComponentType::Defined(ComponentDefinedType::Variant(cases)) => cases.len(),
        _ => 0,
    };
    (deepest + 1, (values.len() + names) as u64)
}

fn values(defined: &ComponentDefinedType<'_>) -> Vec<ComponentValType> {
    match defined {
        ComponentDefinedType::Record(fields) => fields.iter().map(|(_, value)| *value).collect(),
        ComponentDefinedType::Variant(cases) => cases.iter().filter_map(|case| case.ty).collect(),
        ComponentDefinedType::Tuple(values) => values.to_vec(),
        ComponentDefinedType::List(value)
        | ComponentDefinedType::Option(value)
        | ComponentDefinedType::FixedLengthList(value, _) => vec![*value],
        ComponentDefinedType::Map(key, value) => vec![*key, *value],
        ComponentDefinedType::Result { ok, err } => ok.iter().chain(err).copied().collect(),
        ComponentDefinedType::Own(index) | ComponentDefinedType::Borrow(index) => vec![ComponentValType::Type(*index)],
        ComponentDefinedType::Future(value) | ComponentDefinedType::Stream(value) => value.iter().copied().collect(),
        ComponentDefinedType::Primitive(_) | ComponentDefinedType::Flags(_) | ComponentDefinedType::Enum(_) => vec![],
    }
}

/// How much a section of core types defines.
pub(super) fn core(section: SectionLimited<'_, CoreType<'_>>) -> Result<u64, Misshapen> {
    let mut definitions = 0;
    for kind in section {
        definitions += 1 + parts_of_core(&kind?);
    }
    Ok(definitions)
}

fn parts_of_core(kind: &CoreType<'_>) -> u64 {
    match kind {
        CoreType::Rec(group) => group.types().len() as u64,
        CoreType::Module(declarations) => declarations.len() as u64,
    }
}
