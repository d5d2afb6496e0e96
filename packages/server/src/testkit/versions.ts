import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { OperationDefinition } from "#core/contract/index.ts";
import type { RequestOptions } from "./app.ts";
import type { AppUnderTest } from "./suite.ts";

/** One record as two people edit it at the same time. */
export interface ConcurrentEdit {
  readonly as: RequestOptions;
  readonly version: number;
  /** A change that differs from that of the other turn. `version` is added to its body. */
  change(turn: "left" | "right"): { readonly params?: object; readonly body: object };
}

/** An operation that changes a record by its version. */
export interface VersionedOperation {
  readonly operation: OperationDefinition;
  /** Creates a record, or reads the present version of the only one. */
  prepare(under: AppUnderTest): Promise<ConcurrentEdit>;
}

const features = path.resolve(import.meta.dirname, "../features");

/** What each `*.testkit.ts` of a feature exports as `versioned`. */
export async function loadVersionedOperations(): Promise<readonly VersionedOperation[]> {
  const kits = globSync("*/*.testkit.ts", { cwd: features }).toSorted();
  const modules = await Promise.all(
    kits.map(
      async (kit) =>
        (await import(pathToFileURL(path.join(features, kit)).href)) as { versioned?: readonly VersionedOperation[] },
    ),
  );
  return modules.flatMap(({ versioned }) => versioned ?? []);
}
