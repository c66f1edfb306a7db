export const root: string;
export function sourceFiles(): string[];
export function digest(): string;
