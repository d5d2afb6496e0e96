import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

const slot = 1;

/** The zone in which the days of this database were counted; null before the first start. */
export async function countedZone(tx: Tx): Promise<string | null> {
  const row = await queries<InfrastructureTables>(tx).selectFrom("timekeeping").select("zone").executeTakeFirst();
  return row?.zone ?? null;
}

export async function saveZone(tx: Tx, zone: string): Promise<void> {
  const insert = queries<InfrastructureTables>(tx).insertInto("timekeeping").values({ slot, seen_at: null, zone });
  await dialectOf(tx).upsert(insert, ["slot"], ["zone"]).execute();
}

/** Returns the zone that the days were counted in, which at the first start is this one. */
export async function rememberZone(tx: Tx, zone: string): Promise<string> {
  const counted = await countedZone(tx);
  if (counted === null) await saveZone(tx, zone);
  return counted ?? zone;
}

/** For the log and for commands. */
export function otherZone(counted: string, zone: string): string {
  return (
    `database.dsn: loc is ${zone}, but the days in this database were counted in ${counted}. Hours that were counted before stay on ` +
    `the days on which they were, and new ones go to the days of ${zone}, so sums around midnight and pay periods do not fit ` +
    `together. Write loc=${encodeURIComponent(counted)} again, or run \`rollcall installation zone\` if the change is meant`
  );
}
