import sharp from "sharp";
import { expect, test } from "vitest";
import { citizenFields, getCitizen } from "#features/citizens/citizens.contract.ts";
import { syncLicences, syncLicencesDelete } from "#features/licences/licences.contract.ts";
import { syncManifest, syncStatus } from "#features/sync/sync.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { getProperties, listJobs, putLogo, putProperties, syncJobs, syncJobsDelete } from "./jobs.contract.ts";

const sync = { token: testSecrets.sync };
const day = 86_400_000;

describeApps("jobs and licence types that the game removed", (get) => {
  const rows = async (statement: string) =>
    (
      await get().app.process.container.db.exclusive(
        "test.rows",
        async ({ connection }) => await connection.execute(statement, []),
      )
    ).rows;
  const removeJobs = async (...names: string[]) =>
    (await get().app.call(syncJobsDelete, { body: { names } }, sync)).body as object;
  const removeLicences = async (...types: string[]) =>
    (await get().app.call(syncLicencesDelete, { body: { types } }, sync)).body as object;
  const counts = async () => {
    const { kinds } = (await get().app.call(syncStatus, {}, sync)).output;
    return Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
  };
  const listed = async (token: string) => (await get().app.call(listJobs, {}, { token })).output.jobs.map(({ name }) => name);

  test("are stored again after somebody removed only their row by hand, and their grades were left", async () => {
    const { app, world } = get();
    await world.job("torn", [0, 1, 2]);
    await rows("delete from jobs where name = 'torn'");
    const items = [{ name: "torn", label: "TORN", grades: [{ grade: 0, label: "only" }] }];
    expect((await app.call(syncJobs, { body: { items } }, sync)).output).toEqual({ accepted: 1, unchanged: 0, rejected: [] });
    expect(await rows("select grade, label from jobs_grades where job = 'torn'")).toEqual([{ grade: 0, label: "only" }]);
  });

  test("leave the list, keep their labels for citizens who still have them, and are restored when they are sent again", async () => {
    const { app, world } = get();
    await world.job("gone");
    await world.job("stays");
    await app.call(syncLicences, { body: { items: [{ type: "gone", label: "Gone" }] } }, sync);
    const id = await world.citizen({ identifier: "gone:1", jobs: [{ name: "gone", grade: 1 }], licences: ["gone"] });
    const rights = { "citizens.list": { fields: [...citizenFields] }, "citizens.view": true, "jobs.properties": true } as const;
    const member = await world.actor({ job: "gone", rights });
    const { token } = member;
    const properties = { colour: "#112233", radioFrequency: "1", message: "" };
    await app.call(putProperties, { params: { job: "gone" }, body: { version: 0, properties } }, { token });
    const before = await counts();

    expect(await removeJobs("gone", "never-there")).toEqual({ accepted: 1, unchanged: 1, rejected: [] });
    expect(await removeJobs("gone")).toEqual({ accepted: 0, unchanged: 1, rejected: [] });
    expect(await removeLicences("gone")).toEqual({ accepted: 1, unchanged: 0, rejected: [] });
    expect(await counts()).toMatchObject({ jobs: before["jobs"]! - 1, licences: before["licences"]! - 1 });
    const seen = await listed(token);
    expect([seen.includes("gone"), seen.includes("stays")]).toEqual([false, true]);
    expect((await app.call(getProperties, { params: { job: "gone" } }, { token })).body.code).toBe("jobs.jobUnknown");
    const { body } = await app.call(getCitizen, { params: { id } }, { token });
    expect(body).toMatchObject({
      job: { name: "gone", label: "GONE", gradeLabel: "gone 1" },
      licences: [{ type: "gone", label: "Gone" }],
    });

    await world.job("gone");
    await app.call(syncLicences, { body: { items: [{ type: "gone", label: "Gone" }] } }, sync);
    expect(await counts()).toMatchObject({ jobs: before["jobs"], licences: before["licences"] });
    expect(await listed(token)).toContain("gone");
    const back = await app.call(getProperties, { params: { job: "gone" } }, { token });
    expect(back.output.properties.colour).toBe("#112233");
  });

  test("are removed by a manifest, and more than a tenth only when the count is confirmed", async () => {
    const { app } = get();
    const many = Array.from({ length: 40 }, (_one, i) => `many-${i}`);
    await app.call(syncJobs, { body: { items: many.map((name) => ({ name, label: name, grades: [] })) } }, sync);
    await app.call(syncLicences, { body: { items: many.map((type) => ({ type, label: type })) } }, sync);
    const kinds = [
      ["jobs", "select name as id from jobs where deleted_at is null"],
      ["licences", "select type as id from licences where deleted_at is null"],
    ] as const;
    for (const [kind, live] of kinds) {
      const ids = async () => (await rows(live)).map((row) => String(row["id"]));
      const manifest = async (body: { ids: string[]; confirm?: number }) =>
        await app.call(syncManifest, { params: { kind }, body }, sync);
      const all = await ids();
      const one = await manifest({ ids: [...all.filter((id) => id !== "many-0"), "not-here"] });
      expect(one.body).toEqual({ removed: 1, missingHere: ["not-here"], missingHereTotal: 1 });
      const few = all.slice(-3);
      const refused = await manifest({ ids: few });
      expect([refused.status, refused.body.code, refused.body.params.missing]).toEqual([
        409,
        "sync.manifestTooUncertain",
        all.length - 4,
      ]);
      expect((await ids()).length).toBe(all.length - 1);
      expect((await manifest({ ids: few, confirm: all.length - 4 })).body).toMatchObject({ removed: all.length - 4 });
      expect((await ids()).sort()).toEqual(few.sort());
    }
  });

  test("are purged after a month, with grades, properties and logo, and live jobs keep theirs", async () => {
    const { app, world } = get();
    await world.job("old-gone");
    await world.job("old-live");
    await app.call(syncLicences, { body: { items: [{ type: "old-gone", label: "Old" }] } }, sync);
    const picture = await sharp({ create: { width: 60, height: 30, channels: 3, background: "#2563eb" } })
      .png()
      .toBuffer();
    for (const job of ["old-gone", "old-live"]) {
      const { token } = await world.actor({ job, rights: { "jobs.properties": true } });
      const properties = { colour: null, radioFrequency: "1", message: "" };
      await app.call(putProperties, { params: { job }, body: { version: 0, properties } }, { token });
      const headers = { "content-type": "application/octet-stream" };
      const { body } = await app.request("POST", `/api/files/jobs.logo/${job}?name=logo.png`, { body: picture, token, headers });
      await app.call(putLogo, { params: { job }, body: { file: Number(body.id) } }, { token });
    }
    await removeJobs("old-gone");
    await removeLicences("old-gone");
    const retain = async () => {
      const system = { kind: "system", name: "test" } as const;
      for (const id of ["jobs.purge", "licences.purge"]) await app.process.assembly.retain(id, system);
    };
    const left = async () => [
      (await rows("select name from jobs where name like 'old-%' order by name")).length,
      (await rows("select job from jobs_grades where job like 'old-%'")).length,
      (await rows("select job from jobs_properties where job like 'old-%'")).length,
      (await rows("select type from licences where type like 'old-%'")).length,
      (await rows("select id from files where kind = 'jobs.logo' and owner like 'old-%' and loose_since is null")).length,
    ];
    await retain();
    expect(await left()).toEqual([2, 8, 2, 1, 2]);
    const long = app.process.container.ports.clock.now() - 31 * day;
    for (const table of ["jobs", "licences"]) await rows(`update ${table} set deleted_at = ${long} where deleted_at is not null`);
    const told = async () =>
      (await rows("select id from outbox_events where type = 'jobs.changed' and payload like '%old-gone%'")).length;
    const before = await told();
    await retain();
    expect(await left()).toEqual([1, 4, 1, 0, 1]);
    // Its label is gone, so every process and page has to read the jobs again.
    expect(await told()).toBe(before + 1);
  });
});
