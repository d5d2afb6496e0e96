import { expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { queries } from "#core/db/index.ts";
import { systemClock } from "#infra/clock.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator } from "#infra/db/migrations/migrator.ts";
import { describeDatabases } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import type { NoticeTables } from "../notices/notices.schema.ts";
import type { AccessEntry } from "./accesslists.contract.ts";
import type { AccesslistTables } from "./accesslists.schema.ts";
import { AccesslistsService } from "./accesslists.service.ts";

const levels = ["view", "edit"] as const;
const rights = { has: () => false, attribute: () => undefined } as unknown as Viewer["rights"];
const viewer = { characterId: 1, job: "police", grade: 3, jobAdmin: null, rights } as Viewer;
const rules = { creatorId: 1, creatorJob: "police", public: false };
const jobEntry = (minGrade: number, level: string): AccessEntry => ({
  subject: "job",
  job: "police",
  minGrade,
  id: 0,
  level,
  required: null,
});
const numbered = (subject: AccessEntry["subject"], id: number, level = "view"): AccessEntry => ({
  subject,
  job: "",
  minGrade: 0,
  id,
  level,
  required: null,
});

describeDatabases("grants", (get) => {
  function serviceOf() {
    const grades = Array.from({ length: 30 }, (_, grade) => ({ grade, label: `Grade ${grade}` }));
    const jobs = { job: async (_tx: unknown, name: string) => ({ name, label: name, grades }) };
    return new AccesslistsService({ db: get().db, jobs: jobs as never, citizens: {} as never });
  }
  const listsOf = (service: AccesslistsService) =>
    service.register({ kind: "samples", levels, rules: async () => await Promise.resolve(rules) });
  const stored = async () =>
    await get().db.read("test.grants", async (tx) => {
      const rows = await queries<AccesslistTables>(tx)
        .selectFrom("accesslists_grants")
        .select(["object_id", "principal", "level"])
        .orderBy("object_id")
        .orderBy("principal")
        .execute();
      return rows.map(({ object_id, principal, level }) => `${object_id} ${principal} ${level}`);
    });

  test("of a list with twenty entries are written only where they change", async () => {
    const { db, statements } = get();
    const lists = listsOf(serviceOf());
    const entries = Array.from({ length: 20 }, (_, grade) => jobEntry(grade, "view"));
    const save = async (list: readonly AccessEntry[], isPublic = false) => {
      const before = statements.events.length;
      await db.write("test.save", async (tx) => void (await lists.save(tx, viewer, 1, list, { ...rules, public: isPublic })));
      const written = statements.events.slice(before).filter(({ sql }) => !sql.startsWith("select"));
      return written.map(({ sql, rows }) => `${sql.split(" ", 1)[0]} ${/accesslists_\w+/.exec(sql)?.[0]} ${rows}`);
    };
    await save(entries);
    expect((await stored()).length).toBe(21);
    expect(await save(entries)).toEqual([]);
    // MariaDB counts a row that an upsert changes twice.
    const one = db.kind === "sqlite" ? 1 : 2;
    const raised = [...entries.slice(0, 19), jobEntry(19, "edit")];
    expect(await save(raised)).toEqual([`insert accesslists_entries ${one}`, `insert accesslists_grants ${one}`]);
    expect(await save(raised.slice(1))).toEqual(["delete accesslists_entries 1", "delete accesslists_grants 1"]);
    expect(await save(raised.slice(1), true)).toEqual(["insert accesslists_grants 1"]);
    expect(await save(raised.slice(1))).toEqual(["delete accesslists_grants 1"]);
    const moved = [...raised.slice(2), jobEntry(25, "blocked")];
    expect(await save(moved)).toEqual([
      "delete accesslists_entries 1",
      "insert accesslists_entries 1",
      "insert accesslists_grades 1",
      "delete accesslists_grants 1",
      "insert accesslists_grants 1",
    ]);
    await db.write("test.remove", async (tx) => await lists.remove(tx, [1]));
    expect(await stored()).toEqual([]);
  });

  test("name groups and qualifications once their feature has registered them", async () => {
    const { db } = get();
    const service = serviceOf();
    const lists = listsOf(service);
    const save = async (...entries: AccessEntry[]) =>
      await db.write("test.save", async (tx) => await lists.save(tx, viewer, 1, entries, rules));
    await expect(save(numbered("group", 5))).rejects.toMatchObject({ definition: { code: "accesslists.groupsMissing" } });
    await expect(save(numbered("qualification", 7))).rejects.toMatchObject({
      definition: { code: "accesslists.qualificationsMissing" },
    });
    const kind = {
      subject: "group" as const,
      heldBy: () => [5],
      heldByOther: async () => await Promise.resolve([]),
      hiddenOf: async () => await Promise.resolve(new Set<number>()),
      names: async (_tx: unknown, ids: readonly number[]) =>
        await Promise.resolve(new Map(ids.filter((id) => id === 5).map((id) => [id, "Emergency services"]))),
      nameable: async (_tx: unknown, _viewer: unknown, ids: readonly number[]) =>
        await Promise.resolve(new Set(ids.filter((id) => id === 5))),
    };
    service.registerPrincipals(kind);
    expect(() => service.registerPrincipals(kind)).toThrow("registered twice");
    await expect(save(numbered("group", 6))).rejects.toMatchObject({ definition: { code: "accesslists.groupUnknown" } });
    await save(numbered("group", 5, "edit"));
    expect(await stored()).toEqual(["1 creator:1:police 2", "1 group:5 2"]);
    const other = { ...viewer, characterId: 2, job: "press" };
    const decision = await db.read("test.decide", async (tx) => await lists.decide(tx, other, 1, rules));
    expect(decision).toMatchObject({ level: 2, reason: "entry" });
  });

  test("of objects that had a list before are carried over by the migration", async () => {
    const { db } = get();
    const name = "290001010000_accesslists_grants";
    const shipped = await loadMigrations();
    const { up } = shipped.find((one) => one.name.endsWith("_accesslists_grants"))!;
    const notice = { version: 1, title: "t", body: "", creator_name: "", creator_grade: 0, created_at: 1, updated_at: 1 };
    await db.write("test.before", async (tx) => {
      const rows = Array.from({ length: 2_100 }, (_, at) => ({ id: at + 1, ...notice, creator_id: null, creator_job: "x" }));
      const own = { creator_id: 12, creator_job: "po:lice", is_public: 1 as const };
      for (let at = 0; at < rows.length; at += 700)
        await queries<NoticeTables>(tx)
          .insertInto("notices")
          .values(rows.slice(at, at + 700).map((row) => ({ ...row, is_public: 0 as const, ...(row.id === 2_100 ? own : {}) })))
          .execute();
      const none = { object_kind: "notices", job: "", min_grade: 0, subject_id: 0, required_level: 0 };
      await queries<AccesslistTables>(tx)
        .insertInto("accesslists_entries")
        .values([
          { ...none, object_id: 3, subject_kind: "job", job: "po:lice", min_grade: 2, level: 0 },
          { ...none, object_id: 3, subject_kind: "citizen", subject_id: 9, level: 2 },
          { ...none, object_id: 2_100, subject_kind: "job", job: "police", level: 1 },
          { ...none, object_id: 4_000, subject_kind: "job", job: "police", level: 1 },
        ])
        .execute();
    });
    try {
      const migrations = [...shipped, { name, checksum: name, up }];
      await createMigrator({ db, migrations, clock: systemClock, log: silentLog }).migrate();
      expect(await stored()).toEqual([
        "3 citizen:9 2",
        "3 job:po:lice:2 0",
        "2100 creator:12:po:lice 2",
        "2100 job:police:0 1",
        "2100 public 1",
      ]);
    } finally {
      await db.exclusive("test.clean", async ({ connection }) => {
        await connection.execute("delete from schema_migrations where name like '29%'", []);
        await connection.execute("delete from schema_steps where migration like '29%'", []);
      });
    }
  });
});
