//! The objects of the file: pages, fonts, structure, bookmarks, properties.

use std::collections::BTreeMap;

use pdf_writer::types::{
    ActionType, AnnotationType, CidFontType, FontFlags, OutlineItemFlags, StructRole, SystemInfo, TabOrder, UnicodeCmap,
};
use pdf_writer::writers::StructTreeRoot;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::fonts::{Font, Fonts};
use super::paint::{Bookmark, Painted, numbers};
use super::strips::PAGE;
use super::subset::subset;
use super::tags::{Kid, Role, Tag, Tree};
use crate::{ExportError, Prepared};

/// How much work goes into making it small: 0 to 10.
const COMPRESSION: u8 = 6;

const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Numbers for objects.
struct Numbers(i32);

impl Numbers {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }

    fn many(&mut self, count: usize) -> Vec<Ref> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// The numbers of what is referred to from several places.
struct Refs {
    catalog: Ref,
    pages: Ref,
    page: Vec<Ref>,
    tags: Vec<Ref>,
    links: Vec<Ref>,
    fonts: BTreeMap<Font, Ref>,
}

pub(super) fn write(document: &Prepared, fonts: &Fonts, tree: &Tree, painted: Painted) -> Result<Vec<u8>, ExportError> {
    let mut numbers = Numbers(0);
    let refs = Refs {
        catalog: numbers.next(),
        pages: numbers.next(),
        page: numbers.many(painted.contents.len()),
        tags: numbers.many(tree.nodes.len()),
        links: numbers.many(painted.links.len()),
        fonts: painted.used.keys().map(|font| (*font, numbers.next())).collect(),
    };
    let mut pdf = Pdf::new();
    pdf.set_version(1, 7);
    let outline = bookmarks(&mut pdf, &mut numbers, &painted.bookmarks, &refs);
    let structure = structure(&mut pdf, &mut numbers, tree, &painted, &refs);
    catalog(&mut pdf, document, &refs, outline, structure);
    let info = numbers.next();
    let mut properties = pdf.document_info(info);
    properties.title(TextStr(&document.title)).producer(TextStr("teacher-assist"));
    properties.finish();
    pages(&mut pdf, &mut numbers, &painted, &refs);
    for (font, used) in &painted.used {
        if let Some(id) = refs.fonts.get(font) {
            embed(&mut pdf, &mut numbers, fonts, *font, used, *id)?;
        }
    }
    Ok(pdf.finish())
}

fn catalog(pdf: &mut Pdf, document: &Prepared, refs: &Refs, outline: Option<Ref>, structure: Ref) {
    let mut catalog = pdf.catalog(refs.catalog);
    catalog.pages(refs.pages).lang(TextStr(&document.language));
    catalog.mark_info().marked(true);
    catalog.viewer_preferences().display_doc_title(true);
    if let Some(outline) = outline {
        catalog.outlines(outline);
    }
    catalog.pair(Name(b"StructTreeRoot"), structure);
    catalog.finish();
}

fn pages(pdf: &mut Pdf, numbers: &mut Numbers, painted: &Painted, refs: &Refs) {
    let count = i32::try_from(refs.page.len()).unwrap_or(i32::MAX);
    pdf.pages(refs.pages).kids(refs.page.iter().copied()).count(count);
    for ((index, id), content) in refs.page.iter().enumerate().zip(&painted.contents) {
        let stream = numbers.next();
        let mut page = pdf.page(*id);
        page.parent(refs.pages).media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1)).contents(stream);
        page.struct_parents(i32::try_from(index).unwrap_or(i32::MAX)).tab_order(TabOrder::StructureOrder);
        let links = painted.links.iter().zip(&refs.links).filter(|(link, _)| link.page == index);
        let links: Vec<Ref> = links.map(|(_, id)| *id).collect();
        if !links.is_empty() {
            page.annotations(links);
        }
        let mut resources = page.resources();
        let mut dictionary = resources.fonts();
        for (font, id) in &refs.fonts {
            dictionary.pair(Name(font.resource()), *id);
        }
        dictionary.finish();
        resources.finish();
        page.finish();
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(content, COMPRESSION);
        pdf.stream(stream, &packed).filter(Filter::FlateDecode);
    }
    let pages = painted.contents.len();
    for (index, (link, id)) in painted.links.iter().zip(&refs.links).enumerate() {
        let [left, bottom, right, top] = link.rect;
        let mut annotation = pdf.annotation(*id);
        annotation.subtype(AnnotationType::Link).rect(Rect::new(left, bottom, right, top));
        annotation.border(0.0, 0.0, 0.0, None).contents(TextStr(&link.address));
        annotation.struct_parent(i32::try_from(pages + index).unwrap_or(i32::MAX));
        annotation.action().action_type(ActionType::Uri).uri(Str(link.address.as_bytes()));
        annotation.finish();
    }
}

