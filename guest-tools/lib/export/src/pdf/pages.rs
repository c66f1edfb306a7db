//! Puts strips on pages: headings with their text, tables with their head on every page.

use super::strips::{Strip, TEXT_HEIGHT};

/// A strip on a page.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) strip: Strip,
    /// From the top of the text.
    pub(super) top: f32,
    /// Repeated for the eye alone.
    pub(super) again: bool,
}

/// Divides strips among pages; there is at least one.
pub(super) fn paginate(strips: Vec<Strip>) -> Vec<Vec<Laid>> {
    let heads: Vec<Strip> = strips.iter().filter(|it| matches!(it.table, Some((_, true)))).cloned().collect();
    let groups = group_heights(&strips);
    let mut pages = vec![Vec::new()];
    let mut y = 0.0;
    let mut last_table = None;
    for (strip, group) in strips.into_iter().zip(groups) {
        let room = if y == 0.0 { 0.0 } else { strip.gap };
        // A group that fits no page is divided like anything else.
        let needs = if group <= TEXT_HEIGHT { group.max(strip.height) } else { strip.height };
        let full = y > 0.0 && y + room + needs > TEXT_HEIGHT;
        if full {
            pages.push(Vec::new());
            y = 0.0;
        }
        let Some(page) = pages.last_mut() else { break };
        if let Some((table, false)) = strip.table
            && full
            && last_table == Some(table)
        {
            for head in heads.iter().filter(|it| matches!(it.table, Some((of, _)) if of == table)) {
                // A head that leaves no room for rows is shown once only.
                if y + head.height + strip.height > TEXT_HEIGHT / 2.0 {
                    break;
                }
                page.push(Laid { strip: head.clone(), top: y, again: true });
                y += head.height;
            }
        }
        last_table = strip.table.map(|(table, _)| table);
        let top = if y == 0.0 { 0.0 } else { y + strip.gap };
        y = top + strip.height;
        page.push(Laid { strip, top, again: false });
    }
    pages
}

/// For the first strip of each group that stays together, its height; for the others nothing.
fn group_heights(strips: &[Strip]) -> Vec<f32> {
    let mut heights = vec![0.0; strips.len()];
    let mut begin = 0;
    let mut sum = 0.0;
    for (at, strip) in strips.iter().enumerate() {
        sum += strip.height + if at == begin { 0.0 } else { strip.gap };
        if !strip.keep {
            if let Some(height) = heights.get_mut(begin) {
                *height = sum;
            }
            begin = at + 1;
            sum = 0.0;
        }
    }
    heights
}
