//! Days from milliseconds.

use time::OffsetDateTime;

/// The day of a moment in milliseconds since 1970-01-01 UTC, as `2026-11-22`.
pub(crate) fn day(moment_ms: u64) -> String {
    let at = i64::try_from(moment_ms / 1_000).ok().and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok());
    let (year, month, day) = at.unwrap_or(OffsetDateTime::UNIX_EPOCH).to_calendar_date();
    format!("{year:04}-{:02}-{day:02}", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn moments_have_their_day() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (1_763_000_000, "2025-11-13"),
        ] {
            assert_eq!(day(seconds * 1_000), expected);
        }
        assert!(!day(u64::MAX).is_empty());
    }
}
