import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Action } from "@/api/actions";
import { TooltipProvider } from "@/ui/tooltip";
import { filled, PlainSetup } from "./plain";

const action: Action = {
  name: "first_files",
  description: "Writes the first release.",
  reads_only: false,
  schema: {
    type: "object",
    title: "Set up releases",
    properties: {
      name: { type: "string", title: "Name" },
      number: { type: ["integer", "null"], title: "Number" },
      tone: { type: "string", title: "Tone", enum: ["plain", "formal"] },
      words: { type: "array", title: "Words to avoid", items: { type: "string" } },
      about: { type: "object", title: "About", properties: { team: { type: "string", title: "Team" } } },
      templates: { type: "array", items: { type: "object" } },
    },
  },
};

afterEach(() => vi.unstubAllGlobals());

test("what is sent has the types of the schema, and nothing for what was left empty", () => {
  const values = { name: "one", number: "3", tone: "", words: [" a", "", "b "], about: { team: "" } };
  expect(filled(action.schema, values)).toEqual({ name: "one", number: 3, words: ["a", "b"] });
});

test("a form is drawn from the schema, its files are shown, and written when the person says so", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (path !== "/api/plugins/releases/actions/first_files") return Promise.reject(new Error(path));
    const body = JSON.parse(String(init.body)) as { apply: boolean };
    sent.push(body);
    const writes = [{ path: "releases/one.md", text: "# one", exists: false, problems: [] }];
    return Promise.resolve(Response.json({ result: {}, writes, written: body.apply ? ["releases/one.md"] : [], left: [] }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <PlainSetup plugin="releases" action={action} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  expect(screen.queryByLabelText(/templates/i)).toBeNull();
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "one" } });
  fireEvent.change(screen.getByLabelText("Team"), { target: { value: "blue" } });
  fireEvent.click(screen.getByRole("button", { name: "Look it over" }));
  expect(await screen.findByRole("heading", { name: "releases/one.md" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Write them" }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("releases/one.md"));
  const given = { name: "one", about: { team: "blue" } };
  expect(sent).toEqual([
    { arguments: given, apply: false, replace: {} },
    { arguments: given, apply: true, replace: {} },
  ]);
});
