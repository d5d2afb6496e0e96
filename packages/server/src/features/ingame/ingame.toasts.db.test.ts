import { expect, test } from "vitest";
import { defineNotification } from "#core/contract/index.ts";
import { syncDuty } from "#features/duty/duty.sync.contract.ts";
import { pollRequests, putReceipts } from "#features/gamerequests/gamerequests.contract.ts";
import { notificationsApi, type NewNotification } from "#features/notifications/notifications.api.ts";
import {
  getPreferences,
  listNotifications,
  putPreferences,
  trialNotification,
  tryNotification,
} from "#features/notifications/notifications.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { newDevice } from "#features/auth/auth.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { mostToasts, sendToasts, toastMs } from "./ingame.contract.ts";

const sync = { token: testSecrets.sync };
const patience = { timeout: 10_000, interval: 10 };
const quiet = defineNotification({ id: "notifications.trial", tone: "info", params: ["name"], channels: ["bell"] });
let counter = 0;

describeApps("a toast in the game", (get) => {
  const sql = async (text: string, values: readonly (string | number)[] = []) =>
    await get().app.process.container.db.exclusive(
      "test.sql",
      async ({ connection }) => (await connection.execute(text, [...values])).rows,
    );

  async function player() {
    counter += 1;
    const actor = await get().world.actor();
    const [account] = await sql("select id from accounts where username = ?", [actor.username]);
    return { ...actor, accountId: Number(account!["id"]), identifier: `char1:${actor.licence}`, source: `toasts-${counter}` };
  }
  type Player = Awaited<ReturnType<typeof player>>;
  const appear = async ({ source, identifier }: Player) =>
    await get().app.call(syncPositions, { body: { source, items: [{ identifier, x: 10, y: 20, hidden: true }] } }, sync);
  const poll = async ({ source }: Pick<Player, "source">) => {
    const toasts = (await get().app.call(pollRequests, { query: { source } }, sync)).output.requests;
    return toasts.filter(({ kind }) => kind === "ingame.toast");
  };
  const idle = async () => {
    const left = async () =>
      Number((await sql("select count(*) as n from worker_tasks where kind = ?", [sendToasts.id]))[0]!["n"]);
    await expect.poll(left, patience).toBe(0);
  };
  const attempt = async ({ token }: TestActor) => await get().app.call(tryNotification, {}, { token });
  async function notify(kind: Parameters<typeof send>[0], ...items: NewNotification[]) {
    await send(kind, items);
    await idle();
  }
  async function send(kind: Parameters<ReturnType<typeof api>["notifyEach"]>[1], items: readonly NewNotification[]) {
    await get().app.process.container.db.write("test.notify", async (tx) => await api().notifyEach(tx, kind, items));
  }
  const api = () => get().app.process.assembly.api(notificationsApi);

  test("reaches who plays with what the notification says in both languages, and its end is known", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    await attempt(who);
    await idle();
    const [toast, ...others] = await poll(who);
    expect(others).toEqual([]);
    const { output } = await get().app.call(listNotifications, {}, { token: who.token });
    const { name } = output.items[0]!.params;
    expect(toast).toMatchObject({
      kind: "ingame.toast",
      payload: {
        identifier: who.identifier,
        tone: "info",
        title: { en: "Test notification", de: "Testbenachrichtigung" },
        text: {
          en: `Notifications of the kind “${name}” reach you like this.`,
          de: `So erreichen dich Benachrichtigungen der Art „${name}“.`,
        },
        missed: 0,
      },
    });
    expect(toast!.expiresInMs).toBeLessThanOrEqual(toastMs);
    expect(JSON.stringify(toast)).not.toContain("/notifications");
    await get().app.call(putReceipts, { body: { source: who.source, receipts: [{ id: toast!.id, outcome: "done" }] } }, sync);
    expect((await sql("select state from gamerequests where id = ?", [toast!.id]))[0]!["state"]).toBe("done");
  });

  test("waits for nobody: not for who is not there, and not where no plugin asks for it", async () => {
    const [away, unserved] = [await player(), await player()];
    await poll(away);
    await attempt(away);
    await appear(unserved);
    await attempt(unserved);
    await idle();
    await appear(away);
    expect([await poll(away), await poll(unserved)]).toEqual([[], []]);
  });

  test("reaches who is on duty by the word of the game server, without a place", async () => {
    const who = await player();
    await poll(who);
    const [job] = await sql("select job from citizens where id = ?", [who.characterId]);
    const item = { identifier: who.identifier, event: "on", job: String(job!["job"]), at: Date.now() - 1000, key: who.source };
    await get().app.call(syncDuty, { body: { source: who.source, items: [item as never] } }, sync);
    await attempt(who);
    await idle();
    expect(await poll(who)).toHaveLength(1);
  });

  test("goes to the character that is meant, and to nobody else", async () => {
    const [who, other] = [await player(), await player()];
    for (const one of [who, other]) {
      await poll(one);
      await appear(one);
    }
    const params = { name: "x" };
    await notify(
      trialNotification,
      { accountId: who.accountId, characterId: other.characterId, params },
      { accountId: who.accountId, characterId: who.characterId, params },
    );
    expect([(await poll(who)).length, (await poll(other)).length]).toEqual([1, 0]);
  });

  test("says nothing of what concerns the security of an account but that there is something", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    await notify(newDevice, {
      accountId: who.accountId,
      params: { device: "Firefox", address: "203.0.113.9" },
      link: "/account",
    });
    const [toast] = await poll(who);
    expect(toast!.payload).toMatchObject({
      tone: "warning",
      title: { en: "Signed in from a new device" },
      text: { en: "", de: "" },
    });
    expect(JSON.stringify(toast)).not.toMatch(/203\.0\.113\.9|Firefox/);
  });

  test("is what the person chose: off for most kinds, and can be switched", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    const recipient = { accountId: who.accountId, params: { name: "x" } };
    await notify(quiet, recipient);
    expect(await poll(who)).toEqual([]);
    const offered = (await get().app.call(getPreferences, {}, { cookie: who.cookie })).output;
    expect(offered.channels.at(-1)).toEqual({ id: "game", label: "notifications.channels.game" });
    expect(
      offered.kinds
        .filter(({ channels }) => channels["game"])
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["auth.newDevice", "notifications.trial", "oauth.connected"]);
    const body = { kinds: [{ kind: trialNotification.id, channels: { game: false } }] };
    await get().app.call(putPreferences, { body }, { cookie: who.cookie });
    await notify(trialNotification, recipient);
    expect(await poll(who)).toEqual([]);
  });

  test("comes at most six times a minute; those beyond are counted and not sent later", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    const one = { accountId: who.accountId, params: { name: "x" } };
    await notify(trialNotification, ...Array.from({ length: mostToasts - 1 }, () => one));
    for (let i = 0; i < 3; i += 1) await notify(trialNotification, one);
    expect(await poll(who)).toHaveLength(mostToasts);
    const [row] = await sql("select missed from ingame_toasts where citizen_id = ?", [who.characterId]);
    expect(Number(row!["missed"])).toBe(2);
  });
});
