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

  /** A task as it was made some time ago. */
  const enqueue = async (who: Player, agoMs: number) => {
    const { db } = get().app.process.container;
    await db.write("test.enqueue", async (tx) => {
      const item = { accountId: who.accountId, characterId: null, count: 1, params: { name: "x" } };
      const payload = { kind: trialNotification.id, at: (await db.now(tx)) - agoMs, items: [item] };
      await get().app.process.container.ports.tasks.enqueue(tx, sendToasts, { payload });
    });
  };

  test("of one person that cannot be sent keeps nobody else's waiting", async () => {
    const [broken, other] = [await player(), await player()];
    for (const one of [broken, other]) {
      await poll(one);
      await appear(one);
    }
    await sql("insert into ingame_toasts (citizen_id, sent, missed, at) values (?, 'damaged', 0, 0)", [broken.characterId]);
    await enqueue(broken, 0);
    await enqueue(other, 0);
    await expect.poll(async () => (await poll(other)).length, { timeout: 5_000, interval: 20 }).toBe(1);
    await sql("update ingame_toasts set sent = '[]' where citizen_id = ?", [broken.characterId]);
    await idle();
    expect(await poll(broken)).toHaveLength(1);
  });

  test("counts among six a minute also when several are sent at once", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    await Promise.all(Array.from({ length: mostToasts + 4 }, async () => await enqueue(who, 0)));
    await idle();
    expect(await poll(who)).toHaveLength(mostToasts);
    const [row] = await sql("select missed from ingame_toasts where citizen_id = ?", [who.characterId]);
    expect(Number(row!["missed"])).toBe(4);
  });

  test("lives for what is left of its minute, and once that is over it is counted and not sent", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    await enqueue(who, toastMs - 20_000);
    await idle();
    const [toast] = await poll(who);
    expect(toast!.expiresInMs).toBeGreaterThan(10_000);
    expect(toast!.expiresInMs).toBeLessThanOrEqual(20_000);
    for (const agoMs of [toastMs, 10 * toastMs]) await enqueue(who, agoMs);
    await idle();
    expect(await poll(who)).toHaveLength(1);
    const [row] = await sql("select missed from ingame_toasts where citizen_id = ?", [who.characterId]);
    expect(Number(row!["missed"])).toBe(2);
    expect(
      (await get().app.process.container.metrics.expose()).match(/rollcall_ingame_toasts_total\{outcome="late"\} (\d+)/)?.[1],
    ).toBe("2");
    await enqueue(who, 0);
    await idle();
    expect((await poll(who)).map(({ payload }) => payload["missed"])).toEqual([0, 2]);
  });

  test("is not sent to who has switched it off, or whose account was disabled, since it was made", async () => {
    const [choosy, disabled] = [await player(), await player()];
    for (const one of [choosy, disabled]) {
      await poll(one);
      await appear(one);
    }
    const body = { kinds: [{ kind: trialNotification.id, channels: { game: false } }] };
    await get().app.call(putPreferences, { body }, { cookie: choosy.cookie });
    await sql("update accounts set enabled = 0 where id = ?", [disabled.accountId]);
    for (const one of [choosy, disabled]) await enqueue(one, 0);
    await idle();
    expect([await poll(choosy), await poll(disabled)]).toEqual([[], []]);
  });

  test("is in no audit log, as notifications elsewhere are not", async () => {
    const who = await player();
    await poll(who);
    await appear(who);
    await enqueue(who, 0);
    await idle();
    const [toast] = await poll(who);
    await get().app.call(putReceipts, { body: { source: who.source, receipts: [{ id: toast!.id, outcome: "done" }] } }, sync);
    expect(await sql("select action from audit_entries where object_id = ?", [toast!.id])).toEqual([]);
  });
});
