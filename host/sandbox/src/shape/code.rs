//! Core modules: how much there is of everything, and what their functions cost a compiler.

use wasmparser::{BlockType, CompositeInnerType, ElementItems, FunctionBody, Operator, Payload, TypeRef};

use super::{Misshapen, Shape};

/// What of a core module is needed to read its functions.
#[derive(Default)]
pub(super) struct Module {
    /// Values of each type's parameters and of its results.
    types: Vec<(u64, u64)>,
    /// The type of each function, the imported ones first.
    functions: Vec<u32>,
    /// Functions whose code was read.
    read: usize,
    imported: usize,
}

impl Module {
    pub(super) fn section(&mut self, payload: Payload<'_>, shape: &mut Shape, limits: &Shape) -> Result<(), Misshapen> {
        let entries = match &payload {
            Payload::TypeSection(section) => section.count(),
            Payload::ImportSection(section) => section.count(),
            Payload::FunctionSection(section) => section.count(),
            Payload::TableSection(section) => section.count(),
            Payload::MemorySection(section) => section.count(),
            Payload::TagSection(section) => section.count(),
            Payload::GlobalSection(section) => section.count(),
            Payload::ExportSection(section) => section.count(),
            Payload::ElementSection(section) => section.count(),
            Payload::DataSection(section) => section.count(),
            _ => 0,
        };
        // A count is believed only so far as to refuse it: nothing is kept for entries that are not there.
        match &payload {
            Payload::FunctionSection(_) => shape.functions = shape.functions.saturating_add(entries.into()),
            _ => shape.entries = shape.entries.saturating_add(entries.into()),
        }
        shape.within(limits)?;
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    self.types.extend(group?.types().map(|kind| signature(&kind.composite_type.inner)));
                }
                for (params, results) in &self.types {
                    shape.signature = shape.signature.max(params + results);
                    shape.results = shape.results.max(*results);
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    if let TypeRef::Func(index) | TypeRef::FuncExact(index) = import?.ty {
                        self.functions.push(index);
                        self.imported += 1;
                    }
                }
            }
            Payload::FunctionSection(section) => {
                for index in section {
                    self.functions.push(index?);
                }
            }
            Payload::ElementSection(section) => {
                for element in section {
                    let items = match element?.items {
                        ElementItems::Functions(items) => items.count(),
                        ElementItems::Expressions(_, items) => items.count(),
                    };
                    shape.elements = shape.elements.saturating_add(items.into());
                }
            }
            Payload::CodeSectionEntry(body) => {
                let index = self.functions.get(self.imported + self.read).copied();
                self.read += 1;
                let own = index.map_or((0, 0), |index| self.signature(index));
                let room = limits.squared_lengths.saturating_sub(shape.squared_lengths).isqrt();
                let (length, calls) = self.length(&body, own, room)?;
                shape.calls = shape.calls.saturating_add(calls);
                shape.squared_lengths = shape.squared_lengths.saturating_add(length.saturating_mul(length));
            }
            _ => {}
        }
        Ok(())
    }

    fn signature(&self, index: u32) -> (u64, u64) {
        self.types.get(index as usize).copied().unwrap_or((0, 0))
    }

    fn called(&self, function: u32) -> u64 {
        let (params, results) = self.functions.get(function as usize).map_or((0, 0), |index| self.signature(*index));
        params + results
    }

    fn block(&self, kind: BlockType) -> (u64, u64) {
        match kind {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => self.signature(index),
        }
    }

    /// A function's bytes, its variables, and the values that its blocks, branches and calls carry; and how many calls it has.
    /// Reading stops beyond `room`.
    fn length(&self, body: &FunctionBody<'_>, own: (u64, u64), room: u64) -> Result<(u64, u64), Misshapen> {
        let range = body.range();
        let mut length = (range.end.saturating_sub(range.start) as u64).saturating_add(own.0 + own.1);
        for declared in body.get_locals_reader()? {
            length = length.saturating_add(declared?.0.into());
        }
        // Values that a branch to each label carries, the outermost first.
        let mut labels = vec![own.1];
        let mut operators = body.get_operators_reader()?;
        let mut calls = 0;
        while !operators.eof() && length <= room {
            let label = |depth: u32| labels.iter().rev().nth(depth as usize).copied().unwrap_or(0);
            let carried = match operators.read()? {
                Operator::Block { blockty } | Operator::If { blockty } => {
                    let (params, results) = self.block(blockty);
                    labels.push(results);
                    params + results
                }
                Operator::Loop { blockty } => {
                    let (params, results) = self.block(blockty);
                    labels.push(params);
                    params + results
                }
                Operator::TryTable { try_table } => {
                    let (params, results) = self.block(try_table.ty);
                    labels.push(results);
                    params + results + try_table.catches.len() as u64
                }
                Operator::End => {
                    labels.pop();
                    0
                }
                Operator::Br { relative_depth }
                | Operator::BrIf { relative_depth }
                | Operator::BrOnNull { relative_depth }
                | Operator::BrOnNonNull { relative_depth }
                | Operator::BrOnCast { relative_depth, .. }
                | Operator::BrOnCastFail { relative_depth, .. } => label(relative_depth),
                Operator::BrTable { targets } => {
                    let each = targets.targets().map(|target| target.map(label)).sum::<Result<u64, _>>()?;
                    each + label(targets.default())
                }
                Operator::Return => own.1,
                Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                    calls += 1;
                    self.called(function_index)
                }
                Operator::CallIndirect { type_index, .. }
                | Operator::ReturnCallIndirect { type_index, .. }
                | Operator::CallRef { type_index }
                | Operator::ReturnCallRef { type_index } => {
                    calls += 1;
                    let (params, results) = self.signature(type_index);
                    params + results
                }
                _ => 0,
            };
            length = length.saturating_add(carried);
        }
        Ok((length, calls))
    }
}

/// Values of a function's parameters and of its results; other types have fields instead.
fn signature(kind: &CompositeInnerType) -> (u64, u64) {
    match kind {
        CompositeInnerType::Func(func) => (func.params().len() as u64, func.results().len() as u64),
        CompositeInnerType::Struct(fields) => (fields.fields.len() as u64, 0),
        CompositeInnerType::Array(_) | CompositeInnerType::Cont(_) => (0, 0),
    }
}
