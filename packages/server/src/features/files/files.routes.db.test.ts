import { randomBytes } from "node:crypto";
import { readdirSync, utimesSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "#features/audit/audit.contract.ts";
import { getAvatar, getCitizen, listCitizens, putAvatar } from "#features/citizens/citizens.contract.ts";
import { getProperties, listJobs, putLogo } from "#features/jobs/jobs.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { pngBomb } from "#testkit/pictures.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { deleteFile, filesUsage, listFiles, type UploadedFile, uploadLimits } from "./files.contract.ts";

const day = 24 * 60 * 60_000;
let picture: Buffer;
let large: Buffer;
let bomb: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 600, height: 300, channels: 3, background: "#2563eb" } })
    .png()
    .toBuffer();
  bomb = await pngBomb(20_000, 20_000);
  large = Buffer.concat([picture, randomBytes(2 * 1024 * 1024)]);
});

describeApps("files", (get) => {
  const admin = async () => ({ cookie: (await get().world.actor({ groups: ["admin"] })).cookie });
  const upload = async (who: TestActor, body: Uint8Array, to = `citizens.avatar/${who.characterId}`, name = "me.png") =>
    await get().app.request("POST", `/api/files/${to}?name=${encodeURIComponent(name)}`, {
      body,
      token: who.token,
      headers: { "content-type": "application/octet-stream" },
    });
  const view = async (url: string, cookie: string, headers: Record<string, string> = {}) =>
    await get().app.request("GET", url, { cookie, headers });
  const setAvatar = async (who: TestActor, file: number | null) =>
    await get().app.call(putAvatar, { body: { file } }, { token: who.token });
  const run = async (scheduleId: string) => {
    const handler = get().app.process.assembly.schedules.find((one) => one.schedule.id === scheduleId);
    await handler?.run({}, new AbortController().signal);
  };
  const root = () => get().app.process.container.ports.config.storage.filesystem.path;
  const stored = () =>
    readdirSync(root(), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => path.join(one.parentPath, one.name));
  const sql = async (statement: string, values: readonly (string | number)[] = []) =>
    await get().app.process.container.db.exclusive(
      "test.sql",
      async ({ connection }) => await connection.execute(statement, values),
    );

  test("are stored with the type of their bytes, encoded again, and served only to the own session", async () => {
    const { world } = get();
    const [mara, other] = [await world.actor(), await world.actor()];
    const { status, body } = await upload(mara, picture, undefined, "../Bild \u202e1.jpg");
    const file = body as UploadedFile;
    expect([status, file.name, file.type, file.width, file.height]).toEqual([200, "Bild 1.jpg", "image/png", 300, 300]);
    const whole = await view(file.url, mara.cookie);
    expect(whole.status).toBe(200);
    expect(whole.headers).toMatchObject({
      "content-type": "image/png",
      "content-length": String(file.size),
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "cache-control": expect.stringMatching(/^private, max-age=\d{5}$/),
    });
    expect((await view(file.thumbnail, mara.cookie)).headers["content-type"]).toBe("image/webp");
    const etag = String(whole.headers["etag"]);
    expect((await view(file.url, mara.cookie, { "if-none-match": etag })).status).toBe(304);
    expect((await view(file.url, mara.cookie, { range: "bytes=0-7" })).headers["content-range"]).toBe(`bytes 0-7/${file.size}`);
    expect((await get().app.request("HEAD", file.url, { cookie: mara.cookie })).headers["content-length"]).toBe(
      String(file.size),
    );

    expect((await view(file.url, other.cookie)).status).toBe(404);
    expect((await get().app.request("GET", file.url)).status).toBe(401);
    for (const forged of [
      file.url.replace(`/${file.id}/`, `/${file.id + 1}/`),
      file.url.replace("/whole", "/thumbnail"),
      file.url.replace(/until=\d+/, `until=${Date.now() + 9 * day}`),
      file.url.replace(/mark=.*/, `mark=${"A".repeat(22)}`),
    ])
      expect((await view(forged, mara.cookie)).status, forged).toBe(404);
  });

  test("of a wrong type or content are refused, and nothing is stored", async () => {
    const { world } = get();
    const mara = await world.actor();
    const files = stored();
    const written = get().writes(["audit_entries", "audit_postings", "audit_suffixes", "audit_words"]);
    const cases: [string, Uint8Array, number, string][] = [
      ["empty", Buffer.alloc(0), 400, "files.empty"],
      ["text", Buffer.from("hello"), 415, "files.typeNotAllowed"],
      ["svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), 415, "files.typeNotAllowed"],
      ["html", Buffer.from("<html><script>alert(1)</script>"), 415, "files.typeNotAllowed"],
      ["half a png", picture.subarray(0, 100), 400, "files.pictureUnreadable"],
      ["a bomb", bomb, 413, "files.pictureTooManyPixels"],
    ];
    for (const [what, bytes, status, code] of cases) {
      const answer = await upload(mara, bytes);
      expect([what, answer.status, answer.body?.code]).toEqual([what, status, code]);
    }
    const foreign = await upload(mara, picture, "citizens.avatar/999999");
    expect([foreign.status, foreign.body.code]).toEqual([403, "citizens.otherCharacter"]);
    expect((await upload(mara, picture, "no.such/1")).body.code).toBe("files.kindUnknown");
    const job = await upload(mara, picture, "jobs.logo/police");
    expect([job.status, job.body.code]).toEqual([403, "jobs.otherJob"]);
    expect(written.tables()).toEqual([]);
    expect(stored()).toEqual(files);
  });

  test("above the limit of the settings are refused while they are received, also right after it changes", async () => {
    const { app, world } = get();
    const [mara, boss] = [await world.actor(), await admin()];
    const cap = async (maxUploadMegabytes: number) => {
      const { version, settings } = (await app.call(getSettings, {}, boss)).output;
      await app.call(putSettings, { body: { version, settings: { ...settings, files: { maxUploadMegabytes } } } }, boss);
    };
    expect((await upload(mara, large)).status).toBe(200);
    await cap(1);
    const limits = await app.call(uploadLimits, { params: { kind: "citizens.avatar" } }, { token: mara.token });
    expect(limits.output.maxBytes).toBe(1024 * 1024);
    const refused = await upload(mara, large);
    expect([refused.status, refused.body.code, refused.body.params.limit]).toEqual([413, "files.tooLarge", 1]);
    await cap(25);
    expect((await upload(mara, large)).status).toBe(200);
  });

  test("of characters are shown with the citizen; replacing and removing them is audited", async () => {
    const { app, world } = get();
    const mara = await world.actor({ rights: { "citizens.list": true, "citizens.view": true, "audit.view": true } });
    const rights = { token: mara.token };
    const [one, two] = [(await upload(mara, picture)).body as UploadedFile, (await upload(mara, picture)).body as UploadedFile];
    expect((await app.call(getAvatar, {}, rights)).output.avatar).toBeNull();
    expect((await setAvatar(mara, one.id)).output.avatar?.id).toBe(one.id);
    const shown = async () => {
      const params = { id: mara.characterId };
      const single = (await app.call(getCitizen, { params }, rights)).output.avatar?.id ?? null;
      const query = { q: `CIT-${mara.characterId}` };
      const listed = (await app.call(listCitizens, { query }, rights)).output.items[0]?.avatar?.id ?? null;
      return [single, listed, (await app.call(getAvatar, {}, rights)).output.avatar?.id ?? null];
    };
    expect(await shown()).toEqual([one.id, one.id, one.id]);
    await setAvatar(mara, two.id);
    expect(await shown()).toEqual([two.id, two.id, two.id]);
    await setAvatar(mara, null);
    expect(await shown()).toEqual([null, null, null]);
    const { items } = (await app.call(listAudit, { query: { action: "citizens.putAvatar" } }, rights)).output;
    expect(items).toHaveLength(3);
    const other = await world.actor();
    expect((await setAvatar(other, one.id)).body.code).toBe("files.notFound");
  });

  test("of jobs require the right to the job's properties", async () => {
    const { app, world } = get();
    await world.job("guard");
    const [chief, cadet] = [
      await world.actor({ job: "guard", grade: 3, rights: { "jobs.properties": true } }),
      await world.actor({ job: "guard", grade: 0 }),
    ];
    expect((await upload(cadet, picture, "jobs.logo/guard")).body.code).toBe("system.permissionMissing");
    const { body } = await upload(chief, picture, "jobs.logo/guard");
    const put = async (file: number | null) =>
      await app.call(putLogo, { params: { job: "guard" }, body: { file } }, { token: chief.token });
    expect((await put(body.id)).output.logo?.id).toBe(body.id);
    const { jobs } = (await app.call(listJobs, {}, { token: cadet.token })).output;
    const logo = jobs.find(({ name }) => name === "guard")?.logo;
    expect((await view(logo?.url ?? "", cadet.cookie)).status).toBe(200);
    const properties = await app.call(getProperties, { params: { job: "guard" } }, { token: cadet.token });
    expect(properties.output.logo?.id).toBe(body.id);
    await put(null);
    expect((await app.call(getProperties, { params: { job: "guard" } }, { token: cadet.token })).output.logo).toBeNull();
  });

  test("are listed, opened and deleted by config admins, which removes them from their owner", async () => {
    const { app, world } = get();
    const [mara, boss] = [await world.actor(), await admin()];
    const { body } = await upload(mara, picture, undefined, "Urlaubsfoto.png");
    await setAvatar(mara, body.id);
    const find = async () => (await app.call(listFiles, { query: { q: "urlaub", namespace: "avatars" } }, boss)).output.items;
    const [row] = await find();
    expect(row).toMatchObject({
      id: body.id,
      name: "Urlaubsfoto.png",
      namespace: "avatars",
      uploader: expect.stringContaining(mara.username),
      goesAt: null,
      references: [{ kind: "citizens.avatar", owner: String(mara.characterId), label: expect.stringMatching(/^Act Or/) }],
    });
    expect((await view(row?.url ?? "", boss.cookie)).status).toBe(200);
    const { namespaces } = (await app.call(filesUsage, {}, boss)).output;
    expect(namespaces.find(({ namespace }) => namespace === "avatars")?.bytes).toBeGreaterThan(0);
    const remove = async () => await app.call(deleteFile, { params: { id: body.id }, body: { reason: "Not his picture" } }, boss);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect([(await view(body.url, mara.cookie)).status, await find()]).toEqual([404, []]);
    expect((await app.call(getAvatar, {}, { token: mara.token })).output.avatar).toBeNull();
    const objects = stored();
    await run("files.clean");
    expect(stored().length).toBe(objects.length - 2);
  });

  test("are listed page by page, the newest first", async () => {
    const { app, world } = get();
    const [mara, boss] = [await world.actor(), await admin()];
    const made: number[] = [];
    for (let i = 0; i < 3; i += 1) made.unshift((await upload(mara, picture, undefined, `Seitenzahl ${i}.png`)).body.id);
    const seen: number[] = [];
    for (let cursor: string | undefined; ;) {
      const query = { limit: 2, q: "seitenzahl", ...(cursor === undefined ? {} : { cursor }) };
      const { items, next, total } = (await app.call(listFiles, { query }, boss)).output;
      seen.push(...items.map(({ id }) => id));
      expect(total).toBe(3);
      if (next === null) break;
      cursor = next;
    }
    expect(seen).toEqual(made);
  });

  test("are listed by name and by size", async () => {
    const { app, world } = get();
    const [mara, boss] = [await world.actor(), await admin()];
    for (const name of ["Reihenfolge b.png", "reihenfolge A.png", "Reihenfolge c.png"])
      await upload(mara, picture, undefined, name);
    const list = async (order: "name" | "-name" | "size" | "-size") => {
      const { items } = (await app.call(listFiles, { query: { q: "reihenfolge", order } }, boss)).output;
      return items.filter(({ name }) => /reihenfolge/i.test(name));
    };
    expect((await list("name")).map(({ name }) => name.slice(12, 13))).toEqual(["A", "b", "c"]);
    expect((await list("-name")).map(({ name }) => name.slice(12, 13))).toEqual(["c", "b", "A"]);
    const sizes = (await app.call(listFiles, { query: { order: "-size" } }, boss)).output.items.map(({ size }) => size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBeGreaterThan(1);
  });

  test("that are orphaned are deleted after a day and not before; those with a reference stay", async () => {
    const { world } = get();
    const mara = await world.actor();
    const ids: number[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await upload(mara, picture)).body.id as number);
    const [kept, orphan, fresh, replaced] = ids as [number, number, number, number];
    await setAvatar(mara, replaced);
    await setAvatar(mara, kept);
    const rows = async () => {
      const { rows: found } = await sql(`select id from files where id in (${ids.join(",")}) order by id`);
      return found.map((row) => Number(row["id"]));
    };
    await run("files.clean");
    expect(await rows()).toEqual(ids);
    const old = Date.now() - day - 60_000;
    await sql(`update files set loose_since = ? where id in (${kept}, ${orphan}, ${replaced})`, [old]);
    await run("files.clean");
    expect(await rows()).toEqual([kept, fresh]);
    expect((await view((await setAvatar(mara, kept)).output.avatar?.url ?? "", mara.cookie)).status).toBe(200);
  });

  test("without a row are swept a day later; those with a row stay", async () => {
    const { app, world } = get();
    const mara = await world.actor();
    const { body } = await upload(mara, picture);
    const { storage } = app.process.container.ports;
    async function* bytes() {
      yield Buffer.from("left behind");
    }
    const [old, fresh] = ["avatars/202601/01KDWV00000000000000000001", "avatars/202601/01KDWV00000000000000000002"];
    await storage.put(old, bytes());
    await storage.put(fresh, bytes());
    const yesterday = new Date(Date.now() - day - 60_000);
    for (const file of stored().filter((one) => !one.endsWith(fresh))) utimesSync(file, yesterday, yesterday);
    await run("files.sweep");
    expect([await storage.stat(old), (await storage.stat(fresh))?.size]).toEqual([null, 11]);
    expect((await view(body.url, mara.cookie)).status).toBe(200);
    expect((await view(body.thumbnail, mara.cookie)).status).toBe(200);
  });

  test("are measured from their rows", async () => {
    const { app, world } = get();
    await upload(await world.actor(), picture);
    await run("files.measure");
    const text = await app.process.container.metrics.expose();
    expect(text).toMatch(/^rollcall_storage_files\{namespace="avatars"\} [1-9]/m);
    expect(text).toMatch(/^rollcall_storage_bytes\{namespace="avatars"\} [1-9]/m);
  });

  test("whose object is missing are answered with 404, which browsers do not cache", async () => {
    const { app, world } = get();
    const mara = await world.actor();
    const { body } = await upload(mara, picture);
    const { rows } = await sql(`select object_key from files where id = ?`, [body.id]);
    await app.process.container.ports.storage.remove(String(rows[0]?.["object_key"]));
    const answer = await view(body.url, mara.cookie);
    expect([answer.status, answer.body.code, answer.headers["etag"]]).toEqual([404, "files.notFound", undefined]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});
