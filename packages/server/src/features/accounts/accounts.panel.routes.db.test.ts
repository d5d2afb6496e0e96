import { expect, test } from "vitest";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { cookieOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { characters, login, ownAccount, register } from "#features/auth/auth.contract.ts";
import { accountsApi } from "./accounts.api.ts";
import {
  createAccount,
  deleteAccount,
  getAccount,
  issueAccountToken,
  listAccounts,
  restoreAccount,
  setAccountEnabled,
  setAccountLicence,
  syncAccounts,
} from "./accounts.contract.ts";

describeApps("accounts panel", (get) => {
  let admin: TestActor | undefined;
  let of: unknown;
  const chief = async () => {
    if (of !== get().app) [admin, of] = [await get().world.actor({ groups: ["admin"] }), get().app];
    return { cookie: admin!.cookie };
  };
  const idOf = async (actor: TestActor) => (await get().app.call(ownAccount, {}, { cookie: actor.cookie })).output.account.id;

  test("lists with search and filters, page by page", async () => {
    const { app, world } = get();
    const as = await chief();
    const people = [await world.actor(), await world.actor(), await world.actor()];
    const list = async (query: InputOf<typeof listAccounts>["query"]) => (await app.call(listAccounts, { query }, as)).output;
    expect((await list({ q: people[0]!.username.toUpperCase() })).items.map(({ username }) => username)).toContain(
      people[0]!.username,
    );
    expect((await list({ q: `license:${people[1]!.licence}` })).items.map(({ licence }) => licence)).toEqual([
      people[1]!.licence,
    ]);
    expect((await list({ q: "%" })).items).toEqual([]);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.next ?? "" });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
    expect((await list({ only: "admins" })).items.map(({ admin: power }) => power)).toEqual(["config"]);
    await app.call(
      setAccountEnabled,
      { params: { accountId: await idOf(people[2]!) }, body: { enabled: false, reason: "because" } },
      as,
    );
    expect((await list({ only: "disabled" })).items.map(({ username }) => username)).toEqual([people[2]!.username]);
  });

  test("names the characters of accounts, finds accounts by them, and says when they were last used", async () => {
    const { app, world } = get();
    const as = await chief();
    const licence = "many-characters";
    await app.call(syncAccounts, { body: { items: [{ licence, groups: [] }] } }, { token: testSecrets.sync });
    const names = ["Quirin", "Rosalind", "Sidonie"];
    const ids: number[] = [];
    for (const [at, firstName] of names.entries())
      ids.push(await world.citizen({ identifier: `char${at}:${licence}`, firstName, lastName: "Oberländer" }));
    const list = async (query: InputOf<typeof listAccounts>["query"]) => (await app.call(listAccounts, { query }, as)).output;

    const [row, ...others] = (await list({ q: "sidonie oberlander" })).items;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ licence, characterCount: 3, lastSeenAt: null });
    expect(row!.characters).toEqual([
      { id: ids[0], name: "Quirin Oberländer" },
      { id: ids[1], name: "Rosalind Oberländer" },
    ]);
    expect((await app.call(getAccount, { params: { accountId: row!.id } }, as)).output.characters.map(({ id }) => id)).toEqual(
      ids,
    );
    expect((await list({ character: ids[2]! })).items.map(({ id }) => id)).toEqual([row!.id]);
    expect((await list({ character: ids[2]!, only: "deleted" })).items).toEqual([]);
    expect((await list({ character: 2_000_000 })).items).toEqual([]);

    const player = await world.actor();
    const seen = async () => (await list({ q: player.licence })).items[0]!.lastSeenAt!;
    const signedInAt = await seen();
    const { assembly, container } = app.process;
    const note = async (at: number) =>
      await container.db.write("test.seen", async (tx) => {
        const account = await assembly.api(accountsApi).byLicence(tx, player.licence);
        await assembly.api(accountsApi).noteSeen(tx, [account!.id], at);
      });
    await note(signedInAt - 120_000);
    await note(signedInAt + 59_999);
    expect(await seen()).toBe(signedInAt);
    await note(signedInAt + 3_600_000);
    expect((await list({ order: "-lastSeenAt", limit: 1 })).items[0]).toMatchObject({
      licence: player.licence,
      lastSeenAt: signedInAt + 3_600_000,
    });
  });

  test("lists by user name, where accounts without one come first, and oldest first", async () => {
    const { app, world } = get();
    const as = await chief();
    await world.actor();
    await app.call(syncAccounts, { body: { items: [{ licence: "without-a-name", groups: [] }] } }, { token: testSecrets.sync });
    const all = async (order: "username" | "-username" | "createdAt" | "-createdAt") => {
      const seen: { id: number; username: string | null }[] = [];
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const query: InputOf<typeof listAccounts>["query"] = { limit: 2, order, ...(cursor === null ? {} : { cursor }) };
        const { items, next }: OutputOf<typeof listAccounts> = (await app.call(listAccounts, { query }, as)).output;
        seen.push(...items);
        cursor = next;
      }
      return seen;
    };
    const byName = await all("username");
    const names = byName.map(({ username }) => username);
    expect(names[0]).toBeNull();
    const present = names.filter((name) => name !== null);
    expect(names).toEqual([...names.filter((name) => name === null), ...present.toSorted((a, b) => (a < b ? -1 : 1))]);
    expect((await all("-username")).map(({ id }) => id)).toEqual(byName.map(({ id }) => id).reverse());
    const created = (await all("createdAt")).map(({ id }) => id);
    expect(created).toEqual(created.toSorted((a, b) => a - b));
    expect(new Set(created)).toEqual(new Set(byName.map(({ id }) => id)));
  });

  test("the command line sets no password that no call could carry", async () => {
    const { username } = await get().world.actor();
    const accounts = get().app.process.assembly.api(accountsApi);
    const set = async (length: number) =>
      await accounts.resetPassword({ kind: "cli", user: "test" }, username, "x".repeat(length));
    await expect(set(257)).rejects.toMatchObject({ definition: { code: "accounts.passwordTooLong" } });
    await set(256);
    expect((await get().app.call(login, { body: { username, password: "x".repeat(256) } })).status).toBe(200);
  });

  test("creates an account whose owner registers with the token", async () => {
    const { app } = get();
    const as = await chief();
    const made = await app.call(createAccount, { body: { licence: "license:panel-1", username: "panel.one" } }, as);
    expect([made.status, made.output.username]).toEqual([200, "panel.one"]);
    const body = { token: made.output.token, username: "panel.one", password: "a fine password" };
    expect((await app.call(register, { body })).status).toBe(200);
    const { output } = await app.call(getAccount, { params: { accountId: made.output.accountId } }, as);
    expect(output).toMatchObject({ licence: "panel-1", hasPassword: true, tokens: [] });
    const taken = await app.call(createAccount, { body: { licence: "panel-2", username: "PANEL.one" } }, as);
    expect(taken.body.code).toBe("accounts.usernameTaken");
    expect((await app.call(listAccounts, { query: { q: "panel-2" } }, as)).output.items).toEqual([]);
  });

  test("issues tokens and shows them afterwards without their text", async () => {
    const { app, world } = get();
    const as = await chief();
    const accountId = await idOf(await world.actor());
    const issued = await app.call(issueAccountToken, { params: { accountId }, body: { kind: "reset" } }, as);
    const detail = await app.call(getAccount, { params: { accountId } }, as);
    expect(detail.output.tokens).toMatchObject([{ kind: "reset", createdBy: admin?.username }]);
    expect(detail.text).not.toContain(issued.output.token);
    const refused = await app.call(issueAccountToken, { params: { accountId }, body: { kind: "register" } }, as);
    expect([refused.status, refused.body.code]).toEqual([409, "accounts.alreadyRegistered"]);
  });

  test("moves a login to another licence: characters follow, an account without login is merged, one with a login is refused", async () => {
    const { app, world } = get();
    const as = await chief();
    const [actor, other] = [await world.actor(), await world.actor()];
    const accountId = await idOf(actor);
    const move = async (licence: string) =>
      await app.call(setAccountLicence, { params: { accountId }, body: { licence, reason: "new computer" } }, as);
    const refused = await move(other.licence);
    expect([refused.status, refused.body.code]).toEqual([409, "accounts.licenceHasLogin"]);
    expect(refused.body.title).toContain(other.username);
    const there = await world.citizen({ identifier: `char1:moved-${accountId}`, firstName: "There" });
    const item = { licence: `moved-${accountId}`, groups: ["lead"] };
    await app.call(syncAccounts, { body: { items: [item] } }, { token: testSecrets.sync });
    const moved = await move(`license:moved-${accountId}`);
    expect(moved.output).toMatchObject({
      id: accountId,
      licence: `moved-${accountId}`,
      groups: ["lead"],
      username: actor.username,
    });
    const list = await app.call(characters, {}, { cookie: actor.cookie });
    expect(list.output.characters.map(({ id }) => id)).toEqual([there]);
    expect((await app.call(login, { body: { username: actor.username, password: actor.password } })).status).toBe(200);
  });

  test("deletes and restores: sessions end, the name stays reserved, no data is lost", async () => {
    const { app, world } = get();
    const as = await chief();
    const actor = await world.actor();
    const accountId = await idOf(actor);
    const deleted = await app.call(deleteAccount, { params: { accountId }, body: { reason: "asked for it" } }, as);
    expect(deleted.output).toMatchObject({ deletedBy: admin?.username, deletedReason: "asked for it" });
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    const body = { username: actor.username, password: actor.password };
    expect((await app.call(login, { body })).body.code).toBe("auth.wrongPassword");
    const taken = await app.call(createAccount, { body: { licence: `other-${accountId}`, username: actor.username } }, as);
    expect(taken.body.code).toBe("accounts.usernameTaken");
    expect((await app.call(createAccount, { body: { licence: actor.licence } }, as)).body.code).toBe("accounts.deleted");
    const listed = await app.call(listAccounts, { query: { only: "deleted", q: actor.username } }, as);
    expect(listed.output.items.map(({ id }) => id)).toContain(accountId);
    await app.call(restoreAccount, { params: { accountId } }, as);
    const back = await app.call(login, { body });
    expect(back.status).toBe(200);
    expect((await app.call(characters, {}, { cookie: cookieOf(back) })).output.characters).toHaveLength(1);
  });

  test("an admin cannot disable or delete the account that they are signed in with", async () => {
    const { app } = get();
    const as = await chief();
    const accountId = await idOf(admin!);
    const off = await app.call(setAccountEnabled, { params: { accountId }, body: { enabled: false } }, as);
    const deleted = await app.call(deleteAccount, { params: { accountId }, body: { reason: "by mistake" } }, as);
    expect([off.body.code, deleted.body.code]).toEqual(["accounts.ownAccount", "accounts.ownAccount"]);
    expect((await app.call(characters, {}, as)).status).toBe(200);
  });
});
