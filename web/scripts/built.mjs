// Writes dist/BUILT.json: which sources the built page was made from.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { digest, root, sourceFiles } from "./sources.mjs";

const built = { sources_sha256: digest(), files: sourceFiles().length, rebuild: "cd web && npm ci && npm run build" };
writeFileSync(join(root, "dist", "BUILT.json"), `${JSON.stringify(built, null, 2)}\n`);
