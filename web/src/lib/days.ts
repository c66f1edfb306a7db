// Days that a person chooses, as the times that they stand for.

/** First and last millisecond of the days, here where the person is. */
export function range({ from, to }: { from?: string; to?: string }): { since_ms?: number; until_ms?: number } {
  const midnight = (day: string, plus = 0) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    return new Date(year, month - 1, date + plus).getTime();
  };
  return { ...(from ? { since_ms: midnight(from) } : {}), ...(to ? { until_ms: midnight(to, 1) - 1 } : {}) };
}
