import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SetupTables } from "./setup.schema.ts";

/** The newest first. */
export async function nonces(tx: Tx): Promise<string[]> {
  const rows = await queries<SetupTables>(tx).selectFrom("setup_nonces").select("nonce").orderBy("made_at", "desc").execute();
  return rows.map(({ nonce }) => nonce);
}

/** Those made before an instant are gone afterwards. */
export async function forgetBefore(tx: Tx, before: number): Promise<void> {
  await queries<SetupTables>(tx).deleteFrom("setup_nonces").where("made_at", "<", before).execute();
}

export async function add(tx: Tx, nonce: string, made_at: number): Promise<void> {
  await queries<SetupTables>(tx).insertInto("setup_nonces").values({ nonce, made_at }).execute();
}

export async function forgetAll(tx: Tx): Promise<void> {
  await queries<SetupTables>(tx).deleteFrom("setup_nonces").execute();
}
