import { expect, test } from "vitest";
import { as, callOf, offered, team, type Team } from "#features/assignments/assignments.testkit.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { closeCodes } from "#core/contract/index.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { createLink, listLinks, mostLinks, readWallboard, revokeLink, wallboardPermissions } from "./wallboard.contract.ts";

const soon = { timeout: 20_000 };
const manage = { [wallboardPermissions.manage.id]: true } as const;

type Keeper = TestActor;

describeApps("wallboards", (get) => {
  let counter = 0;
  const address = () => `203.0.${(counter += 1) % 250}.9`;
  /** Above the others, whose tokens stay valid with this: rights are inherited downwards. */
  const keeperOf = async ({ job }: Team): Promise<Keeper> => await get().world.actor({ job, grade: 4, rights: manage });
  const links = async (who: Keeper) => (await get().app.call(listLinks, {}, as(who))).output.items;
  const issue = async (who: Keeper, name = "Front office") => {
    const { output } = await get().app.call(createLink, { body: { name } }, as(who));
    return { id: output.link.id, secret: output.url.split("#")[1]!, url: output.url };
  };
  const revoke = async (who: Keeper, id: number) => await get().app.call(revokeLink, { params: { id } }, as(who));
  const read = async (link: string, path = readWallboard.path) =>
    await get().app.request("GET", path, { link, address: address() });
  const connect = async (secret: string) => {
    const client = new TestClient(get().app.process.hub, `address ${address()}`);
    client.send({ type: "link", secret });
    await client.next("ready");
    return client;
  };

  test("show waiting calls, units by status and who is on duty, to who has the link", async () => {
    const of = await team(get(), 2);
    const { secret, url } = await issue(await keeperOf(of), " Front office ");
    const [waiting, worked] = [await callOf(get(), of, { priority: 2 }), await callOf(get(), of, { priority: 1 })];
    await offered(get(), of, worked, of.units[0], true);
    const { status, body } = await read(secret);
    expect(status).toBe(200);
    expect(url).toContain("/wallboard#");
    expect(body).toMatchObject({
      ...{ name: "Front office", job: { name: of.job }, waitingCount: 1, openCount: 2, onDuty: 3 },
      waiting: [{ id: waiting.id, priority: 2, isPanic: false, type: null, postal: null, waitingSince: waiting.waitingSince }],
      units: [
        { base: "available", count: 1 },
        { base: "busy", count: 1 },
        { base: "break", count: 0 },
        { base: "unavailable", count: 0 },
      ],
    });
  });

  test("have no name of a caller, no text of a call and nothing of other jobs in any byte", async () => {
    const [of, other] = [await team(get()), await team(get())];
    const { secret } = await issue(await keeperOf(of));
    const client = await connect(secret);
    await client.subscribe("wallboard");
    const call = await callOf(get(), of, { message: "Quicksilver at the harbour" });
    await callOf(get(), of, { message: "Zeppelin over the pier", anonymous: true });
    const foreign = await callOf(get(), other, { message: "Walrus in the bank" });
    await expect.poll(() => client.events("wallboard").length, soon).toBeGreaterThan(0);
    const { text } = await read(secret);
    const seen = text + JSON.stringify(client.events("wallboard"));
    expect(text).toContain(`"id":${call.id},`);
    expect(JSON.parse(text).waiting.map(({ id }: { id: number }) => id)).not.toContain(foreign.id);
    // As everybody is called in this world.
    const secrets = ["Quicksilver", "Zeppelin", "Walrus", "anonymous", "caller", "Act Or", of.lead.username];
    expect(secrets.filter((one) => seen.includes(one))).toEqual([]);
    client.leave();
  });

  test("open nothing else, and no account opens them", async () => {
    const of = await team(get());
    const keeper = await keeperOf(of);
    const { secret } = await issue(keeper);
    for (const path of ["/api/dispatch/calls", "/api/units", listLinks.path, "/api/dispatch/work"])
      expect([path, (await read(secret, path)).status, (await read(secret, path)).body.code]).toEqual([
        path,
        403,
        "system.linkOpensOther",
      ]);
    const client = await connect(secret);
    for (const topic of ["calls", "units", "assignments", "duty"]) expect(await client.subscribe(topic), topic).toBeNull();
    expect(await client.subscribe("wallboard")).toMatchObject({ mode: "live" });
    client.leave();
    expect((await get().app.request("GET", readWallboard.path, { token: keeper.token })).status).toBe(401);
  });

  test("follow what changes in their job, and nothing of another one", async () => {
    const [of, other] = [await team(get()), await team(get())];
    const keeper = await keeperOf(of);
    const clients = [await connect((await issue(keeper)).secret), await connect((await issue(await keeperOf(other))).secret)];
    for (const client of clients) await client.subscribe("wallboard");
    await callOf(get(), of);
    await expect.poll(() => clients[0]!.events("wallboard").length, soon).toBeGreaterThan(0);
    await callOf(get(), other);
    await expect.poll(() => clients[1]!.events("wallboard").length, soon).toBeGreaterThan(0);
    const before = clients[1]!.events("wallboard").length;
    await offered(get(), of, await callOf(get(), of), of.units[0], true);
    await expect.poll(() => clients[0]!.events("wallboard").length, soon).toBeGreaterThan(2);
    expect(clients[1]!.events("wallboard").length).toBe(before);
    for (const client of clients) client.leave();
  });

  test("end at once when their link is revoked, by the own job alone, and the audit log says who did it", async () => {
    const [of, other] = [await team(get()), await team(get())];
    const keeper = await keeperOf(of);
    const { id, secret } = await issue(keeper);
    const client = await connect(secret);
    await client.subscribe("wallboard");
    const refused = await revoke(await keeperOf(other), id);
    expect([refused.status, refused.body.code]).toEqual([404, "wallboard.notFound"]);
    expect((await revoke(keeper, id)).status).toBe(204);
    expect((await client.end()).code).toBe(closeCodes.linkEnded);
    expect((await read(secret)).status).toBe(401);
    expect((await revoke(keeper, id)).status).toBe(404);
    expect(await links(keeper)).toEqual([]);
    const auditor = await get().world.actor({ rights: { "audit.view": true }, groups: ["admin"] });
    const params = { kind: "wallboard.link", id: String(id) };
    const { items } = (await get().app.call(auditHistory, { params }, as(auditor))).output;
    expect(items.map(({ action }) => action)).toEqual([revokeLink.id, createLink.id]);
  });

  test("have a name, at most twenty links a job, and a secret that is shown once", async () => {
    const keeper = await keeperOf(await team(get()));
    const empty = await get().app.call(createLink, { body: { name: "   " } }, as(keeper));
    expect(empty.status).toBe(400);
    const { secret } = await issue(keeper, "Number 0");
    for (let at = 1; at < mostLinks; at += 1) await issue(keeper, `Number ${at}`);
    const full = await get().app.call(createLink, { body: { name: "One more" } }, as(keeper));
    expect([full.status, full.body.code, full.body.params]).toEqual([409, "wallboard.full", { most: mostLinks }]);
    const listed = await links(keeper);
    expect([listed.length, listed[0]!.name, JSON.stringify(listed).includes(secret)]).toEqual([
      mostLinks,
      `Number ${mostLinks - 1}`,
      false,
    ]);
  });
});
