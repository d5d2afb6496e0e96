import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { CallsTables } from "#features/calls/calls.schema.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { mustCall } from "#features/calls/calls.testkit.ts";
import { goOffDuty, goOnDuty, newJob, planned, runTask } from "#features/units/units.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { runReaction } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { deskApi } from "./desk.api.ts";
import {
  closedForMs,
  closeWindow,
  deskTopic,
  endWindows,
  hiddenLeaseMs,
  leaseMs,
  listDispatchers,
  mostWindows,
  signOff,
  signOn,
} from "./desk.contract.ts";
import type { DeskTables } from "./desk.schema.ts";

const soon = { timeout: 20_000 };
const windowOf = (at: number) => `00000000000000${10 + at}`;

describeApps("the dispatch desk", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const now = () => get().app.process.container.ports.clock.now();
  const open = async (who: TestActor, at = 1, hidden = false) =>
    await get().app.call(signOn, { params: { window: windowOf(at) }, body: { hidden } }, as(who));
  const leave = async (who: TestActor, at = 1) => await get().app.call(signOff, { params: { window: windowOf(at) } }, as(who));
  const close = async (who: TestActor, at = 1) =>
    await get().app.call(closeWindow, { params: { window: windowOf(at) } }, as(who));
  const present = async (who: TestActor) => (await get().app.call(listDispatchers, {}, as(who))).output;
  const ids = async (who: TestActor) => (await present(who)).items.map(({ id }) => id);
  const ofApi = async (job: string) => {
    const { assembly, container } = get().app.process;
    const api = assembly.api(deskApi);
    return await container.db.read("test.dispatchers", async (tx) => await api.dispatchersOf(tx, job));
  };

  const written = async ({ characterId }: TestActor) =>
    await get().app.process.container.db.exclusive("test.audit", async ({ connection }) => {
      const { rows } = await connection.execute(
        "select action from audit_entries where target_kind = 'citizen' and target_id = ? and action like 'desk.%' order by id",
        [characterId],
      );
      return rows.map(({ action }) => action);
    });
  const ending = async ({ characterId }: TestActor) =>
    (await planned(get(), endWindows)).filter(({ citizenId }) => citizenId === characterId).map(({ dueAt }) => dueAt);

  /** Windows that nothing kept open, as after a crash of the browser or the server. */
  async function lapse({ characterId }: TestActor, ...windows: readonly number[]): Promise<void> {
    await get().app.process.container.db.write("test.lapse", async (tx) => {
      await queries<DeskTables>(tx)
        .updateTable("desk_windows")
        .set({ until: now() - 1 })
        .where("citizen_id", "=", characterId)
        .where("window_key", "in", windows.map(windowOf))
        .execute();
    });
  }

  async function dispatcher(more: Record<string, true> = {}, job = newJob("desk")) {
    const { world } = get();
    await world.job(job);
    const rights = { "desk.open": true, "calls.view": true, "calls.dispatch": true, "calls.create": true, ...more } as const;
    return { ...(await world.actor({ job, grade: 1, rights })), job };
  }

  test("signs on who is on duty, once for several windows, until the last one is closed", async () => {
    const who = await dispatcher();
    const refused = await open(who);
    expect([refused.status, refused.body.code]).toEqual([409, "desk.notOnDuty"]);
    expect(await present(who)).toEqual({ items: [], signedOn: false });
    await goOnDuty(get(), who.job, who);
    expect((await open(who)).output.until - now()).toBeLessThanOrEqual(leaseMs);
    expect((await open(who, 2, true)).output.until - now()).toBeGreaterThan(hiddenLeaseMs - 20_000);
    await open(who);
    expect(await present(who)).toMatchObject({ items: [{ id: who.characterId, job: { name: who.job } }], signedOn: true });
    expect(await ofApi(who.job)).toMatchObject([{ citizenId: who.characterId }]);
    await leave(who);
    expect(await ids(who)).toEqual([who.characterId]);
    await leave(who, 2);
    await leave(who, 2);
    expect(await present(who)).toEqual({ items: [], signedOn: false });
    expect(await ofApi(who.job)).toEqual([]);
  });

  test("writes one entry for signing on and one for signing off, and none while windows stay open", async () => {
    const who = await dispatcher();
    await goOnDuty(get(), who.job, who);
    for (const at of [1, 2, 1, 2, 1]) await open(who, at);
    for (const at of [1, 2]) await leave(who, at);
    expect(await written(who)).toEqual(["desk.signOn", "desk.signOff"]);
  });

  test("keeps who closes the page signed on for some seconds, so that loading it again signs nobody off", async () => {
    const who = await dispatcher();
    await goOnDuty(get(), who.job, who);
    await open(who);
    const [signedOn] = (await present(who)).items;
    await close(who);
    expect((await present(who)).items).toEqual([signedOn]);
    const [soonest] = await ending(who);
    expect(soonest! - now()).toBeLessThanOrEqual(closedForMs);
    await open(who, 2);
    await lapse(who, 1);
    await runTask(get(), endWindows, { citizenId: who.characterId });
    expect((await present(who)).items).toEqual([signedOn]);
    expect(await written(who)).toEqual(["desk.signOn"]);
    await close(who, 2);
    await lapse(who, 2);
    await runTask(get(), endWindows, { citizenId: who.characterId });
    expect(await ids(who)).toEqual([]);
    expect(await written(who)).toEqual(["desk.signOn", "desk.ended"]);
  });

  test("closing a window ends no other one, and lengthens none", async () => {
    const who = await dispatcher();
    await goOnDuty(get(), who.job, who);
    for (const at of [1, 2]) await open(who, at);
    await close(who);
    const [latest] = await ending(who);
    expect(latest! - now()).toBeGreaterThan(closedForMs);
    await lapse(who, 1, 2);
    await close(who);
    expect(await ids(who)).toEqual([]);
  });

  test("ends by time where a window says nothing any more, also before a worker looks", async () => {
    const who = await dispatcher();
    const other = await dispatcher({}, who.job);
    await goOnDuty(get(), who.job, who, other);
    for (const at of [1, 2]) await open(who, at);
    await open(other);
    const [task] = (await planned(get(), endWindows)).filter(({ citizenId }) => citizenId === who.characterId);
    expect(task!.dueAt - now()).toBeLessThanOrEqual(leaseMs);
    await lapse(who, 1);
    await runTask(get(), endWindows, { citizenId: who.characterId });
    expect(await ids(other)).toContain(who.characterId);
    expect((await planned(get(), endWindows)).filter(({ citizenId }) => citizenId === who.characterId)).toHaveLength(1);
    await lapse(who, 2);
    expect(await ids(other)).toEqual([other.characterId]);
    expect(await ofApi(who.job)).toMatchObject([{ citizenId: other.characterId }]);
    await runTask(get(), endWindows, { citizenId: who.characterId });
    expect(await planned(get(), endWindows)).not.toContainEqual(expect.objectContaining({ citizenId: who.characterId }));
    await open(who);
    expect(await ids(other)).toEqual([other.characterId, who.characterId]);
  });

  test("says to others who may dispatch, and not who only looks on", async () => {
    const who = await dispatcher();
    const watcher = { ...(await get().world.actor({ job: who.job, grade: 0, rights: { "desk.open": true } })), job: who.job };
    await goOnDuty(get(), who.job, who, watcher);
    await open(watcher);
    expect([await ids(who), await ofApi(who.job)]).toEqual([[watcher.characterId], []]);
    await open(who);
    expect(await ofApi(who.job)).toMatchObject([{ citizenId: who.characterId }]);
  });

  test("forgets a person who was removed for good, also when a window ends afterwards", async () => {
    const who = await dispatcher();
    await goOnDuty(get(), who.job, who);
    await open(who);
    await runReaction(get(), "desk.purgeCitizens", citizensPurged, { citizenIds: [who.characterId] });
    expect(await ending(who)).toEqual([]);
    // A timer that was on its way.
    await runTask(get(), endWindows, { citizenId: who.characterId });
    const { rows } = await get().app.process.container.db.exclusive(
      "test.people",
      async ({ connection }) =>
        await connection.execute("select citizen_id from desk_people where citizen_id = ?", [who.characterId]),
    );
    expect(rows).toEqual([]);
  });

  test("signs off with the end of duty, and not who may dispatch without", async () => {
    const free = await dispatcher({ "desk.offDuty": true });
    expect((await open(free)).status).toBe(200);
    expect(await ids(free)).toEqual([free.characterId]);
    const bound = await dispatcher();
    await goOnDuty(get(), bound.job, bound);
    await open(bound);
    await goOffDuty(get(), bound);
    await expect.poll(async () => await ids(bound), soon).toEqual([]);
    expect((await open(bound)).body.code).toBe("desk.notOnDuty");
  });

  test("takes so many windows of a person, without those that have ended", async () => {
    const who = await dispatcher();
    await goOnDuty(get(), who.job, who);
    for (let at = 0; at < mostWindows; at += 1) expect((await open(who, at)).status).toBe(200);
    const refused = await open(who, mostWindows);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "desk.tooManyWindows", { most: mostWindows }]);
    expect((await open(who, 0)).status).toBe(200);
    // As a page that is loaded again does.
    await close(who, 5);
    expect((await open(who, mostWindows)).status).toBe(200);
    expect((await open(who, mostWindows + 1)).status).toBe(409);
    await lapse(who, 3);
    expect((await open(who, mostWindows + 1)).status).toBe(200);
  });

  test("shows those of jobs that work an open call with the own one, and of no other", async () => {
    const who = await dispatcher();
    const partner = await dispatcher();
    const apart = await dispatcher();
    for (const one of [who, partner, apart]) {
      await goOnDuty(get(), one.job, one);
      await open(one);
    }
    expect(await ids(who)).toEqual([who.characterId]);
    const { id } = await mustCall(get(), who, { jobs: [who.job] });
    await get().app.process.container.db.write("test.share", async (tx) => {
      const offer = { call_id: id, min_grade: 0, expires_at: null };
      await queries<CallsTables>(tx)
        .insertInto("calls_jobs")
        .values([
          { ...offer, job: partner.job, level: "dispatch", position: 1 },
          { ...offer, job: apart.job, level: "view", position: 2 },
        ])
        .execute();
    });
    expect(await ids(who)).toEqual([who.characterId, partner.characterId]);
    expect(await ids(partner)).toEqual([partner.characterId, who.characterId]);
    expect(new Set(await ids(apart))).toEqual(new Set([apart.characterId, partner.characterId, who.characterId]));
    await get().app.process.container.db.write("test.grades", async (tx) => {
      const offered = queries<CallsTables>(tx).updateTable("calls_jobs").set({ min_grade: 2 });
      await offered.where("call_id", "=", id).where("job", "=", apart.job).execute();
    });
    expect(await ids(apart)).toEqual([apart.characterId]);
  });

  test("says live that somebody signed on or off", async () => {
    const who = await dispatcher();
    const other = await dispatcher({}, who.job);
    await goOnDuty(get(), who.job, who);
    const client = await TestClient.signedIn(get().app.process.hub, other.token);
    await client.subscribe(deskTopic.name);
    const said = () => client.events(deskTopic.name).length;
    await open(who);
    await expect.poll(said, soon).toBe(1);
    await open(who);
    await leave(who);
    await expect.poll(said, soon).toBe(2);
    client.leave();
  });
});
