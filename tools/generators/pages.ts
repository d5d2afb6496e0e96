import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Generator } from "./generator.ts";

const source = path.resolve(import.meta.dirname, "../../packages/web/src");

/** The name under which a `<feature>.pages.tsx` exports its pages. Throws when it exports none. */
export function exportedPages(file: string, text: string): string {
  const exported = /export const (\w+): FeaturePages\b/.exec(text)?.[1];
  if (exported === undefined) throw new Error(`${file} exports no FeaturePages`);
  return exported;
}

/** The list of the browser's pages, by the name of the feature. */
export const generator: Generator = {
  name: "pages",
  async outputs() {
    const files = globSync("features/*/*.pages.tsx", { cwd: source }).toSorted();
    const all = files.map((file) => ({ file, exported: exportedPages(file, readFileSync(path.join(source, file), "utf8")) }));
    const imports = all.map(({ file, exported }) => `import { ${exported} } from "#${file}";\n`);
    const entries = all.map(({ exported }) => `  ${exported},\n`);
    const text = `// Generated from features/*/*.pages.tsx by npm run generate. Do not edit.
import type { FeaturePages } from "#core/pages.ts";
${imports.join("")}
/** The pages of all features. */
export const features: readonly FeaturePages[] = [
${entries.join("")}];
`;
    return { "packages/web/src/features.ts": text };
  },
};
