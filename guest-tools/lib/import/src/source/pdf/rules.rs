//! The rules of tables: lines and thin rectangles that a page draws. Where one stands between two words, they are of two
//! cells, however close they are.

/// A thin rectangle is a rule, in points.
const THIN: f64 = 3.0;
/// Rules shorter than a line of text are decoration, in points.
const LENGTH_MIN: f64 = 6.0;
/// Rules of one page; a drawing has more and is no table.
const RULES_MAX: usize = 4_000;
/// How far a rule may miss the text that it parts, in points.
const SLACK: f64 = 2.0;

/// One rule: where it stands on one axis, and from where to where it reaches on the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rule {
    at: f64,
    from: f64,
    to: f64,
}

/// The rules of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Rules {
    upright: Vec<Rule>,
    level: Vec<Rule>,
}

/// The path that is being drawn: parts of points, in the page's measure.
#[derive(Debug, Default)]
pub(super) struct Path {
    parts: Vec<Vec<(f64, f64)>>,
}

impl Path {
    pub(super) fn begin(&mut self, point: (f64, f64)) {
        if self.parts.len() < RULES_MAX {
            self.parts.push(vec![point]);
        }
    }

    pub(super) fn line(&mut self, point: (f64, f64)) {
        if let Some(part) = self.parts.last_mut().filter(|part| part.len() < 16) {
            part.push(point);
        }
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }
}

impl Rules {
    /// Takes what a path leaves on the page: filled, only what is thin; drawn as lines, every straight one.
    pub(super) fn take(&mut self, path: &mut Path, lines: bool) {
        for part in std::mem::take(&mut path.parts) {
            let (xs, ys) = (part.iter().map(|it| it.0), part.iter().map(|it| it.1));
            let (left, right) = bounds(xs);
            let (bottom, top) = bounds(ys);
            if right - left <= THIN || top - bottom <= THIN {
                self.add(left, right, bottom, top);
            } else if lines {
                for pair in part.windows(2) {
                    if let [a, b] = *pair {
                        self.add(a.0.min(b.0), a.0.max(b.0), a.1.min(b.1), a.1.max(b.1));
                    }
                }
            }
        }
    }

    /// Adds an upright rule that is not drawn.
    pub(super) fn aligned(&mut self, x: f64, bottom: f64, top: f64) {
        self.add(x, x, bottom, top);
    }

    fn add(&mut self, left: f64, right: f64, bottom: f64, top: f64) {
        let finite = [left, right, bottom, top].iter().all(|it| it.is_finite());
        if !finite || self.upright.len() + self.level.len() >= RULES_MAX {
            return;
        }
        if right - left <= THIN && top - bottom >= LENGTH_MIN {
            self.upright.push(Rule { at: (left + right) / 2.0, from: bottom, to: top });
        } else if top - bottom <= THIN && right - left >= LENGTH_MIN {
            self.level.push(Rule { at: (bottom + top) / 2.0, from: left, to: right });
        }
    }

    /// The upright rules that pass through a line of text.
    pub(super) fn through(&self, y: f64, size: f64) -> Vec<f64> {
        let middle = y + size * 0.3;
        let passing = self.upright.iter().filter(|rule| rule.from - SLACK <= middle && middle <= rule.to + SLACK);
        passing.map(|rule| rule.at).collect()
    }

    /// Whether a rule lies between two lines of text.
    pub(super) fn part_lines(&self, upper: f64, lower: f64, left: f64, right: f64) -> bool {
        let middle = f64::midpoint(left, right);
        self.level.iter().any(|rule| lower < rule.at && rule.at < upper && rule.from <= middle && middle <= rule.to)
    }
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
}
