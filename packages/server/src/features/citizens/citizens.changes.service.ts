import { wholeNumberOf } from "#core/custom-columns.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { LicencesApi } from "#features/licences/licences.api.ts";
import type { SyncedRow } from "#features/sync/sync.table.api.ts";
import type { CitizenChange } from "./citizens.contract.ts";
import { disabledFields, wholeCitizen } from "./citizens.policy.ts";
import { movesAmong } from "./citizens.moves.policy.ts";
import { insert as insertMoves } from "./citizens.moves.repo.ts";
import type { CitizenColumns, CitizenLists } from "./citizens.record.policy.ts";
import { type CustomColumns, readMoved } from "./citizens.repo.ts";

type CitizenRecord = SyncedRow<CitizenColumns, CitizenLists>;

export interface CitizenChangesDeps {
  readonly jobs: JobsApi;
  readonly licences: LicencesApi;
  readonly custom: CustomColumns;
}

/** What a read through the configured columns would give; null when one of them is not filled by the game. */
function movedIn(columns: Readonly<Record<string, string | number | null>>, { visum, playtime }: CustomColumns) {
  if ([visum, playtime].some((name) => name !== null && !(name in columns))) return null;
  const valueOf = (name: string | null) => (name === null ? null : wholeNumberOf(columns[name]));
  return { visum: valueOf(visum), playtime: valueOf(playtime) };
}

/** What the event says of citizens that the game changed. */
export class CitizenChanges {
  readonly #deps: CitizenChangesDeps;

  constructor(deps: CitizenChangesDeps) {
    this.#deps = deps;
  }

  async of(tx: Tx, rows: readonly CitizenRecord[], at: number): Promise<CitizenChange[]> {
    const { jobs, licences, custom } = this.#deps;
    const disabled = disabledFields(custom);
    const labels = await jobs.labels(tx);
    const types = new Set(rows.flatMap(({ lists }) => lists.licences.map(({ type }) => type)));
    const licenceLabels = await licences.labels(tx, [...types]);
    const moved = await this.#movedOf(tx, rows);
    return rows.map(({ id, version, columns, lists }) => {
      const source = { ...columns, id, version, updated_at: at, ...(moved.get(id) ?? { visum: null, playtime: null }) };
      const details = { jobs: lists.jobs, phones: lists.phones, licences: lists.licences.map(({ type }) => type) };
      return { ...wholeCitizen(source, details, labels, licenceLabels, disabled), deleted: false };
    });
  }

  /** Remembers who changed the job or its grade. */
  async keepMoves(tx: Tx, rows: readonly CitizenRecord[], at: number): Promise<void> {
    const moves = movesAmong(rows, at);
    if (moves.length > 0) await insertMoves(tx, moves);
  }

  /** Values of the configured columns, by id. */
  async #movedOf(tx: Tx, rows: readonly CitizenRecord[]) {
    const { custom } = this.#deps;
    const sent = rows.map(({ id, columns }) => [id, movedIn(columns, custom)] as const);
    if (sent.every((one): one is [number, NonNullable<(typeof one)[1]>] => one[1] !== null)) return new Map(sent);
    const ids = rows.map(({ id }) => id);
    return await readMoved(tx, ids, custom);
  }
}
