import { readFileSync } from "node:fs";
import path from "node:path";
import { features } from "../../packages/server/src/app/features.ts";
import type { Generator } from "./generator.ts";

const target = "docs/glossary.md";
const begin = "<!-- Features: generated from `about` in their manifests by npm run generate. -->";
const end = "<!-- End of features -->";

/** Replaces the part about features and leaves the other terms unchanged. */
export const generator: Generator = {
  name: "glossary",
  async outputs() {
    const text = readFileSync(path.resolve(import.meta.dirname, "../..", target), "utf8");
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`${target} lacks the lines "${begin}" and "${end}"`);
    const entries = features.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, about }) => `**${name}**: ${about}\n`);
    return { [target]: `${before}${begin}\n\n${entries.join("\n")}\n${end}${after}` };
  },
};