fn role(role: Role) -> StructRole {
    match role {
        Role::Document => StructRole::Document,
        Role::Heading(1) => StructRole::H1,
        Role::Heading(2) => StructRole::H2,
        Role::Heading(3) => StructRole::H3,
        Role::Heading(4) => StructRole::H4,
        Role::Heading(5) => StructRole::H5,
        Role::Heading(_) => StructRole::H6,
        Role::Paragraph => StructRole::P,
        Role::List => StructRole::L,
        Role::Item => StructRole::LI,
        Role::Label => StructRole::Lbl,
        Role::Body => StructRole::LBody,
        Role::Quote => StructRole::BlockQuote,
        Role::Code => StructRole::Code,
        Role::Table => StructRole::Table,
        Role::Row => StructRole::TR,
        Role::HeadCell => StructRole::TH,
        Role::Cell => StructRole::TD,
        Role::Formula => StructRole::Formula,
        Role::Link => StructRole::Link,
    }
}

/// Writes the structure and, from each marked content, the way back to it.
fn structure(pdf: &mut Pdf, numbers: &mut Numbers, tree: &Tree, painted: &Painted, refs: &Refs) -> Ref {
    let id = |tag: Tag| refs.tags.get(tag.0).copied().unwrap_or(refs.catalog);
    let root = numbers.next();
    for (index, node) in tree.nodes.iter().enumerate() {
        // What was never painted has no place.
        if node.kids.is_empty() && index > 0 {
            continue;
        }
        let mut element = pdf.struct_element(id(Tag(index)));
        element.kind(role(node.role)).parent(node.parent.map_or(root, id));
        if let Some(alt) = &node.alt {
            element.alt(TextStr(alt));
        }
        if node.role == Role::HeadCell {
            element.attributes().push().table().scope(pdf_writer::types::TableHeaderScope::Column);
        }
        let mut kids = element.children();
        for kid in &node.kids {
            match kid {
                Kid::Tag(tag) => {
                    kids.struct_element(id(*tag));
                }
                Kid::Content(page, number) => {
                    let mut content = kids.marked_content_ref();
                    content.marked_content_id(*number);
                    if let Some(page) = refs.page.get(*page) {
                        content.page(*page);
                    }
                }
                Kid::Annotation(page, link) => {
                    if let (Some(page), Some(link)) = (refs.page.get(*page), refs.links.get(*link)) {
                        kids.object_ref().page(*page).object(*link);
                    }
                }
            }
        }
        kids.finish();
        element.finish();
    }
    let lists: Vec<Ref> = numbers.many(painted.marks.len());
    for (marks, list) in painted.marks.iter().zip(&lists) {
        pdf.indirect(*list).array().items(marks.iter().map(|tag| id(*tag)));
    }
    let mut top = pdf.indirect(root).start::<StructTreeRoot<'_>>();
    top.child(id(Tree::root()));
    let mut back = top.parent_tree();
    let mut entries = back.nums();
    let links = painted.links.iter().map(|link| id(link.tag));
    let mut next = 0;
    for target in lists.iter().copied().chain(links) {
        entries.insert(next, target);
        next += 1;
    }
    entries.finish();
    back.finish();
    top.parent_tree_next_key(next);
    top.finish();
    root
}

