// Errors as the server words them: a stable code, a sentence, a hint. The same three in every place that shows one.

export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    /** Seconds to wait before trying again, where the server said so. */
    readonly retryAfter: number | null = null,
    /** The whole answer, for errors that carry more, such as `file.conflict`. */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

export type Shown = { code: string; message: string; hint: string | null };

const WITHOUT_ANSWER: Shown = {
  code: "page.offline",
  message: "The planner on this computer does not answer.",
  hint: "Check that teacher-assist is still running. Nothing you have decided is lost; this page goes on by itself.",
};

/** The three parts to show for anything that was thrown. */
export function shown(error: unknown): Shown {
  if (error instanceof ApiError) {
    if (error.status === 0) return WITHOUT_ANSWER;
    return { code: error.code, message: error.message, hint: error.hint };
  }
  return {
    code: "page.failed",
    message: "This page ran into a problem of its own.",
    hint: error instanceof Error && error.message ? error.message : "Load the page again.",
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The error that an answer stands for. */
export async function fromResponse(response: Response): Promise<ApiError> {
  let body: Record<string, unknown> = {};
  try {
    body = (await response.json()) as Record<string, unknown>;
  } catch {
    // An answer that is not JSON did not come from the API: the status has to do.
  }
  const after = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new ApiError(
    response.status,
    text(body["code"]) ?? `http.${response.status}`,
    text(body["message"]) ?? `The planner answered with ${response.status}.`,
    text(body["hint"]),
    Number.isFinite(after) ? after : null,
    body,
  );
}
