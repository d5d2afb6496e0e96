import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FeatureNames } from "./names.ts";

const template = path.join(import.meta.dirname, "template");

/** `202611231405` of an instant in UTC. */
const stampOf = (at: Date) => at.toISOString().replaceAll(/\D/g, "").slice(0, 12);

function renamed(text: string, { plain, capital, single }: FeatureNames): string {
  return text.replaceAll(/samples|Samples|Sample/g, (word) => ({ samples: plain, Samples: capital })[word] ?? single);
}

/**
 * The files of a new feature by their path in the repository. The templates are the feature `samples`;
 * its name is replaced and nothing else, so that they read as the code that they become.
 */
export function filesOf(names: FeatureNames, at: Date): ReadonlyMap<string, string> {
  const folders: Readonly<Record<string, string>> = {
    server: `packages/server/src/features/${names.plain}/`,
    web: `packages/web/src/features/${names.plain}/`,
    migration: `packages/server/src/infra/db/migrations/${stampOf(at)}_`,
  };
  return new Map(
    Object.entries(folders).flatMap(([from, to]) =>
      globSync("*.template", { cwd: path.join(template, from) })
        .toSorted()
        .map((file) => [
          to + renamed(file.slice(0, -".template".length), names),
          renamed(readFileSync(path.join(template, from, file), "utf8"), names),
        ]),
    ),
  );
}
