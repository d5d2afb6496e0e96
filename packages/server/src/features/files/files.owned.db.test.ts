import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { defineFileKind } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import { putAvatar } from "#features/citizens/citizens.contract.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { filesApi, type OwnedFiles } from "./files.api.ts";
import { deleteFile, fileAddresses, filesErrors, pictureTypes, type UploadedFile } from "./files.contract.ts";

/** Objects of a kind of the test: who may see and who may change each of them, by account. */
class Sheets {
  readonly viewers = new Map<string, ReadonlySet<number>>();
  readonly editors = new Map<string, ReadonlySet<number>>();
  readonly creators = new Set<number>();
  readonly lost: string[] = [];

  register({ app }: AppUnderTest, kind: string, copies: boolean, most = 3): OwnedFiles {
    return app.process.assembly.api(filesApi).register({
      kind: defineFileKind(kind, { owner: "the name of the sheet" }),
      namespace: "sheets",
      types: pictureTypes,
      maxBytes: 1024 * 1024,
      picture: { maxEdge: 64, square: false },
      most,
      copies,
      mayUpload: async (_tx, { accountId }, owner) => {
        const may = owner === null ? this.creators : this.editors.get(owner);
        if (may?.has(accountId) !== true) throw new AppError(filesErrors.kindUnknown, { params: { kind } });
      },
      mayView: async (_tx, { accountId }, owners) => {
        return new Set(owners.filter((owner) => this.viewers.get(owner)?.has(accountId)));
      },
      labels: async (_tx, owners) => new Map(owners.map((owner) => [owner, `Sheet ${owner}`])),
      lost: async (_tx, owner) => void this.lost.push(owner),
    });
  }
}

let picture: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: "#2563eb" } })
    .png()
    .toBuffer();
});

