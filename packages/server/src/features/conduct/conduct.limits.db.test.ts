import { expect, test } from "vitest";
import { bulkInsert } from "#core/db/index.ts";
import { describeApps } from "#testkit/suite.ts";
import { listEntries, listOwnEntries, mostDrafts, mostEntries, putRules, releaseEntry } from "./conduct.contract.ts";
import { conductEntries } from "./conduct.schema.ts";
import { addKind, draft, mustDraft, newJob, team } from "./conduct.testkit.ts";

describeApps("the limits of the conduct register", (get) => {
  interface Many {
    readonly job: string;
    readonly citizenId: number;
    readonly authorId: number;
    readonly kindId: number;
    readonly state: "draft" | "released";
  }

  async function add(count: number, { job, citizenId, authorId, kindId, state }: Many): Promise<void> {
    const { db, ports } = get().app.process.container;
    const now = ports.clock.now();
    const row = {
      job,
      citizen_id: citizenId,
      citizen_grade: 1,
      author_id: authorId,
      kind_id: kindId,
      tone: "negative",
      points: 1,
      wants_ack: 0 as const,
      body: "x",
      state,
      version: 1,
      created_at: now,
      updated_at: now,
      expires_on: null,
      expires_at: null,
      released_at: state === "draft" ? null : now,
      over_at: null,
      withdrawn_at: null,
      withdrawn_by: null,
      withdrawn_reason: null,
      acknowledged_at: null,
      replied_at: null,
      reply: null,
      left_at: null,
      deleted_at: null,
      deleted_by: null,
    };
    await db.write(
      "test.fill",
      async (tx) =>
        await bulkInsert(
          tx,
          conductEntries,
          Array.from({ length: count }, () => row),
        ),
    );
  }

  test("hold for drafts of one author and for entries about one person, also for two that are written at once", async () => {
    const { world } = get();
    const { job, member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const about = await world.citizen({ identifier: newJob("about"), jobs: [{ name: job, grade: 0 }] });
    const many = { job, authorId: leader.characterId, kindId };
    await add(mostDrafts - 1, { ...many, citizenId: about, state: "draft" });
    const write = async (citizenId: number) => await draft(get(), leader, citizenId, { kindId });
    const both = await Promise.all([write(about), write(member.characterId)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await write(about)).body).toMatchObject({ code: "conduct.draftsFull", params: { most: mostDrafts } });
    await add(mostEntries, { ...many, citizenId: member.characterId, state: "released" });
    const answer = await draft(get(), chief, member.characterId, { kindId });
    expect(answer.body).toMatchObject({ code: "conduct.entriesFull", params: { most: mostEntries } });
  });

  test("leave lists at the same number of statements, however many entries there are", async () => {
    const { app } = get();
    const { job, member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const counts = new Map<string, number>();
    app.process.container.db.observe(({ unit }) => void counts.set(unit, (counts.get(unit) ?? 0) + 1));
    const count = async () => {
      counts.clear();
      expect((await app.call(listEntries, { query: { limit: 100 } }, { token: chief.token })).status).toBe(200);
      const { output } = await app.call(listOwnEntries, { query: { limit: 100 } }, { token: member.token });
      return { rows: output.items.length, list: counts.get("conduct.list"), own: counts.get("conduct.own") };
    };
    const many = { job, citizenId: member.characterId, authorId: leader.characterId, kindId, state: "released" } as const;
    await add(1, many);
    const few = await count();
    await add(80, many);
    expect(few).toMatchObject({ rows: 1, list: expect.any(Number), own: expect.any(Number) });
    expect(await count()).toEqual({ ...few, rows: 81 });
  });

  test("notify once, when two releases at once bring somebody to a threshold", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const rules = { version: 0, thresholds: [{ points: 5, notify: "viewers" as const }] };
    await app.call(putRules, { body: rules }, { token: chief.token });
    const entries = await Promise.all([0, 1].map(async () => await mustDraft(get(), leader, member.characterId, { kindId })));
    const sent = async () =>
      await app.process.container.db.exclusive("test.sent", async ({ connection }) => {
        const { rows } = await connection.execute("select params from notifications where kind = ?", ["conduct.threshold"]);
        return rows.filter(({ params }) => String(params).includes(`"points":6`)).length;
      });
    const before = await sent();
    await Promise.all(
      entries.map(
        async ({ id }) => await app.call(releaseEntry, { params: { id }, body: { version: 1 } }, { token: leader.token }),
      ),
    );
    expect((await sent()) - before).toBe(1);
  });
});
