import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DutyPerson, DutyState } from "./duty.contract.ts";

/** A position as a sign of life. */
export interface DutySign {
  readonly citizenId: number;
  /** Game licence of the character; empty when unknown. */
  readonly licence: string;
  /** The job that the position names, or the first one; null when the character does not hold it. */
  readonly job: string | null;
  /** In that job. */
  readonly grade: number;
  /** The game has taken the place away. */
  readonly remove: boolean;
}

/** Somebody on duty. */
export interface OnDuty {
  readonly citizenId: number;
  readonly job: string;
  readonly grade: number;
  /** Milliseconds UTC. */
  readonly since: number;
  readonly state: DutyState;
  /** The game server that reported it; null when it was set by hand. */
  readonly source: string | null;
}

export interface DutyApi {
  /** Positions of one call of a source. Outside of any unit of work; costs statements only where duty changes. */
  seen(source: string, boot: string | null, signs: readonly DutySign[]): Promise<void>;
  /** Of these characters, those on duty. */
  of(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, OnDuty>>;
  /** Everybody on duty in these jobs; null for any job. */
  in(tx: Tx, jobs: readonly string[] | null): Promise<OnDuty[]>;
  /** Everybody on duty, as `duty.changed` names them. */
  everybody(tx: Tx): Promise<DutyPerson[]>;
}

export const dutyApi = apiToken<DutyApi>("duty");
