//! Moments as the documented JSON writes them.

const DAY_MS: u64 = 86_400_000;

/// A moment in milliseconds since 1970-01-01 UTC as ISO 8601 in seconds: `2026-11-23T07:05:00Z`.
#[must_use]
pub fn iso(moment_ms: u64) -> String {
    let (days, seconds) = (moment_ms / DAY_MS, moment_ms % DAY_MS / 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    // Days are counted from 1 March of year 0, so that a leap day is the last of its year; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let of_era_year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + of_era_year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
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
