import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Generator } from "./generator.ts";

const folder = path.resolve(import.meta.dirname, "../../packages/server/src/features");
const target = "packages/server/src/features/files/files.kinds.contract.ts";

export interface FileKindFacts {
  readonly kind: string;
  readonly owner: string;
}

/** The kinds of a contract; read as text, because contracts with files import the one that has the generated list. */
export function fileKindsOf(file: string, text: string): FileKindFacts[] {
  return [...text.matchAll(/\bdefineFileKind\(([^)]*)\)/g)].map(([, inside = ""]) => {
    const [, kind, owner] = /^\s*"([\w.]+)",\s*\{\s*owner:\s*"([^"]+)",?\s*\},?\s*$/.exec(inside) ?? [];
    if (kind === undefined || owner === undefined) throw new Error(`${file} defines a kind of files without literals`);
    return { kind, owner };
  });
}

/** The kinds of files, which the descriptions of the API name. */
export const generator: Generator = {
  name: "file kinds",
  async outputs() {
    const files = globSync("*/*.contract.ts", { cwd: folder }).toSorted();
    const kinds = files.flatMap((file) => fileKindsOf(file, readFileSync(path.join(folder, file), "utf8")));
    const lines = kinds.map(({ kind, owner }) => `  { kind: ${JSON.stringify(kind)}, owner: ${JSON.stringify(owner)} },\n`);
    const text = `// Generated from the contracts in features/ by npm run generate. Do not edit.

/** Kinds of files, each with what its owner is. */
export const fileKinds = [
${lines.join("")}] as const;
`;
    return { [target]: text };
  },
};
