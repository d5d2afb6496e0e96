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
  /** As the position calls it; null for none, and for what people without a job have. */
  readonly named: string | null;
  /** In that job. */
  readonly grade: number;
  /** The position names the job by what the game calls it off duty. */
  readonly offDuty: boolean;
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

export interface LastReport {
  readonly at: number;
  readonly isSilent: boolean;
}

export interface DutyApi {
  /**
   * Positions of one call of a source, which sent it at this instant of its own clock, as far as it says so. Outside of
   * any unit of work; costs statements only where duty changes.
   */
  seen(source: string, boot: string | null, signs: readonly DutySign[], at: number | null): Promise<void>;
  /** Which of these characters are on duty. */
  of(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, OnDuty>>;
  /** The same, and nothing ends their duty before this unit of work does. */
  held(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, OnDuty>>;
  /** Who is on duty in these jobs, 2000 people at most; null for any job. */
  in(tx: Tx, jobs: readonly string[] | null): Promise<OnDuty[]>;
  /** When a game server called last, and whether all of them are silent; null as long as none ever did. */
  lastReport(tx: Tx): Promise<LastReport | null>;
  /** When the game servers that report a job did not, of the time between these instants; may overlap. Kept for 365 days. */
  unknown(
    tx: Tx,
    job: string,
    between: { readonly from: number; readonly to: number },
  ): Promise<{ readonly from: number; readonly to: number }[]>;
  /** Who is on duty, 2000 people at most, as `duty.changed` names them. */
  everybody(tx: Tx): Promise<DutyPerson[]>;
}

export const dutyApi = apiToken<DutyApi>("duty");
