import type { Role } from "@/api/types";

/** What a person may do, as an operator chooses it. */
export const ROLES: { role: Role; label: string; hint: string }[] = [
  { role: "teacher", label: "Teacher", hint: "Plans, and sees only what is their own and the workspace that all share." },
  { role: "researcher", label: "Researcher", hint: "Looks at runs of those who agreed, under pseudonyms." },
  { role: "operator", label: "Operator", hint: "Says who may sign in." },
];
