/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// KaTeX names each font in three formats; every browser that runs this page reads the first.
function woff2Only(): Plugin {
  return {
    name: "woff2-only",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("katex") || !id.endsWith(".css")) return null;
      return code.replace(/,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("[^"]+"\)/g, "");
    },
  };
}

export default defineConfig({
  plugins: [woff2Only(), react(), tailwindcss()],
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      // For browsers this package decodes entities by setting inner HTML, which a worker has not and this page does not do.
      "decode-named-character-reference": fileURLToPath(new URL("./node_modules/decode-named-character-reference/index.js", import.meta.url)),
    },
  },
  build: {
    target: "es2022",
    // Nothing is inlined as data: the page's policy allows fonts and pictures from its own address only.
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: "manifest.json",
    rolldownOptions: {
      input: ["index.html", "learn.html"],
      output: {
        // Each file costs a request with its head: what every page but the learner's needs of these libraries comes in one.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            { name: "router", test: /node_modules\/@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store)\//, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/sign-in?"].map((path) => [path, { target: process.env["TA_SERVER"] ?? "http://127.0.0.1:4173" }]),
    ),
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}", "tests/**/*.test.{ts,tsx}"], setupFiles: ["tests/setup.ts"], testTimeout: 20_000 },
});
