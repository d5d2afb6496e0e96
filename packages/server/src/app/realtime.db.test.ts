import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import type { AccessTables } from "#features/access/access.schema.ts";
import { presenceTopic } from "#features/realtime/realtime.contract.ts";
import { natsServerInstalled, PrivateNats, whenState } from "#infra/broker/broker.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { dsnText, startApp, type TestApp, type TestAppOptions } from "#testkit/app.ts";
import { openTestDatabase, testedKinds } from "#testkit/database.ts";
import { createWorld, type World } from "#testkit/world.ts";

describe.skipIf(!natsServerInstalled()).each(testedKinds)("open connections (%s)", (kind) => {
  let nats: PrivateNats;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let options: TestAppOptions;
  let app: TestApp;
  let world: World;

  beforeAll(async () => {
    nats = await PrivateNats.start();
    database = await openTestDatabase(kind);
    options = { dsn: dsnText(database.dsn), nats: `nats://${nats.address}` };
    app = await startApp(options);
    world = createWorld(app);
  });
  afterAll(async () => {
    await app?.close();
    await database?.empty();
    await database?.close();
    await nats?.dispose();
  });

  it("follow a change of rights in this process without the broker, and one elsewhere when the broker is back", async () => {
    const { broker, db } = app.process.container;
    const job = "watched";
    const { token } = await world.actor({ job, rights: { "citizens.list": true } });
    const client = await TestClient.signedIn(app.process.hub, token);
    client.send({ type: "subscribe", topic: "citizens" });
    await client.next("subscribed");
    await nats.kill();
    await whenState(broker, false);
    await world.grant(job, 1, { "vehicles.list": true });
    await client.next("rights");
    expect(client.of("revoked")).toEqual([]);
    // As another process would, whose event this one never receives.
    await db.write("test.revoke", async (tx) => {
      const q = queries<AccessTables>(tx);
      const role = q.selectFrom("access_roles").select("id").where("job", "=", job);
      await q.deleteFrom("access_grants").where("role_id", "in", role).where("permission", "=", "citizens.list").execute();
      await q
        .updateTable("access_epochs")
        .set(({ eb }) => ({ epoch: eb("epoch", "+", 1) }))
        .execute();
    });
    await nats.run();
    await client.next("rights", 2);
    await client.next("revoked");
    client.leave();
  });

  it("show a process without the web role who is online", async () => {
    const { token, characterId } = await world.actor({ job: "seen" });
    const client = await TestClient.signedIn(app.process.hub, token);
    // One SQLite database has one process.
    const worker = kind === "sqlite" ? app : await startApp({ ...options, roles: ["worker"] });
    try {
      expect(worker.process.web === null).toBe(kind !== "sqlite");
      const online = async () => await worker.process.container.ports.latest.list(presenceTopic, "seen/");
      await expect.poll(async () => (await online()).map(({ value }) => value.characterId)).toEqual([characterId]);
      expect((await online())[0]?.ageMs).toBeLessThan(presenceTopic.maxAgeMs);
      client.leave();
      await expect.poll(online).toEqual([]);
    } finally {
      if (worker !== app) await worker.close();
    }
  });
});
