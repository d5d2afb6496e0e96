import { everyRow, type PermissionDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { AttributeRow, AttributeSource } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { accessErrors, type RowLabels } from "./access.contract.ts";
import { addedRows, idsBySource, namedRows, type Values } from "./access.rows.policy.ts";

const usualRows = 20;

export interface AttributeRowsDeps {
  readonly db: Database;
  readonly permissions: () => readonly PermissionDefinition[];
  readonly attributeSources: () => readonly AttributeSource[];
}

/** The rows that attributes of type `data` name: their labels, and those to choose from. */
export class AttributeRows {
  readonly #deps: AttributeRowsDeps;

  constructor(deps: AttributeRowsDeps) {
    this.#deps = deps;
  }

  async list(source: string, { q = "", limit = usualRows }: { q?: string; limit?: number }): Promise<{ items: AttributeRow[] }> {
    const found = this.#deps.attributeSources().find((one) => one.source === source);
    if (!found) throw new AppError(accessErrors.sourceUnknown, { params: { source } });
    return await this.#deps.db.read("access.attributeRows", async (tx) => {
      const items = await found.list(tx, q.trim(), limit);
      return { items: items.filter(({ id }) => id !== everyRow) };
    });
  }

  /** One statement for each source that is named. */
  async labels(tx: Tx, ...values: Values[]): Promise<RowLabels> {
    const named = values.flatMap((one) => namedRows(this.#deps.permissions(), one));
    const labels: RowLabels = {};
    for (const [source, ids] of idsBySource(named)) {
      const found = await this.#read(tx, source, ids);
      labels[source] = Object.fromEntries(ids.map((id) => [id, found.get(id) ?? null]));
    }
    return labels;
  }

  /** Throws `access.attributeRowUnknown` when a change names a row that does not exist. One that was named before may stay. */
  async check(tx: Tx, before: Values, after: Values): Promise<void> {
    const added = addedRows(this.#deps.permissions(), before, after);
    for (const [source, ids] of idsBySource(added)) {
      const labels = await this.#read(tx, source, ids);
      const missing = added.find((row) => row.source === source && !labels.has(row.id));
      if (!missing) continue;
      const { permission, attribute, id } = missing;
      throw new AppError(accessErrors.attributeRowUnknown, { params: { permission, attribute, value: id.slice(0, 200) } });
    }
  }

  async #read(tx: Tx, source: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = this.#deps.attributeSources().find((one) => one.source === source);
    return found ? await found.labels(tx, ids) : new Map();
  }
}
