/** Facts about the database for the doctor. */
export interface DatabaseFacts {
  readonly version: string;
  /** Default collation of the database; null if the database has no such setting. */
  readonly collation: string | null;
  /** Collation that the DSN asks for; null if the database has no such setting. */
  readonly wantedCollation: string | null;
  readonly applied: number;
  readonly pending: readonly string[];
  /** How far the database's clock is ahead of this process's. Milliseconds. */
  readonly clockAheadMs: number;
  /** The zone in which the days of this database were counted; null before its first start. */
  readonly countedZone: string | null;
  /** One line for each column of `database.custom.columns` that cannot back its field. */
  readonly refusedColumns: readonly string[];
}

export interface BrokerFacts {
  readonly kind: string;
  readonly up: boolean;
  readonly reason: string | null;
  /** The id of this installation; null before its first start. */
  readonly installation: string | null;
  /** Databases that claimed this installation's id instead of this one. */
  readonly heldBy: string | null;
  /** Streams of earlier versions. */
  readonly oldStreams: readonly string[];
}

export interface Diagnostics {
  /** Throws `DatabaseUnavailable`. */
  database(): Promise<DatabaseFacts>;
  broker(): Promise<BrokerFacts>;
}
