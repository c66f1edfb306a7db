// Calls of the HTTP API. Every call that changes something carries an idempotency key, so that repeating it after a lost
// connection does nothing twice.
import { ApiError, fromResponse } from "./errors";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type CallOptions = {
  method?: Method;
  body?: unknown;
  signal?: AbortSignal;
  key?: string;
  /** The access code that the call is made with, in place of a sign-in. */
  code?: string;
};

/** Tries after the first, for calls that got no answer at all. */
const RETRIES = 2;
const RETRY_MS = 400;

let signedOut: (() => void) | null = null;

/** Says what happens when a call finds that nobody is signed in. */
export function onSignedOut(listener: (() => void) | null): void {
  signedOut = listener;
}

/** A key of 32 hexadecimal characters. `crypto.randomUUID` is missing where the page has no secure origin. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A path with each part escaped, slashes kept. */
export function pathOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** `?a=1&b=2` of what is there. */
export function queryOf(values: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(`/api${path}`, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      if (attempt >= RETRIES) throw new ApiError(0, "page.offline", "No answer.");
      await pause(RETRY_MS * 2 ** attempt, init.signal ?? undefined);
    }
  }
}

/** Calls the API and gives the answer as it came. Throws an `ApiError` for everything but success. */
export async function request(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = "GET", body, signal, key, code } = options;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = key ?? newKey();
  }
  if (code !== undefined) headers["Authorization"] = `Bearer ${code}`;
  const init: RequestInit = { method, headers, credentials: code === undefined ? "same-origin" : "omit", redirect: "error" };
  if (method !== "GET") init.body = JSON.stringify(body ?? {});
  if (signal) init.signal = signal;
  const response = await send(path, init);
  if (response.ok) return response;
  const error = await fromResponse(response);
  if (error.status === 401 && error.code === "auth.required") signedOut?.();
  throw error;
}

/** Calls the API and reads the JSON of the answer; nothing for an empty one. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await request(path, options);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** Fetches a file and hands it to the browser to keep. */
export async function download(path: string, fallbackName: string): Promise<void> {
  const response = await request(path);
  const named = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "");
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = named?.[1] ?? fallbackName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
