import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { factsOf, inOrder } from "./features.ts";
import type { Generator } from "./generator.ts";

const folder = path.resolve(import.meta.dirname, "../../packages/server/src/features");
const target = "packages/server/src/features/sync/sync.kinds.contract.ts";

interface Kind {
  readonly kind: string;
  readonly manifest: boolean;
}

/** The kinds of a contract; read as text, because every contract of game data imports the generated list. */
export function kindsOf(file: string, text: string): Kind[] {
  return [...text.matchAll(/defineSyncKind\(\{([^}]*)\}\)/g)].map(([, inside = ""]) => {
    const kind = /\bkind:\s*"(\w+)"/.exec(inside)?.[1];
    const manifest = /\bmanifest:\s*(true|false)\b/.exec(inside)?.[1];
    if (kind === undefined || manifest === undefined)
      throw new Error(`${file} defines a sync kind without the literals kind and manifest`);
    return { kind, manifest: manifest === "true" };
  });
}

const literal = (name: string, kinds: readonly Kind[]) => {
  const names = kinds.map(({ kind }) => JSON.stringify(kind));
  const line = `export const ${name} = [${names.join(", ")}] as const;\n`;
  return line.length <= 130 ? line : `export const ${name} = [\n${names.map((one) => `  ${one},\n`).join("")}] as const;\n`;
};

function kindsOfFeature(name: string): Kind[] {
  return globSync("*.contract.ts", { cwd: path.join(folder, name) })
    .toSorted()
    .flatMap((file) => kindsOf(file, readFileSync(path.join(folder, name, file), "utf8")));
}

/** The kinds of game data, in the order of the features, so that each comes after those that it may refer to. */
export const generator: Generator = {
  name: "sync kinds",
  async outputs() {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const manifests = names.map(({ name }) => factsOf(name, readFileSync(path.join(folder, name, `${name}.feature.ts`), "utf8")));
    const kinds = inOrder(manifests).flatMap(({ name }) => kindsOfFeature(name));
    const text = `// Generated from the contracts in features/ by npm run generate. Do not edit.

/** Kinds of game data, each after those that it may refer to. */
${literal("syncKinds", kinds)}
/** Kinds that a manifest reconciles. */
${literal(
  "manifestKinds",
  kinds.filter(({ manifest }) => manifest),
)}`;
    return { [target]: text };
  },
};
