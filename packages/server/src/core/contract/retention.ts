/** A number of days in milliseconds. */
export const days = (count: number): number => count * 24 * 60 * 60_000;

/** How long rows are kept: milliseconds, or the name of an option of config.yaml or of an application setting. */
export type KeptFor = { readonly ms: number } | { readonly option: string } | { readonly setting: string };

/**
 * One kind of rows that are deleted after a time. Its texts are in the feature's text file under
 * `panel.kept.<kind>`: `what`, and `time` with the placeholder `{{time}}` where the length alone is not enough.
 */
export interface RetentionStep {
  /** Tables of the feature that lose rows. */
  readonly tables: readonly string[];
  readonly kept: KeptFor;
  /** Rows per unit of work, small so that other writers wait only milliseconds. 500 by default. */
  readonly atOnce?: number;
  /** People's data is purged: each unit of work writes an audit entry with the number of rows, in the same transaction. */
  readonly audited?: boolean;
}

/**
 * What a feature keeps for a time, as one schedule: its steps run one after the other, by kind.
 * `cron` is read in the zone of the DSN's `loc`.
 */
export interface RetentionDefinition<
  S extends Readonly<Record<string, RetentionStep>> = Readonly<Record<string, RetentionStep>>,
> {
  /** Id of the schedule, and the action of its audit entries. */
  readonly id: string;
  readonly cron: string;
  /** Random delay of each run, at most this long. Milliseconds. */
  readonly jitterMs: number;
  readonly steps: S;
}

export function defineRetention<const S extends Readonly<Record<string, RetentionStep>>>(
  definition: RetentionDefinition<S>,
): RetentionDefinition<S> {
  return definition;
}

/** What a feature never deletes automatically; texts as for a step, where `time` is the reason. */
export interface KeptForGood {
  readonly kind: string;
  readonly tables: readonly string[];
}
