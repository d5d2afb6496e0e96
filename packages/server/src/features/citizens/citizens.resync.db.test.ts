import { expect, test } from "vitest";
import { listAudit } from "#features/audit/audit.contract.ts";
import { gamerequestsDelivered, pollRequests, putReceipts } from "#features/gamerequests/gamerequests.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { citizensContract, getResync, requestResync, resyncChanged, syncUsersDelete } from "./citizens.contract.ts";
import { resyncBinding } from "./citizens.routes.ts";

const sync = { token: testSecrets.sync };
const everything = { "citizens.resync": true } as const;

describeApps("the resynchronisation of a citizen", (get) => {
  const poll = async (source: string, known?: { readonly epoch: string; readonly position: number }) => {
    const after = known && { epoch: known.epoch, after: known.position };
    return (await get().app.call(pollRequests, { query: { source, wait: 0, after: 0, ...after } }, sync)).output;
  };
  const report = async (source: string, id: string, outcome: "done" | "refused", reason?: string) =>
    await get().app.call(
      putReceipts,
      { body: { source, receipts: [{ id, outcome, ...(reason !== undefined && { reason }) }] } },
      sync,
    );

  test("needs a game server that is connected", async () => {
    const { app, world, writes } = get();
    const { token } = await world.actor({ rights: everything });
    const params = { id: await world.citizen() };
    await app.process.container.db.exclusive("test.sql", async ({ connection }) => {
      await connection.execute("delete from gamerequests_servers", []);
    });
    const state = await app.call(getResync, { params }, { token });
    expect(state.output).toEqual({ connected: false, lastPolledAt: null, request: null });
    const written = writes(["auth_sessions"]);
    const refused = await app.call(requestResync, { params }, { token });
    expect([refused.status, refused.body.code]).toEqual([409, "citizens.noGameServer"]);
    expect(written.tables()).toEqual([]);
  });

  test("reaches the game server that sent the citizen, with its game id, and shows the end", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen({ identifier: "char1:resync" });
    await app.process.container.db.exclusive("test.sql", async ({ connection }) => {
      await connection.execute("update citizens set source = 'home' where id = ?", [id]);
    });
    const [home] = [await poll("home"), await poll("elsewhere")];
    const asked = await app.call(requestResync, { params: { id } }, { token });
    expect(asked.output).toMatchObject({ connected: true, request: { state: "open", endedAt: null } });
    expect((await poll("elsewhere")).requests).toEqual([]);
    const { requests } = await poll("home", home);
    expect(requests).toMatchObject([{ kind: "citizens.resync", payload: { identifier: "char1:resync" } }]);
    await report("home", requests[0]!.id, "refused", "The player is not online.");
    const ended = await app.call(getResync, { params: { id } }, { token });
    expect(ended.output.request).toMatchObject({
      state: "refused",
      reason: "The player is not online.",
      endedAt: expect.any(Number),
    });
  });

  test("of a citizen that the database sync tool sent reaches any game server", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen();
    const city = await poll("only-plugin");
    await app.call(requestResync, { params: { id } }, { token });
    expect((await poll("only-plugin", city)).requests).toHaveLength(1);
  });

  test("replaces an earlier one that was not fetched", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen();
    const before = await poll("replacing");
    for (let i = 0; i < 3; i += 1) expect((await app.call(requestResync, { params: { id } }, { token })).status).toBe(200);
    const { requests } = await poll("replacing", before);
    expect(requests.filter(({ kind }) => kind === "citizens.resync")).toHaveLength(1);
  });

  test("is not sent again while a game server runs it: the answer is its status", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen();
    const before = await poll("running");
    await app.call(requestResync, { params: { id } }, { token });
    const fetched = await poll("running", before);
    expect(fetched.requests).toHaveLength(1);
    for (let i = 0; i < 3; i += 1) {
      const { status, output } = await app.call(requestResync, { params: { id } }, { token });
      expect([status, output.request?.state]).toEqual([200, "delivered"]);
    }
    expect((await poll("running", fetched)).requests).toEqual([]);
    await report("running", fetched.requests[0]!.id, "done");
    await app.call(requestResync, { params: { id } }, { token });
    expect((await poll("running", fetched)).requests).toHaveLength(1);
  });

  test("is announced when it is requested and when it ends, and is in the audit log", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything, groups: ["admin"] });
    const id = await world.citizen();
    const before = await poll("announced");
    const events = async () =>
      await app.process.container.db.exclusive(
        "test.sql",
        async ({ connection }) =>
          (await connection.execute("select payload from outbox_events where type = ?", [resyncChanged.id])).rows.filter((row) =>
            JSON.stringify(row).includes(`\\"id\\":${id}}`),
          ).length,
      );
    await app.call(requestResync, { params: { id } }, { token: actor.token });
    expect(await events()).toBe(1);
    const { requests } = await poll("announced", before);
    await report("announced", requests.at(-1)!.id, "done");
    await expect.poll(events, { timeout: 20_000 }).toBe(2);
    const { output } = await app.call(listAudit, { query: { action: "citizens.requestResync" } }, { cookie: actor.cookie });
    expect(output.items[0]).toMatchObject({ object: { kind: "citizen", id: String(id) } });
  });

  test("is announced to its viewers when a game server fetches it, once, and to nobody else", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen();
    const before = await poll("fetching");
    const fetched = async () =>
      await app.process.container.db.exclusive("test.sql", async ({ connection }) => {
        const statement = "select type, payload from outbox_events where type = ? order by id";
        const { rows } = await connection.execute(statement, [gamerequestsDelivered.id]);
        const events = rows.map(({ payload }) => ({
          type: gamerequestsDelivered.id,
          payload: JSON.parse(String(payload)) as { readonly key: string },
        }));
        return events.filter(({ payload }) => payload.key === String(id));
      });
    await app.call(requestResync, { params: { id } }, { token });
    expect(await fetched()).toEqual([]);
    await poll("fetching", before);
    await poll("fetching", before);
    const events = await fetched();
    expect(events.flatMap((event) => resyncBinding.project?.(event as never))).toEqual([{ key: String(id), data: { id } }]);
    const others = { ...events[0], payload: { id: "x", kind: "dispatch.call", key: String(id) } };
    expect(resyncBinding.project?.(others as never)).toEqual([]);
  });

  test("is 404 for a citizen that is deleted or was never there", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ rights: everything });
    const id = await world.citizen({ identifier: "char1:gone" });
    await app.call(syncUsersDelete, { body: { identifiers: ["char1:gone"] } }, sync);
    for (const params of [{ id }, { id: 987_654_321 }])
      for (const operation of [getResync, requestResync])
        expect((await app.call(operation, { params }, { token })).body.code).toBe(citizensContract.errors.notFound.code);
  });
});
