/** A parsed `database.dsn`. `zone` is the IANA calendar zone of `loc`, UTC when left out. */
export type Dsn = SqliteDsn | MariadbDsn;

export interface SqliteDsn {
  readonly kind: "sqlite";
  /** Absolute path of the database file. */
  readonly file: string;
  readonly zone: string;
}

export interface MariadbDsn {
  readonly kind: "mariadb";
  readonly user: string;
  readonly password: string;
  /** `tcp(host:port)` or `unix(/path)`. */
  readonly address: { readonly host: string; readonly port: number } | { readonly socket: string };
  readonly database: string;
  readonly collation: string;
  /** `tls=true` verifies, `skip-verify` encrypts only, `preferred` encrypts when the server can. */
  readonly tls: "off" | "verify" | "skip-verify" | "preferred";
  /** Milliseconds; 0 means the default. */
  readonly connectTimeoutMs: number;
  /** Milliseconds; 0 means no limit. */
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly zone: string;
}

/** The database's server address, or the file of SQLite. */
export function addressOf(dsn: Dsn): string {
  if (dsn.kind === "sqlite") return dsn.file;
  return "socket" in dsn.address ? dsn.address.socket : `${dsn.address.host}:${dsn.address.port}`;
}

/** A parsed `nats.url`. */
export type BrokerUrl =
  | {
      readonly kind: "embedded";
      /** Absolute path of the file with its durable streams and buckets. */
      readonly file: string;
    }
  | {
      readonly kind: "nats";
      /** `host:port` of each server. */
      readonly servers: readonly string[];
      readonly user: string | null;
      readonly password: string | null;
      /** When the URL carries a token instead of user and password. */
      readonly token: string | null;
      readonly tls: boolean;
    };

/** A Go-style listen address: `:8080`, `127.0.0.1:8080`, `[::1]:8080`. */
export interface ListenAddress {
  /** Null listens on every address of both families. */
  readonly host: string | null;
  readonly port: number;
}
