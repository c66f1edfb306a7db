//! Moments as the documented JSON writes them.

use time::OffsetDateTime;

/// A moment in milliseconds since 1970-01-01 UTC as ISO 8601 in seconds: `2026-11-23T07:05:00Z`.
#[must_use]
pub fn iso(moment_ms: u64) -> String {
    let at = i64::try_from(moment_ms / 1_000).ok().and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok());
    let at = at.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    format!("{year:04}-{:02}-{day:02}T{:02}:{:02}:{:02}Z", u8::from(month), at.hour(), at.minute(), at.second())
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn moments_are_written_in_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_763_000_000, "2025-11-13T02:13:20Z"),
        ] {
            assert_eq!(iso(seconds * 1_000), expected);
        }
    }
}