describeApps("files of objects", (get) => {
  let counter = 0;
  /** Two kinds of objects, of which the files of the first may be copied, and three accounts. */
  async function start() {
    counter += 1;
    const sheets = new Sheets();
    const [kind, other] = [`trial.sheet${counter}`, `trial.card${counter}`];
    const [files, cards] = [sheets.register(get(), kind, true), sheets.register(get(), other, false)];
    const { world } = get();
    const actors = [await world.actor(), await world.actor(), await world.actor()] as const;
    const [author, coAuthor, outsider] = [await viewerOf(actors[0]), await viewerOf(actors[1]), await viewerOf(actors[2])];
    return { sheets, kind, other, files, cards, actors, author, coAuthor, outsider };
  }
  /** What a use case knows of the caller, as far as files are concerned. */
  async function viewerOf({ username, characterId }: TestActor): Promise<Viewer> {
    const { rows } = await sql("select id from accounts where username = ?", [username]);
    return { accountId: Number(rows[0]?.["id"]), username, characterId, sessionId: "test" } as Viewer;
  }
  const sql = async (statement: string, values: readonly (string | number)[] = []) =>
    await get().app.process.container.db.exclusive(
      "test.sql",
      async ({ connection }) => await connection.execute(statement, values),
    );
  const post = async (who: TestActor, path: string) => {
    const headers = { "content-type": "application/octet-stream" };
    return await get().app.request("POST", `/api/files/${path}?name=a.png`, { body: picture, token: who.token, headers });
  };
  const uploaded = async (who: TestActor, path: string) => {
    const { status, body, text } = await post(who, path);
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
    return (body as UploadedFile).id;
  };
  const write = async <T>(work: (tx: Tx) => Promise<T>) => await get().app.process.container.db.write("test.files", work);
  const attach = async (files: OwnedFiles, viewer: Viewer, owner: string, ids: readonly number[]) =>
    await write(async (tx) => await files.attach(tx, viewer, owner, ids));
  const idsOf = async (files: OwnedFiles, owner: string) =>
    await write(async (tx) => (await files.of(tx, [owner])).get(owner) ?? []);
  const refused = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => "it was not refused",
      (problem: unknown) => problem,
    );
    return error instanceof AppError ? error.definition.code : error;
  };
  const shown = async (who: TestActor, ids: readonly number[]) =>
    (await get().app.call(fileAddresses, { body: { ids: [...ids] } }, { token: who.token })).output.files.map(({ id }) => id);
  const clean = async () => {
    const handler = get().app.process.assembly.schedules.find(({ schedule }) => schedule.id === "files.clean");
    await handler?.run({}, new AbortController().signal);
  };

  test("are attached by whoever may change the object too, and not by anybody else", async () => {
    const { sheets, kind, files, actors, author, coAuthor, outsider } = await start();
    sheets.editors.set("1", new Set([author.accountId, coAuthor.accountId]));
    sheets.viewers.set("1", new Set([author.accountId, coAuthor.accountId, outsider.accountId]));
    const file = await uploaded(actors[0], `${kind}/1`);
    expect(await refused(attach(files, outsider, "1", [file]))).toBe("files.notFound");
    expect(await idsOf(files, "1")).toEqual([]);
    await attach(files, coAuthor, "1", [file]);
    expect(await idsOf(files, "1")).toEqual([file]);
  });

  test("cannot be attached by guessing their ids", async () => {
    const { sheets, kind, other, files, cards, actors, author, coAuthor } = await start();
    sheets.creators.add(author.accountId).add(coAuthor.accountId);
    for (const owner of ["1", "2"]) sheets.editors.set(owner, new Set([author.accountId]));
    sheets.editors.set("mine", new Set([coAuthor.accountId]));
    const [unattached, ofAnother, hidden, ofOtherKind] = [
      await uploaded(actors[0], `new/${kind}`),
      await uploaded(actors[0], `${kind}/1`),
      await uploaded(actors[0], `${kind}/2`),
      await uploaded(actors[0], `${other}/1`),
    ];
    await attach(files, author, "2", [hidden]);
    await attach(cards, author, "1", [ofOtherKind]);
    for (const id of [unattached, ofAnother, hidden, ofOtherKind, 999_999_999])
      expect(await refused(attach(files, coAuthor, "mine", [id])), String(id)).toBe("files.notFound");
    const own = await uploaded(actors[1], `new/${kind}`);
    expect(await refused(attach(files, coAuthor, "mine", [own, hidden])), "all of them or none").toBe("files.notFound");
    expect(await idsOf(files, "mine")).toEqual([]);
  });

  test("of an object that the viewer sees are attached to another one, if the kind copies", async () => {
    const { sheets, kind, other, files, cards, actors, author, coAuthor } = await start();
    sheets.editors.set("1", new Set([author.accountId]));
    sheets.viewers.set("1", new Set([coAuthor.accountId]));
    sheets.editors.set("2", new Set([coAuthor.accountId]));
    const [file, card] = [await uploaded(actors[0], `${kind}/1`), await uploaded(actors[0], `${other}/1`)];
    await attach(files, author, "1", [file]);
    await attach(cards, author, "1", [card]);
    await attach(files, coAuthor, "2", [file]);
    expect(await idsOf(files, "2")).toEqual([file]);
    expect(await refused(attach(cards, coAuthor, "2", [card]))).toBe("files.notFound");
  });

  test("are uploaded before their object exists, by those who may create it, and belong to it once they are attached", async () => {
    const { sheets, kind, files, actors, author, coAuthor, outsider } = await start();
    sheets.creators.add(author.accountId);
    const no = await post(actors[2], `new/${kind}`);
    expect([no.status, no.body.code]).toEqual([404, "files.kindUnknown"]);
    const file = await uploaded(actors[0], `new/${kind}`);
    expect([await shown(actors[0], [file]), await shown(actors[1], [file])]).toEqual([[file], []]);
    expect(await refused(attach(files, outsider, "7", [file]))).toBe("files.notFound");
    await attach(files, author, "7", [file]);
    expect(await idsOf(files, "7")).toEqual([file]);
    sheets.editors.set("8", new Set([author.accountId]));
    expect(await refused(attach(files, author, "8", [file])), "it has its owner now").toBe("files.notFound");
    sheets.editors.set("7", new Set([coAuthor.accountId]));
    await write(async (tx) => await files.release(tx, ["7"]));
    await attach(files, coAuthor, "7", [file]);
    expect(await idsOf(files, "7")).toEqual([file]);
  });

  test("that were uploaded for an object that was never created are deleted after a day", async () => {
    const { sheets, kind, actors, author } = await start();
    sheets.creators.add(author.accountId);
    const [old, fresh] = [await uploaded(actors[0], `new/${kind}`), await uploaded(actors[0], `new/${kind}`)];
    await sql("update files set loose_since = ? where id = ?", [Date.now() - 25 * 60 * 60_000, old]);
    await clean();
    expect(await shown(actors[0], [old, fresh])).toEqual([fresh]);
  });

  test("of pictures need an owner that exists", async () => {
    const { actors } = await start();
    const { status, body } = await post(actors[0], "new/citizens.avatar");
    expect([status, body.code]).toEqual([400, "files.ownerMissing"]);
  });

  test("are copied with their ids, up to the limit, and stay when the original goes", async () => {
    const { sheets, kind, files, actors, author, coAuthor, outsider } = await start();
    for (const owner of ["template", "full"]) sheets.editors.set(owner, new Set([author.accountId]));
    sheets.viewers.set("template", new Set([coAuthor.accountId]));
    const ids = [await uploaded(actors[0], `${kind}/template`), await uploaded(actors[0], `${kind}/template`)] as const;
    await attach(files, author, "template", ids);
    const copy = async (viewer: Viewer, to: string, some?: readonly number[]) =>
      await write(async (tx) => await files.copy(tx, viewer, "template", to, some));
    expect(await refused(copy(outsider, "stolen"))).toBe("files.notFound");
    expect(await refused(copy(coAuthor, "new", [ids[0], 999_999_999]))).toBe("files.notFound");
    expect(await copy(coAuthor, "new")).toEqual(ids);
    expect(await copy(coAuthor, "part", [ids[1]])).toEqual([ids[1]]);
    await attach(files, author, "full", [await uploaded(actors[0], `${kind}/full`), await uploaded(actors[0], `${kind}/full`)]);
    expect(await refused(copy(coAuthor, "full"))).toBe("files.tooMany");
    await write(async (tx) => await files.release(tx, ["template"]));
    await sql("update files set loose_since = ? where id in (?, ?)", [1, ...ids]);
    await clean();
    sheets.viewers.set("new", new Set([coAuthor.accountId]));
    expect(await shown(actors[1], ids)).toEqual(ids.toReversed());
  });

  test("that an admin deletes are removed from every object", async () => {
    const { sheets, kind, files, actors, author } = await start();
    sheets.editors.set("1", new Set([author.accountId]));
    sheets.viewers.set("1", new Set([author.accountId]));
    const file = await uploaded(actors[0], `${kind}/1`);
    await attach(files, author, "1", [file]);
    await write(async (tx) => await files.copy(tx, author, "1", "2"));
    const { cookie } = await get().world.actor({ groups: ["admin"] });
    await get().app.call(deleteFile, { params: { id: file }, body: { reason: "a test" } }, { cookie });
    expect([await idsOf(files, "1"), await idsOf(files, "2"), sheets.lost.toSorted()]).toEqual([[], [], ["1", "2"]]);
    expect(await refused(attach(files, author, "1", [file]))).toBe("files.notFound");
  });

  test("have addresses for viewers of one of their objects; the others are left out, in as many statements", async () => {
    const { sheets, kind, other, files, cards, actors, author, coAuthor } = await start();
    const rights = await get().world.actor({ rights: { "citizens.list": true } });
    for (const owner of ["1", "2"]) sheets.editors.set(owner, new Set([author.accountId]));
    sheets.viewers.set("1", new Set([coAuthor.accountId]));
    const [visible, hidden, card] = [
      await uploaded(actors[0], `${kind}/1`),
      await uploaded(actors[0], `${kind}/2`),
      await uploaded(actors[0], `${other}/1`),
    ];
    await attach(files, author, "1", [visible]);
    await attach(files, author, "2", [hidden]);
    await attach(cards, author, "1", [card]);
    const avatar = await uploaded(actors[0], `citizens.avatar/${actors[0].characterId}`);
    await get().app.call(putAvatar, { body: { file: avatar } }, { token: actors[0].token });
    const statements: string[] = [];
    get().app.process.container.db.observe(({ unit, sql: text }) => {
      if (unit === "files.addresses") statements.push(text);
    });
    const many = Array.from({ length: 196 }, (_one, index) => 500_000_000 + index);
    expect(await shown(actors[1], [visible])).toEqual([visible]);
    const few = statements.splice(0).length;
    expect(await shown(actors[1], [visible, hidden, card, avatar, ...many])).toEqual([card, visible].toSorted((a, b) => b - a));
    // One kind more, whose viewers are asked for with one statement at most.
    expect(statements.splice(0).length).toBeLessThanOrEqual(few + 1);
    expect(await shown(rights, [visible, hidden, card, avatar])).toEqual([avatar]);
    const { files: answered } = (await get().app.call(fileAddresses, { body: { ids: [visible] } }, { token: actors[1].token }))
      .output;
    expect(answered[0]).toMatchObject({ id: visible, name: "a.png", type: "image/png", width: 40, height: 20 });
    const opened = await get().app.request("GET", answered[0]?.url ?? "", { cookie: actors[1].cookie });
    expect(opened.status).toBe(200);
  });
});
