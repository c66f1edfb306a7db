import { useCallback, useState } from "react";

const PREFIX = "teacher-assist:";

/** Reads what this browser keeps: settings of the page, never anything that belongs to the work. */
export function kept<T>(key: string, fallback: T, valid: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    return valid(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still works.
  }
}

/** A state that this browser keeps. */
export function useKept<T>(key: string, fallback: T, valid: (value: unknown) => value is T): [T, (value: T) => void] {
  const [value, set] = useState(() => kept(key, fallback, valid));
  const put = useCallback(
    (next: T) => {
      set(next);
      keep(key, next);
    },
    [key],
  );
  return [value, put];
}

export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
export const isString = (value: unknown): value is string => typeof value === "string";
