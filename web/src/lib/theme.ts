import { isString, keep, kept } from "./keep";

export type Theme = "system" | "light" | "dark";

export function theme(): Theme {
  const value = kept("theme", "system", isString);
  return value === "light" || value === "dark" ? value : "system";
}

export function setTheme(value: Theme): void {
  keep("theme", value);
  applyTheme();
}

export function applyTheme(): void {
  const value = theme();
  if (value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = value;
}
