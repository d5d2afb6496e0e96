import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { putAvatar } from "#features/citizens/citizens.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { megabyte, mostUnusedBytes, mostUnusedFiles } from "./files.policy.ts";

let picture: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 60, height: 30, channels: 3, background: "#2563eb" } })
    .png()
    .toBuffer();
});

describeApps("uploads that nothing uses yet", (get) => {
  const sql = async (statement: string, values: readonly (string | number)[] = []) =>
    (
      await get().app.process.container.db.exclusive(
        "test.sql",
        async ({ connection }) => await connection.execute(statement, values),
      )
    ).rows;
  const upload = async (who: TestActor) =>
    await get().app.request("POST", `/api/files/citizens.avatar/${who.characterId}?name=me.png`, {
      body: picture,
      token: who.token,
      headers: { "content-type": "application/octet-stream" },
    });
  const accountOf = async ({ username }: TestActor) =>
    Number((await sql("select id from accounts where username = ?", [username]))[0]?.["id"]);
  let counter = 0;
  /** As if the account had uploaded them before. */
  const insert = async (account: number, files: number, size = 1) => {
    const columns =
      "kind, namespace, object_key, owner, name, type, size, thumbnail_size, sha256, account_id, uploader, created_at, loose_since";
    for (let i = 0; i < files; i += 1) {
      const values = ["citizens.avatar", "avatars", `avatars/202611/budget${(counter += 1)}`, "1", "a.png", "image/png", size];
      const rest = [0, "00", account, "somebody", Date.now(), Date.now()];
      await sql(`insert into files (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [...values, ...rest]);
    }
  };
  const objects = async () => {
    const { storage } = get().app.process.container.ports;
    let found = 0;
    for await (const month of storage.entries("avatars/"))
      for await (const { object } of storage.entries(`avatars/${month.name}`)) if (object) found += 1;
    return found;
  };
  const refused = {
    status: 409,
    body: { code: "files.tooManyUnused", params: { files: mostUnusedFiles, megabytes: mostUnusedBytes / megabyte } },
  };

  test("are refused above a number of files, for this account alone, until one is used", async () => {
    const { app, world, count } = get();
    const [mara, other] = [await world.actor(), await world.actor()];
    const account = await accountOf(mara);
    await insert(account, mostUnusedFiles - 1);
    const last = await upload(mara);
    expect(last.status).toBe(200);
    const before = [await count("files"), await objects(), await count("audit_entries")];
    expect(await upload(mara)).toMatchObject(refused);
    expect([await count("files"), await objects(), await count("audit_entries")]).toEqual(before);
    expect((await upload(other)).status).toBe(200);
    expect((await app.call(putAvatar, { body: { file: last.body.id } }, { token: mara.token })).status).toBe(200);
    expect((await upload(mara)).status).toBe(200);
    expect(await upload(mara)).toMatchObject(refused);
    await sql("update files set deleted_at = ? where account_id = ? and loose_since is not null", [1, account]);
    expect((await upload(mara)).status).toBe(200);
  });

  test("are refused above a number of bytes", async () => {
    const mara = await get().world.actor();
    await insert(await accountOf(mara), 1, mostUnusedBytes - megabyte);
    expect((await upload(mara)).status).toBe(200);
    await insert(await accountOf(mara), 1, megabyte);
    expect(await upload(mara)).toMatchObject(refused);
  });

  test("that arrive at once do not exceed the limit together", async () => {
    const mara = await get().world.actor();
    await insert(await accountOf(mara), mostUnusedFiles - 2);
    const answers = await Promise.all([upload(mara), upload(mara), upload(mara), upload(mara)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  });
});
