import type { JournalRecord } from "./types";

/** How a record's text begins: its own place comes first. */
const PLACE = /^\s*\{"session":"([^"\\]+)","seq":\d+,"run":"([^"\\]+)"/;

/**
 * Reads a record. In the text of `run.forked` the names `session` and `run` stand twice, first for the record's own place and then for
 * where it comes from, and a parser keeps the last: here they are the record's own, as in every other record.
 */
export function parseRecord(text: string): JournalRecord {
  const record = JSON.parse(text) as JournalRecord;
  const own = record.type === "run.forked" ? PLACE.exec(text) : null;
  return own?.[1] && own[2] ? { ...record, session: own[1], run: own[2] } : record;
}
