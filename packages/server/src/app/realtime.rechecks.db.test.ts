import { expect, test } from "vitest";
import { characters } from "#features/auth/auth.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { countRechecks, settled } from "#testkit/rechecks.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";

const accounts = 20;
const charactersEach = 10;
const promoted = 10;
const job = "minutes";

describeApps("players who are synced every minute", (get) => {
  test("cause a check of the rights only of those whose grade changed", { timeout: 120_000 }, async () => {
    const { app, world } = get();
    await world.grant(job, 1, { "citizens.list": true });
    await world.grant(job, 2, { "citizens.list": { fields: ["playtime"] } });
    const userOf = (identifier: string, grade: number, playtime: number) => ({
      identifier,
      firstName: "Minute",
      lastName: identifier.replace(":", " "),
      jobs: [{ name: job, grade }],
      playtime,
    });
    const send = async (items: ReturnType<typeof userOf>[]) => {
      const answer = await app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
      expect(answer.body.rejected).toEqual([]);
      return answer.output.accepted;
    };
    const actors: TestActor[] = [];
    while (actors.length < accounts) actors.push(await world.actor({ job, grade: 1 }));
    const identifiers = actors.flatMap(({ licence }) =>
      Array.from({ length: charactersEach }, (_, i) => `char${i + 1}:${licence}`),
    );
    await send(identifiers.map((identifier) => userOf(identifier, 1, 0)));
    const clients: TestClient[] = [];
    for (const actor of actors) {
      const { output } = await app.call(characters, {}, { cookie: actor.cookie });
      for (const { id } of [...output.characters].sort((a, b) => a.id - b.id)) {
        const client = await TestClient.signedIn(app.process.hub, await world.tokenOf({ ...actor, characterId: id }));
        for (const topic of ["citizens", `presence/${job}`]) await client.subscribe(topic);
        clients.push(client);
      }
    }
    expect(clients).toHaveLength(accounts * charactersEach);
    await settled(clients);
    const before = await countRechecks(app);

    expect(await send(identifiers.map((identifier, i) => userOf(identifier, 1, i < promoted ? 0 : 60)))).toBe(190);
    await settled(clients);
    expect((await countRechecks(app)) - before).toBe(0);

    expect(await send(identifiers.map((identifier, i) => userOf(identifier, i < promoted ? 2 : 1, i < promoted ? 0 : 120)))).toBe(
      200,
    );
    await settled(clients);
    expect((await countRechecks(app)) - before).toBe(promoted);
    const changed = clients.filter((client) => client.of("rights").length > 0);
    expect(changed).toHaveLength(promoted);
    for (const client of clients) {
      const again = changed.includes(client) ? [{ topic: "citizens", mode: "snapshot" }] : [];
      const modes = client.of("subscribed").map(({ topic, mode }) => ({ topic, mode }));
      expect(modes).toEqual([{ topic: "citizens", mode: "live" }, { topic: `presence/${job}`, mode: "state" }, ...again]);
    }
    for (const client of clients) client.leave();
  });
});
