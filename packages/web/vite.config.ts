import { fileURLToPath } from "node:url";
import legacy from "@vitejs/plugin-legacy";
import react from "@vitejs/plugin-react";
import mantine from "postcss-preset-mantine";
import { defineConfig } from "vite";
import { beginBeforePaint } from "./vite/begin.ts";
import { chromium103Css, viewportUnitsInScripts } from "./vite/chromium103.ts";
import { chunkGroups } from "./vite/chunks.ts";
import { contracts } from "./vite/contracts.ts";
import { formSchemas } from "./vite/formSchemas.ts";
import { mantineIds } from "./vite/mantineIds.ts";
import { mantineStyles } from "./vite/mantineStyles.ts";
import { compressAssets } from "./vite/output.ts";
import { texts } from "./vite/texts.ts";
import { uplotWithoutLanguage } from "./vite/uplot.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

/**
 * What the application or a library uses and Chromium 103 lacks, named as in core-js; `npm run checkers` finds what is
 * missing here. Found by the names of methods, as by default, it would be twice as much.
 */
const POLYFILLS = [
  "es.array.to-reversed",
  "es.array.to-sorted",
  "es.iterator.constructor",
  ...["drop", "every", "filter", "find", "flat-map", "for-each", "map", "reduce", "some", "take", "to-array"].map(
    (name) => `es.iterator.${name}`,
  ),
  // The library of schemas checks addresses with it.
  "web.url.can-parse",
];

/**
 * What a script that is loaded later asks for with itself: its sheets. Its other scripts are mostly loaded by then, and
 * the list of their names is 2 kB of every first page, which grows with each feature.
 */
const isSheet = (file: string) => file.endsWith(".css");

export default defineConfig({
  root,
  plugins: [
    contracts(),
    formSchemas(root),
    texts(root),
    mantineIds(),
    mantineStyles(root),
    viewportUnitsInScripts(),
    uplotWithoutLanguage(),
    react(),
    legacy({ renderLegacyChunks: false, modernTargets: "chrome>=103", modernPolyfills: POLYFILLS }),
    beginBeforePaint(root),
    compressAssets(),
  ],
  css: { postcss: { plugins: [mantine(), chromium103Css()] } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    cssTarget: "chrome103",
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === "js" ? files.filter(isSheet) : files),
    },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Libraries that change rarely have chunks of their own, which browsers keep through a release.
        codeSplitting: {
          groups: [
            { name: "base", priority: 100, test: /node_modules\/(?:react|react-dom|scheduler|i18next)\// },
            { name: "data", priority: 99, test: /node_modules\/@tanstack\/(?!react-virtual|virtual-core)/ },
            ...chunkGroups(root),
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
});
