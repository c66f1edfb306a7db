//! Counts and what is reckoned from them.

/// What was found and missed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    /// Found, and there.
    pub(crate) found: usize,
    /// Found, and not there.
    pub(crate) false_alarms: usize,
    /// There, and not found.
    pub(crate) missed: usize,
}

impl Counts {
    /// What share of what was found is there; nothing found is all right.
    pub(crate) fn precision(self) -> f64 {
        share(self.found, self.found + self.false_alarms)
    }

    /// What share of what is there was found.
    pub(crate) fn recall(self) -> f64 {
        share(self.found, self.found + self.missed)
    }

    /// Their harmonic mean.
    pub(crate) fn f1(self) -> f64 {
        share(2 * self.found, 2 * self.found + self.false_alarms + self.missed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "the sets have hundreds of items")]
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
