//! Days from milliseconds, as a teacher writes them.

const DAY_MS: u64 = 86_400_000;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The day of a moment in milliseconds since 1970-01-01 UTC: `12 November 2026`.
pub(crate) fn day(moment_ms: u64) -> String {
    // Days are counted from 1 March of year 0, so that a leap day is the last of its year; 400 years have 146,097 days.
    let days = moment_ms / DAY_MS + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let of_era_year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12;
    let year = era * 400 + of_era_year + u64::from(month < 2);
    let name = usize::try_from(month).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or_default();
    format!("{day} {name} {year}")
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn moments_have_their_day() {
        for (seconds, expected) in [
            (0, "1 January 1970"),
            (951_782_400, "29 February 2000"),
            (951_868_800, "1 March 2000"),
            (1_735_689_599, "31 December 2024"),
            (1_763_000_000, "13 November 2025"),
        ] {
            assert_eq!(day(seconds * 1_000), expected);
        }
    }
}
