import type { Actor } from "./actor.ts";
import type { AttributeValue } from "./contract/access.ts";
import type { Random } from "./random.ts";

/** The source of all that comes with the demo city. */
export const demoSource = "demo";

/** A right of the demo city. */
export interface DemoGrant {
  readonly job: string;
  /** Counts from the job's lowest grade. */
  readonly rank: number;
  readonly permission: string;
  readonly allow: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** Allows `permission` from a rank upwards, with the attribute `fields` where it is given. */
export function demoGrant(job: string, rank: number, permission: string, fields: readonly string[] | null = null): DemoGrant {
  return { job, rank, permission, allow: true, attributes: fields === null ? {} : { fields } };
}

/** The people of the demo city and where they work, as the game sent them. */
export interface DemoCity {
  readonly startGrade: number;
  readonly jobs: readonly { readonly name: string; readonly label: string }[];
  /** Where its streets meet, in metres: in rows from south to north, each from west to east. */
  readonly crossings: readonly (readonly { readonly x: number; readonly y: number }[])[];
  readonly people: readonly {
    readonly identifier: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly licences: readonly string[];
  }[];
}

/** What a feature adds its rows to the demo city with. */
export interface Demo {
  readonly city: DemoCity;
  /** The same values for the same seed, whatever other features draw. */
  readonly random: Random;
  readonly actor: Actor;
  /** Sends items as the game server does, through an operation of the Sync API; returns how many. */
  send(operation: string, items: readonly unknown[]): Promise<number>;
}

interface DemoPerson {
  readonly id: number;
  readonly name: string;
  readonly job: string;
}

/** Somebody of the demo city, so that what people read names a person of it; no account is behind them. */
export function demoPerson({ id, name, job }: DemoPerson): Actor {
  return {
    kind: "character",
    accountId: 0,
    username: demoSource,
    licence: "",
    groups: [],
    sessionId: "",
    configAdmin: false,
    mayJobAdmin: false,
    address: "",
    traceId: "",
    characterId: id,
    characterName: name,
    job,
    grade: 0,
    jobAdmin: null,
    rights: { epoch: "", has: () => false, attribute: () => undefined, all: () => ({}) },
  };
}

/** The rows of one feature. */
export interface DemoRows {
  readonly feature: string;
  readonly load: (demo: Demo) => Promise<number>;
}
