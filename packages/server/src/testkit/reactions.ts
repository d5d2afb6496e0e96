import type { EventDefinition, PayloadOf } from "#core/contract/index.ts";
import type { AppUnderTest } from "./suite.ts";

/** Runs the reaction of a consumer to an event, as its worker does. */
export async function runReaction<D extends EventDefinition>(
  { app }: AppUnderTest,
  consumer: string,
  { id }: D,
  payload: PayloadOf<D>,
): Promise<void> {
  const { assembly, container } = app.process;
  const reaction = assembly.reactions.find((one) => one.consumer === consumer);
  if (!reaction) throw new Error(`no reaction is named ${consumer}`);
  const message = { type: id, payload, at: container.ports.clock.now() };
  await container.db.write("test.react", async (tx) => await reaction.handle(tx, message as never));
}

/** The citizen who deleted a row of a table, as it is stored. */
export async function deleterOf({ app }: AppUnderTest, table: string, id: number): Promise<unknown> {
  return await app.process.container.db.exclusive("test.deleter", async ({ connection }) => {
    return (await connection.execute(`select deleted_by from ${table} where id = ?`, [id])).rows[0]?.["deleted_by"];
  });
}

/** Payloads of all events of a kind that were written so far, the first one first. */
export async function eventsOf<D extends EventDefinition>({ app }: AppUnderTest, { id }: D): Promise<PayloadOf<D>[]> {
  return await app.process.container.db.exclusive("test.events", async ({ connection }) => {
    const { rows } = await connection.execute("select payload from outbox_events where type = ? order by id", [id]);
    return rows.map(({ payload }) => JSON.parse(String(payload)) as PayloadOf<D>);
  });
}
