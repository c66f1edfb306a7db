//! The structure of a document, which readers aloud follow: headings, paragraphs, lists, tables.

/// What a part of the document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Document,
    Heading(u8),
    Paragraph,
    List,
    Item,
    Label,
    Body,
    Quote,
    Code,
    Table,
    Row,
    HeadCell,
    Cell,
    Formula,
    Link,
}

/// A part of the structure, by its place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tag(pub(super) usize);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kid {
    Tag(Tag),
    /// Page and number of the marked content.
    Content(usize, i32),
    /// A link on a page, by its number among all links.
    Annotation(usize, usize),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) role: Role,
    pub(super) parent: Option<Tag>,
    pub(super) kids: Vec<Kid>,
    /// What a formula says.
    pub(super) alt: Option<String>,
}

/// The structure; the first part is the document.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node { role: Role::Document, parent: None, kids: Vec::new(), alt: None }] }
    }

    pub(super) fn root() -> Tag {
        Tag(0)
    }

    /// A new part. It takes its place when something of it is painted, so that order on the page is order of reading.
    pub(super) fn add(&mut self, role: Role, parent: Tag) -> Tag {
        self.nodes.push(Node { role, parent: Some(parent), kids: Vec::new(), alt: None });
        Tag(self.nodes.len() - 1)
    }

    pub(super) fn say(&mut self, tag: Tag, text: &str) {
        if let Some(node) = self.nodes.get_mut(tag.0) {
            node.alt = Some(text.to_owned());
        }
    }

    pub(super) fn role(&self, tag: Tag) -> Role {
        self.nodes.get(tag.0).map_or(Role::Paragraph, |node| node.role)
    }

    /// Hangs a painted part below its tag, and the tag below its parents where it is new.
    pub(super) fn attach(&mut self, tag: Tag, kid: Kid) {
        let mut next = Some((tag, kid));
        while let Some((Tag(at), kid)) = next.take() {
            let Some(node) = self.nodes.get_mut(at) else { return };
            let fresh = node.kids.is_empty();
            node.kids.push(kid);
            if let Some(parent) = node.parent.filter(|_| fresh) {
                next = Some((parent, Kid::Tag(Tag(at))));
            }
        }
    }
}
