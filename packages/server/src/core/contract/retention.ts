/** Milliseconds of so many days. */
export const days = (count: number): number => count * 24 * 60 * 60_000;

/** How long rows are kept: milliseconds, or the name of the option of config.yaml or of the application setting that says it. */
export type KeptFor = { readonly ms: number } | { readonly option: string } | { readonly setting: string };

/**
 * One kind of rows that go by themselves. Its words stand in the feature's text under `panel.kept.<kind>`:
 * `what`, and `time` with the place `{{time}}` where the length alone says too little.
 */
export interface RetentionStep {
  /** Tables of the feature that lose rows. */
  readonly tables: readonly string[];
  readonly kept: KeptFor;
  /** Rows of one unit of work, so that writers wait for milliseconds. 500 unless said. */
  readonly atOnce?: number;
  /** People's data goes for good: how many went stands in the audit trail, one entry per unit of work and in it. */
  readonly audited?: boolean;
}

/**
 * What a feature keeps for a time, as one recurring job: its steps run one after the other, by kind.
 * `schedule` is a cron expression read in the zone of the DSN's `loc`.
 */
export interface RetentionDefinition<
  S extends Readonly<Record<string, RetentionStep>> = Readonly<Record<string, RetentionStep>>,
> {
  /** Of the job, and of the entry in the audit trail. */
  readonly id: string;
  readonly schedule: string;
  /** Each run begins up to this much later, by chance. Milliseconds. */
  readonly jitterMs: number;
  readonly steps: S;
}

export function defineRetention<const S extends Readonly<Record<string, RetentionStep>>>(
  definition: RetentionDefinition<S>,
): RetentionDefinition<S> {
  return definition;
}

/** What a feature never removes by itself; words as for a step, where `time` says why. */
export interface KeptForGood {
  readonly kind: string;
  readonly tables: readonly string[];
}
