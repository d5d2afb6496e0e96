// The types of the reference model: first its interface (re-exported by duty.model.ts), then
// its own state. Rule and Q numbers as in duty.model.ts.

export type HandMode = "on" | "off" | "untilSource";

export type Step =
  | {
      kind: "duty";
      source: string;
      boot: string | null;
      key: string;
      person: string;
      on: boolean;
      job: string | null;
      at: number;
    }
  | { kind: "dropped"; source: string; boot: string | null; key: string; person: string; at: number }
  | { kind: "loaded"; source: string; boot: string | null; key: string; person: string; at: number }
  | {
      kind: "position";
      source: string;
      boot: string | null;
      seq: number;
      person: string;
      job: string | null;
      /** The job is named by what the game calls it off duty; never without one. */
      off: boolean;
      hidden: boolean;
      remove: boolean;
    }
  | { kind: "heartbeat"; source: string; boot: string | null }
  | { kind: "jobs"; person: string; jobs: readonly string[] }
  | { kind: "hand"; person: string; on: boolean; job: string }
  | { kind: "mode"; job: string; mode: HandMode }
  | { kind: "pass"; ms: number }
  | { kind: "down"; ms: number };

export interface Present {
  job: string;
  since: number;
  by: "game" | "hand";
  state: "on" | "missing" | "uncertain";
}

export interface Interval {
  person: string;
  job: string;
  from: number;
  to: number;
  estimated: boolean;
}

export interface Duty {
  job: string;
  since: number;
  /** Name of the game's source; null is a duty by hand. */
  source: string | null;
  /** Not null: missing. graceFrom null: missing, but the grace stands still (rule 6). */
  missing: { graceFrom: number | null } | null;
  /** Not null: not yet named after a new boot (rule 9). until null: the window stands still (Q12). */
  unnamed: { until: number | null } | null;
}

export interface Person {
  name: string;
  licence: string;
  jobs: readonly string[];
  duty: Duty | null;
  /** The latest `at` of an applied duty event (rule 1). */
  latestAt: number;
  /** Of the person, not of the duty: a late `on` must not forget what was seen since (Q4). */
  lastSign: number;
  /** Where the last ended duty ended: no later duty may begin before (Q3). */
  lastEnd: number;
  /** The last position that had an effect: its source and boot, and its number in their order (rule 14). */
  latestPosition: { order: string; seq: number } | null;
}

export interface Source {
  name: string;
  /** The last boot id received; calls without one leave it as it is (Q10). */
  boot: string | null;
  /** The boots before that one, and when a call with each was the last one (rule 16). */
  earlier: Map<string, number>;
  /** The earliest instant that a call with the boot of now told of (rule 18). */
  startedAt: number;
  /** From when the people of the last boot have to be named; rule 16 counts from there too. */
  changedAt: number;
  lastCallAt: number;
  silent: boolean;
  /** Rollcall has started since the last call: from the first such start the silence counts (rule 8). */
  missed: boolean;
  /** Has ever sent a duty event: its positions begin and end nothing then (rule 11). */
  sendsDuty: boolean;
}

/** Something that time brings about at an instant. */
export interface Due {
  at: number;
  run: () => void;
}
