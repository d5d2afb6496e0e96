import { apiToken, type CallContext } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { BaseKind } from "./units.machine.ts";

/** A unit, as far as other features decide by it. */
export interface UnitFacts {
  readonly id: number;
  readonly job: string;
  readonly name: string;
  readonly callsign: string | null;
  readonly colour: string;
  readonly base: BaseKind;
  /** When its status was set. Milliseconds UTC. */
  readonly since: number;
  readonly isStatic: boolean;
  readonly minCrew: number;
  readonly tags: readonly string[];
  readonly homePostal: string | null;
  /** Ids of citizens. */
  readonly crew: readonly number[];
  readonly hasWork: boolean;
}

/** Registered by the feature that knows what units work. */
export interface UnitWork {
  /**
   * Locks the calls that a unit works, before its job's units are locked. What it answers hands all of them back for the
   * viewer, in this unit of work: with null, or with why not, and then nothing has changed.
   */
  held(tx: Tx, unitId: number): Promise<(call: CallContext, reason: string) => Promise<"central" | "kept" | null>>;
}

export interface UnitsApi {
  registerWork(work: UnitWork): void;
  /** Units by their ids, without removed ones. */
  byIds(tx: Tx, ids: readonly number[]): Promise<Map<number, UnitFacts>>;
  /** The same, with the turn of those who change units of their jobs: nobody joins or leaves them before this unit of work ends. */
  held(tx: Tx, ids: readonly number[]): Promise<Map<number, UnitFacts>>;
  /** Names of units by their ids, also of removed ones. */
  names(tx: Tx, ids: readonly number[]): Promise<Map<number, string>>;
  /** The units that these citizens are in. */
  of(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, UnitFacts>>;
  /** Units of these jobs that are not removed. */
  in(tx: Tx, jobs: readonly string[]): Promise<UnitFacts[]>;
  /**
   * Whether a unit has open work, in the unit of work that changes this: with it the unit is busy and remembers its status,
   * and without it the unit gets that back. `goesOn`: it says how far it is, or gets more work, so that it is busy whatever
   * status it chose in the meantime. The first call of the unit of work locks the job's units.
   */
  setWork(tx: Tx, unitId: number, hasWork: boolean, goesOn?: boolean): Promise<void>;
}

export const unitsApi = apiToken<UnitsApi>("units");
