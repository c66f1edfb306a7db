// Writes dist/BUILT.json: which sources the built page was made from.
// Scripts and styles are compressed once, here, as well as they can be: the server sends what lies beside them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { digest, root, sourceFiles } from "./sources.mjs";

const assets = join(root, "dist", "assets");
for (const name of readdirSync(assets).filter((name) => /\.(js|css)$/.test(name))) {
  const bytes = readFileSync(join(assets, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  if (bytes.length > 1_024) writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }));
}

const built = { sources_sha256: digest(), files: sourceFiles().length, rebuild: "cd web && npm ci && npm run build" };
writeFileSync(join(root, "dist", "BUILT.json"), `${JSON.stringify(built, null, 2)}\n`);
