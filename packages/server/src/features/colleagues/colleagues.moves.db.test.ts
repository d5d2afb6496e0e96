import { expect, test } from "vitest";
import { pollRequests, putReceipts } from "#features/gamerequests/gamerequests.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { listActivity, listMoves, type MoveRequest, requestMove, syncActivities } from "./colleagues.contract.ts";
import { newJob, rightsTo, seen, sendPerson } from "./colleagues.testkit.ts";

const soon = { timeout: 20_000 };
const sync = { token: testSecrets.sync };

describeApps("changes of jobs from here", (get) => {
  /** As the operator sets it. */
  async function turn(changesInGame: boolean): Promise<void> {
    const { assembly, container } = get().app.process;
    const actor = { kind: "system", name: "test" } as const;
    await container.db.write("test.settings", async (tx) => {
      await assembly.api(settingsApi).change(tx, actor, (all) => ({ ...all, jobs: { ...all.jobs, changesInGame } }));
    });
  }

  async function team() {
    const { world } = get();
    await turn(true);
    const job = newJob("moved");
    await world.job(job, [0, 1, 2, 3]);
    const chief = await world.actor({ job, grade: 3, rights: { ...rightsTo("any"), "citizens.list": true } });
    const identifier = `moved:${job}`;
    const id = await world.citizen({ identifier, jobs: [{ name: job, grade: 0 }] });
    for (const one of [chief.characterId, id]) await seen(get(), chief, one);
    const source = `city:${job}`;
    await poll(source);
    return { job, chief, id, identifier, source };
  }

  const poll = async (source: string) => (await get().app.call(pollRequests, { query: { source } }, sync)).output.requests;
  const ask = async ({ token }: TestActor, body: Omit<MoveRequest, "reason">) =>
    await get().app.call(requestMove, { body: { ...body, reason: "Passed the exam" } }, { token });
  const moves = async ({ token }: TestActor, citizenId: number) =>
    (await get().app.call(listMoves, { query: { citizenId } }, { token })).output;
  const requestOf = async (source: string, identifier: string) =>
    (await poll(source)).find(({ kind, payload }) => kind === "colleagues.job" && payload["identifier"] === identifier)!;
  const receive = async (source: string, id: string, outcome: "done" | "refused" | "unknown", reason?: string) =>
    await get().app.call(
      putReceipts,
      { body: { source, receipts: [{ id, outcome, ...(reason === undefined ? {} : { reason }) }] } },
      sync,
    );

  test("name the state that they expect, and stand in the activities with who and why once the game reports them", async () => {
    const { app } = get();
    const { job, chief, id, identifier, source } = await team();
    expect(await moves(chief, id)).toMatchObject({
      on: true,
      connected: true,
      may: ["promote", "dismiss"],
      grades: [{ grade: 0 }, { grade: 1 }, { grade: 2 }],
      items: [],
    });
    const asked = await ask(chief, { citizenId: id, expectedGrade: 0, grade: 1 });
    expect([asked.status, asked.output.state, asked.output.kind]).toEqual([200, "open", "promote"]);
    const again = await ask(chief, { citizenId: id, expectedGrade: 0, grade: 2 });
    expect([again.status, again.body.code]).toEqual([409, "colleagues.moveOpen"]);
    const request = await requestOf(source, identifier);
    expect(request.payload).toMatchObject({
      job,
      expectedGrade: 0,
      grade: 1,
      reason: "Passed the exam",
      by: expect.stringMatching(/\w/),
    });
    await sendPerson(get(), identifier, job, 1);
    await receive(source, request.id, "done");
    await expect.poll(async () => (await moves(chief, id)).items[0]?.state, soon).toBe("done");
    const query = { citizenId: id, kind: "promoted" } as const;
    const activity = async () => (await app.call(listActivity, { query }, { token: chief.token })).output.items;
    await expect.poll(activity, soon).toMatchObject([{ actor: { id: chief.characterId }, reason: "Passed the exam" }]);
    const { output } = await app.call(listNotifications, { query: {} }, { token: chief.token });
    expect(output.items.map(({ kind }) => kind)).toContain("colleagues.moveDone");
    // What the game does by itself later has nobody from here behind it.
    await sendPerson(get(), identifier, job, 0);
    const demoted = { citizenId: id, kind: "demoted" } as const;
    const count = async () => (await app.call(listActivity, { query: demoted }, { token: chief.token })).output.items.length;
    await expect.poll(count, soon).toBe(1);
    await sendPerson(get(), identifier, job, 1);
    await expect
      .poll(async () => (await activity()).map(({ actor }) => actor?.id ?? null), soon)
      .toEqual([null, chief.characterId]);
    const { rows } = await app.process.container.db.exclusive("test.audit", async ({ connection }) => {
      return await connection.execute("select count(*) as n from audit_entries where action = ?", [requestMove.id]);
    });
    expect(Number(rows[0]?.["n"])).toBeGreaterThan(0);
  });

  test.each(["before", "after"])("are one activity with what the plugin reports of them %s the change is seen", async (order) => {
    const { app } = get();
    const { job, chief, id, identifier, source } = await team();
    await ask(chief, { citizenId: id, expectedGrade: 0, grade: 1 });
    const request = await requestOf(source, identifier);
    const item = { key: `report ${order}`, identifier, job, kind: "promoted", text: "rollcall request" } as const;
    const report = async () => (await app.call(syncActivities, { body: { source, items: [item] } }, sync)).output;
    const all = async () => (await app.call(listActivity, { query: { citizenId: id } }, { token: chief.token })).output.items;
    if (order === "before") expect(await report()).toMatchObject({ accepted: 1 });
    await sendPerson(get(), identifier, job, 1);
    await receive(source, request.id, "done");
    const whole = [{ kind: "promoted", actor: { id: chief.characterId }, reason: "Passed the exam", after: { grade: 1 } }];
    await expect.poll(all, soon).toMatchObject(whole);
    if (order === "after") expect(await report()).toMatchObject({ accepted: 1 });
    expect(await report()).toMatchObject({ accepted: 0, unchanged: 1 });
    expect(await all()).toMatchObject(whole);
    expect(await all()).toHaveLength(1);
  });

  test("that the game refuses say why, change nothing, and leave room for the next one", async () => {
    const { chief, id, identifier, source } = await team();
    await ask(chief, { citizenId: id, expectedGrade: 0, grade: null });
    const request = await requestOf(source, identifier);
    expect(request.payload).toMatchObject({ expectedGrade: 0, grade: null });
    await receive(source, request.id, "refused", "The player is in prison.");
    await expect
      .poll(async () => (await moves(chief, id)).items[0], soon)
      .toMatchObject({
        state: "refused",
        kind: "dismiss",
        answer: "The player is in prison.",
      });
    expect((await ask(chief, { citizenId: id, expectedGrade: 0, grade: 2 })).status).toBe(200);
  });

  test("are refused when they expect another state, above the own grade, or of oneself", async () => {
    const { world } = get();
    const { job, chief, id } = await team();
    const outsider = await world.citizen({ jobs: [{ name: newJob("other"), grade: 0 }] });
    const codes = async (body: Omit<MoveRequest, "reason">, as = chief) => {
      const answer = await ask(as, body);
      return [answer.status, answer.body.code];
    };
    expect(await codes({ citizenId: id, expectedGrade: 1, grade: 2 })).toEqual([409, "colleagues.otherGrade"]);
    expect(await codes({ citizenId: id, expectedGrade: null, grade: 1 })).toEqual([409, "colleagues.worksAlready"]);
    expect(await codes({ citizenId: id, expectedGrade: 0, grade: 3 })).toEqual([403, "colleagues.gradeTooHigh"]);
    expect(await codes({ citizenId: chief.characterId, expectedGrade: 3, grade: 0 })).toEqual([403, "colleagues.moveOfSelf"]);
    expect(await codes({ citizenId: outsider, expectedGrade: 0, grade: 1 })).toEqual([404, "colleagues.notFound"]);
    expect(await codes({ citizenId: 99_999_999, expectedGrade: null, grade: 0 })).toEqual([404, "colleagues.citizenUnknown"]);
    expect(await codes({ citizenId: id, expectedGrade: 0, grade: 0 })).toEqual([400, "system.invalidInput"]);
    expect((await ask(chief, { citizenId: outsider, expectedGrade: null, grade: 0 })).output.kind).toBe("hire");
    const hirer = await world.actor({ job, grade: 2, rights: { "colleagues.list": {}, "colleagues.hire": {} } });
    expect(await codes({ citizenId: id, expectedGrade: 0, grade: 1 }, hirer)).toEqual([403, "colleagues.moveHidden"]);
    // Who may not find citizens learns neither the name of one nor that there is one.
    for (const citizenId of [outsider, 99_999_999]) {
      const blind = await ask(hirer, { citizenId, expectedGrade: null, grade: 0 });
      expect([blind.status, blind.body.code, blind.body.params?.["permission"]]).toEqual([
        403,
        "colleagues.moveHidden",
        "citizens.list",
      ]);
    }
    // Others do not see whom somebody asked about.
    expect((await moves(hirer, outsider)).items).toEqual([]);
  });

  test("of one person that two ask for at once are one", async () => {
    const { world } = get();
    const { job, id } = await team();
    const leaders = await Promise.all([1, 2, 3].map(async () => await world.actor({ job, grade: 3 })));
    const answers = await Promise.all(leaders.map(async (one) => await ask(one, { citizenId: id, expectedGrade: 0, grade: 1 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test("are off unless the operator turns them on", async () => {
    const { chief, id } = await team();
    await turn(false);
    const refused = await ask(chief, { citizenId: id, expectedGrade: 0, grade: 1 });
    expect([refused.status, refused.body.code]).toEqual([409, "colleagues.movesOff"]);
    expect((await moves(chief, id)).on).toBe(false);
  });
});
