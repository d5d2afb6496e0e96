import { hostname } from "node:os";
import type { Dsn } from "#core/dsn.ts";
import { type Broker, type Bucket, RevisionConflict } from "#core/ports/index.ts";

/** A database as an operator would name it. */
export interface DatabaseLocation {
  /** `host:port`, or a socket; the machine's name for SQLite. */
  readonly server: string;
  /** Its name, or the file of SQLite. */
  readonly database: string;
}

const loopback = /^(?:localhost|127\.[\d.]+|::1)$/;

/** Derived from the DSN, so that it is equal after a restart and for every process of one configuration. */
export function locationOf(dsn: Dsn): DatabaseLocation {
  if (dsn.kind === "sqlite") return { server: hostname(), database: dsn.file };
  const { address, database } = dsn;
  if ("socket" in address) return { server: address.socket, database };
  const host = address.host.toLowerCase();
  return { server: `${loopback.test(host) ? "localhost" : host}:${address.port}`, database };
}

/** The prefix of everything that an installation has on a shared broker. */
export const namespaceOf = (id: string): string => `rollcall.${id}`;

export const claimBucket = "INSTALLATION";
export const claimKey = "database";

const isSame = (a: DatabaseLocation, b: DatabaseLocation) => a.server === b.server && a.database === b.database;
const named = ({ server, database }: DatabaseLocation) => `${database} on ${server}`;
export const namedLocations = (places: readonly DatabaseLocation[]): string => places.map(named).join(" and ");

/** Another database has claimed this installation's id on the broker. The message is one line for the operator. */
export class InstallationHeld extends Error {
  override name = "InstallationHeld";

  constructor(id: string, own: DatabaseLocation, holders: readonly DatabaseLocation[]) {
    super(
      `nats.url: the id ${id} of the database ${named(own)} belongs on this broker to ${namedLocations(holders)}. ` +
        "If this database is a copy, run `rollcall installation new-id`; " +
        "if it was moved here, `rollcall installation claim`; " +
        "if both are one database by two addresses, `rollcall installation claim --also`",
    );
  }
}

/** The databases of a claim; empty without a claim. */
export function holdersIn(value: Uint8Array | null): readonly DatabaseLocation[] {
  if (value === null) return [];
  return JSON.parse(Buffer.from(value).toString()) as DatabaseLocation[];
}

export const isHolder = (holders: readonly DatabaseLocation[], own: DatabaseLocation): boolean =>
  holders.some((one) => isSame(one, own));

const encode = (places: readonly DatabaseLocation[]) => Buffer.from(JSON.stringify(places));

/** Retries when another process changed the claim meanwhile. */
async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 4; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RevisionConflict) || left === 0) throw error;
    }
  }
}

async function change(
  bucket: Bucket,
  apply: (holders: readonly DatabaseLocation[]) => readonly DatabaseLocation[],
): Promise<void> {
  await retryOnConflict(async () => {
    const found = await bucket.get(claimKey);
    const holders = holdersIn(found?.value ?? null);
    const wanted = apply(holders);
    if (found === null) await bucket.create(claimKey, encode(wanted));
    else if (wanted !== holders) await bucket.update(claimKey, encode(wanted), found.revision);
  });
}

/**
 * Records on the broker that `id` belongs to this database. The first database gets the id; other
 * processes of the same database succeed as well. Throws `InstallationHeld` if it belongs to another one.
 */
export async function claim(broker: Pick<Broker, "bucket">, id: string, own: DatabaseLocation): Promise<void> {
  await change(await broker.bucket(claimBucket), (holders) => {
    if (holders.length === 0) return [own];
    if (!isHolder(holders, own)) throw new InstallationHeld(id, own, holders);
    return holders;
  });
}

/** Takes the claim over, or with `also` adds this database to it. Returns the databases that had it before. */
export async function replaceClaim(
  broker: Pick<Broker, "bucket">,
  own: DatabaseLocation,
  { also }: { readonly also: boolean },
): Promise<readonly DatabaseLocation[]> {
  let before: readonly DatabaseLocation[] = [];
  await change(await broker.bucket(claimBucket), (holders) => {
    before = holders;
    if (!also) return [own];
    return isHolder(holders, own) ? holders : [...holders, own];
  });
  return before;
}
