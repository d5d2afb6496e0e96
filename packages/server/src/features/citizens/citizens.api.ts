import type { JobBadge } from "#features/jobs/jobs.contract.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

/** A citizen as a login's character. */
export interface CharacterRecord {
  readonly id: number;
  readonly licence: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string | null;
  readonly sex: string | null;
  readonly job: JobBadge;
}

export interface CitizensApi {
  /** Live characters of a game licence, by id. */
  charactersOf(tx: Tx, licence: string): Promise<CharacterRecord[]>;
  character(tx: Tx, id: number): Promise<CharacterRecord | null>;
  /** Of these ids, those that exist, also as deleted: the game may send such a one again until it is removed. */
  stored(tx: Tx, ids: readonly number[]): Promise<number[]>;
}

export const citizensApi = apiToken<CitizensApi>("citizens");
