import type { ObjectNames } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditRow } from "./audit.contract.ts";
import { namesWanted, withNames } from "./audit.output.policy.ts";

/** Reads the present names of what entries hold only the ids of. */
export class AuditNames {
  readonly #sources: () => readonly ObjectNames[];

  constructor(sources: () => readonly ObjectNames[]) {
    this.#sources = sources;
  }

  async fill<Row extends AuditRow>(tx: Tx, rows: readonly Row[]): Promise<Row[]> {
    const names = new Map<string, ReadonlyMap<number, string>>();
    for (const { kind, names: read } of this.#sources()) {
      const ids = namesWanted(rows, kind);
      if (ids.length > 0) names.set(kind, await read(tx, ids));
    }
    return names.size === 0 ? [...rows] : rows.map((row) => withNames(row, names));
  }
}
