import { fileURLToPath } from "node:url";
import legacy from "@vitejs/plugin-legacy";
import react from "@vitejs/plugin-react";
import mantine from "postcss-preset-mantine";
import { defineConfig } from "vite";
import { chromium103Css, viewportUnitsInScripts } from "./vite/chromium103.ts";
import { contracts } from "./vite/contracts.ts";
import { formSchemas } from "./vite/formSchemas.ts";
import { compressAssets, schemeBeforePaint } from "./vite/output.ts";
import { texts } from "./vite/texts.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root,
  plugins: [
    contracts(),
    formSchemas(root),
    texts(root),
    viewportUnitsInScripts(),
    react(),
    legacy({ renderLegacyChunks: false, modernTargets: "chrome>=103", modernPolyfills: true }),
    schemeBeforePaint(new URL("./src/scheme.js", import.meta.url)),
    compressAssets(),
  ],
  css: { postcss: { plugins: [mantine(), chromium103Css()] } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    cssTarget: "chrome103",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Shared code stays in one chunk each: otherwise parts of it end up beside large components that
        // only one page needs, and the first pages load those too.
        codeSplitting: {
          groups: [
            { name: "base", test: /node_modules\/(?:react|react-dom|scheduler|i18next)\// },
            { name: "kit", test: /node_modules\/@mantine\/(?:hooks|core\/esm\/core)\// },
            { name: "data", test: /node_modules\/@tanstack\/(?!react-virtual|virtual-core)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
});
