/** What the doctor asks of the database, beyond whether it answers. */
export interface DatabaseFacts {
  readonly version: string;
  /** Default collation of the database; null where there is no such thing. */
  readonly collation: string | null;
  /** Collation that the DSN asks for; null where there is no such thing. */
  readonly wantedCollation: string | null;
  readonly applied: number;
  readonly pending: readonly string[];
  /** How far the database's clock is ahead of this process's. Milliseconds. */
  readonly clockAheadMs: number;
}

export interface BrokerFacts {
  readonly kind: string;
  readonly up: boolean;
  readonly reason: string | null;
}

export interface Diagnostics {
  /** Throws `DatabaseUnavailable`. */
  database(): Promise<DatabaseFacts>;
  broker(): Promise<BrokerFacts>;
}