/// Headings as a tree to jump in.
fn bookmarks(pdf: &mut Pdf, numbers: &mut Numbers, marks: &[Bookmark], refs: &Refs) -> Option<Ref> {
    if marks.is_empty() {
        return None;
    }
    let root = numbers.next();
    let ids = numbers.many(marks.len());
    // For each heading the one above it: the last before it with a smaller level.
    let mut parents: Vec<Option<usize>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        while open.last().and_then(|it| marks.get(*it)).is_some_and(|above| above.level >= mark.level) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(index);
    }
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (index, parent) in parents.iter().enumerate() {
        children.entry(*parent).or_default().push(index);
    }
    let id = |index: &usize| ids.get(*index).copied().unwrap_or(root);
    for (parent, kids) in &children {
        for (at, index) in kids.iter().enumerate() {
            let Some(mark) = marks.get(*index) else { continue };
            let mut item = pdf.outline_item(id(index));
            item.title(TextStr(&mark.title)).parent(parent.as_ref().map_or(root, id));
            if let Some(before) = at.checked_sub(1).and_then(|it| kids.get(it)) {
                item.prev(id(before));
            }
            if let Some(after) = kids.get(at + 1) {
                item.next(id(after));
            }
            if let Some(below) = children.get(&Some(*index))
                && let (Some(first), Some(last)) = (below.first(), below.last())
            {
                let open = if mark.level <= 1 { 1 } else { -1 };
                item.first(id(first)).last(id(last)).count(open * i32::try_from(below.len()).unwrap_or(i32::MAX));
            }
            if let Some(page) = refs.page.get(mark.page) {
                item.dest().page(*page).xyz(0.0, mark.top, None);
            }
            if mark.level <= 1 {
                item.flags(OutlineItemFlags::BOLD);
            }
        }
    }
    let top = children.get(&None)?;
    let mut outline = pdf.outline(root);
    outline.first(id(top.first()?)).last(id(top.last()?)).count(i32::try_from(top.len()).unwrap_or(i32::MAX));
    outline.finish();
    Some(root)
}

fn embed(
    pdf: &mut Pdf,
    ids: &mut Numbers,
    fonts: &Fonts,
    font: Font,
    used: &BTreeMap<u16, char>,
    id: Ref,
) -> Result<(), ExportError> {
    let broken = || ExportError::Internal(format!("{} cannot be embedded", font.name()));
    let face = fonts.face(font).ok_or_else(broken)?;
    let program = subset(face, &numbers(used)).ok_or_else(broken)?;
    let (descendant, descriptor, stream, map) = (ids.next(), ids.next(), ids.next(), ids.next());
    let name = Name(font.name().as_bytes());
    pdf.type0_font(id)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(descendant)
        .to_unicode(map);
    let scale = 1000.0 / f32::from(face.units_per_em()).max(1.0);
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2).base_font(name).system_info(IDENTITY).font_descriptor(descriptor);
    cid.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for glyph in used.keys() {
        let advance = face.glyph_hor_advance(ttf_parser::GlyphId(*glyph)).unwrap_or(0);
        widths.consecutive(*glyph, [f32::from(advance) * scale]);
    }
    widths.finish();
    cid.finish();
    let (ascent, descent) = fonts.extent(font);
    let area = face.global_bounding_box();
    let corner = |value: i16| f32::from(value) * scale;
    let mut about = pdf.font_descriptor(descriptor);
    about.name(name).italic_angle(face.italic_angle()).stem_v(if face.is_bold() { 140.0 } else { 80.0 });
    about.ascent(ascent * 1000.0).descent(-descent * 1000.0).cap_height(714.0).font_file2(stream);
    about.bbox(Rect::new(corner(area.x_min), corner(area.y_min), corner(area.x_max), corner(area.y_max)));
    let mut flags = FontFlags::SYMBOLIC;
    flags.set(FontFlags::ITALIC, face.is_italic());
    flags.set(FontFlags::FIXED_PITCH, font == Font::Mono);
    about.flags(flags);
    about.finish();
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&program, COMPRESSION);
    let mut file = pdf.stream(stream, &packed);
    file.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(program.len()).unwrap_or(i32::MAX));
    file.finish();
    let mut characters = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
    for (glyph, character) in used {
        characters.pair(*glyph, *character);
    }
    let text = characters.finish();
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&text, COMPRESSION);
    pdf.cmap(map, &packed).filter(Filter::FlateDecode);
    Ok(())
}
