import type { Tx } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { CharacterRecord, CitizensApi } from "./citizens.api.ts";
import { type CitizenSource, type CustomColumns, listByLicence, rowsOf, listStored } from "./citizens.repo.ts";

export interface CharactersDeps {
  readonly jobs: JobsApi;
  readonly custom: CustomColumns;
}

/** Citizens as characters that an account may play. */
export class CharactersService implements CitizensApi {
  readonly #deps: CharactersDeps;

  constructor(deps: CharactersDeps) {
    this.#deps = deps;
  }

  async charactersOf(tx: Tx, licence: string): Promise<CharacterRecord[]> {
    if (licence === "") return [];
    const ids = await listByLicence(tx, licence);
    const rows = (await rowsOf(tx, { ids, filterEmptyName: false }, this.#deps.custom)).slice(0, 50);
    return await Promise.all(rows.map(async (row) => await this.#characterOf(tx, row)));
  }

  async character(tx: Tx, id: number): Promise<CharacterRecord | null> {
    const [row] = await rowsOf(tx, { ids: [id], filterEmptyName: false }, this.#deps.custom);
    return row ? await this.#characterOf(tx, row) : null;
  }

  async stored(tx: Tx, ids: readonly number[]): Promise<number[]> {
    return await listStored(tx, ids);
  }

  async #characterOf(tx: Tx, row: CitizenSource): Promise<CharacterRecord> {
    const labels = await this.#deps.jobs.labels(tx);
    return {
      id: row.id,
      licence: row.licence,
      firstName: row.first_name,
      lastName: row.last_name,
      dateOfBirth: row.date_of_birth,
      sex: row.sex,
      job: labels.badge(row.job, row.grade),
    };
  }
}
