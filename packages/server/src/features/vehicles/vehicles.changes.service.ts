import type { Tx } from "#core/ports/index.ts";
import { citizenNames } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NoLists, SyncedRow } from "#features/sync/sync.table.api.ts";
import type { VehicleChange } from "./vehicles.contract.ts";
import { type VehicleColumns, wholeVehicle } from "./vehicles.policy.ts";
import { readModels } from "./vehicles.repo.ts";

type VehicleRow = SyncedRow<VehicleColumns, NoLists>;

export interface VehicleChangesDeps {
  readonly jobs: JobsApi;
  readonly modelColumn: string | null;
}

/** What the event says of vehicles that the game changed. */
export class VehicleChanges {
  readonly #deps: VehicleChangesDeps;

  constructor(deps: VehicleChangesDeps) {
    this.#deps = deps;
  }

  async of(tx: Tx, rows: readonly VehicleRow[], at: number): Promise<VehicleChange[]> {
    const { jobs, modelColumn } = this.#deps;
    const owners = await citizenNames(tx, [...new Set(rows.flatMap(({ columns }) => columns.owner_identifier ?? []))]);
    const context = { owners, labels: await jobs.labels(tx), modelOff: modelColumn === null };
    const models = await this.#modelsOf(tx, rows);
    return rows.map(({ id, version, columns }) => {
      const source = { ...columns, id, version, updated_at: at, model: models.get(id) ?? null };
      return { ...wholeVehicle(source, context), deleted: false };
    });
  }

  /** Models as a read through the configured column would give them, by id. */
  async #modelsOf(tx: Tx, rows: readonly VehicleRow[]): Promise<ReadonlyMap<number, string | null>> {
    const { modelColumn } = this.#deps;
    if (modelColumn === null) return new Map();
    const sent = (columns: Readonly<Record<string, string | null>>) => columns[modelColumn];
    if (rows.every(({ columns }) => sent(columns) !== undefined))
      return new Map(rows.map(({ id, columns }) => [id, sent(columns) ?? null]));
    const ids = rows.map(({ id }) => id);
    return await readModels(tx, ids, modelColumn);
  }
}
