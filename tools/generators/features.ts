import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Generator } from "./generator.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, "packages", "server", "src", "features");
const target = "packages/server/src/app/features.ts";

/** What the list needs from a manifest; read as text, because manifests are loaded through the generated list. */
export interface ManifestFacts {
  readonly name: string;
  readonly exported: string;
  readonly needs: readonly string[];
}

export function factsOf(name: string, text: string): ManifestFacts {
  const exported = /export const (\w+) = defineFeature\b/.exec(text)?.[1];
  const needs = /needs:\s*\[([^\]]*)\]/.exec(text)?.[1];
  if (exported === undefined || needs === undefined) throw new Error(`${name}.feature.ts defines no feature with needs`);
  return { name, exported, needs: [...needs.matchAll(/"([\w-]+)"/g)].map((match) => match[1] ?? "") };
}

/** Features after those that they need, otherwise by name. Throws for an unknown feature and for a cycle. */
export function inOrder(manifests: readonly ManifestFacts[]): ManifestFacts[] {
  const left = manifests.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const done: ManifestFacts[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => needs.every((need) => done.some(({ name }) => name === need)));
    const [one] = next === -1 ? [] : left.splice(next, 1);
    if (one === undefined)
      throw new Error(`these features need each other, or unknown ones: ${left.map(({ name }) => name).join(", ")}`);
    done.push(one);
  }
  return done;
}

function listOf(manifests: readonly ManifestFacts[]): string {
  const imports = manifests
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, exported }) => `import { ${exported} } from "#features/${name}/${name}.feature.ts";\n`);
  const entries = inOrder(manifests).map(({ exported }) => `  ${exported},\n`);
  return `// Generated from the manifests in features/ by npm run generate. Do not edit.
import type { Config } from "#config/index.ts";
import type { Feature } from "#core/feature.ts";
${imports.join("")}
/** All features, each after those that it needs. */
export const features: readonly Feature<Config>[] = [
${entries.join("")}];
`;
}

/** The list of features that the program is composed of. */
export const generator: Generator = {
  name: "features",
  async outputs() {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const manifests = names.map(({ name }) => factsOf(name, readFileSync(path.join(folder, name, `${name}.feature.ts`), "utf8")));
    return { [target]: listOf(manifests) };
  },
};
