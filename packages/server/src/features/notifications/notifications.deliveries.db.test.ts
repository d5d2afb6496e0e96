import { expect, test } from "vitest";
import { defineNotification } from "#core/contract/index.ts";
import { createLetters, lettersQueued } from "#testkit/letters.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { notificationsApi } from "./notifications.api.ts";
import {
  countUnread,
  getPreferences,
  listNotifications,
  putPreferences,
  trialNotification,
  tryNotification,
} from "./notifications.contract.ts";

const letters = createLetters();
const wanted = defineNotification({ id: "x.wanted", tone: "info", params: [], channels: ["letter"] });

describeApps(
  "a second way of notifications",
  (get) => {
    const sql = async (text: string, values: readonly unknown[] = []) =>
      await get().app.process.container.db.exclusive(
        "test.sql",
        async ({ connection }) => (await connection.execute(text, [...values])).rows,
      );

    async function person(): Promise<TestActor & { accountId: number }> {
      const actor = await get().world.actor();
      const [row] = await sql("select id from accounts where username = ?", [actor.username]);
      return { ...actor, accountId: Number(row!["id"]) };
    }

    const queued = async () =>
      (await sql("select payload from outbox_events where type = ? order by id", [lettersQueued.id])).map(
        ({ payload }) => JSON.parse(String(payload)) as { kind: string; ids: number[] },
      );

    test("is offered to those whom it reaches, and gets only what they choose", async () => {
      const { app } = get();
      const [reached, unreached] = [await person(), await person()];
      letters.addresses.add(reached.accountId);
      const offered = async ({ cookie }: TestActor) => (await app.call(getPreferences, {}, { cookie })).output;
      expect((await offered(reached)).channels.at(-1)).toEqual({ id: "letter", label: "letters.channel" });
      expect((await offered(unreached)).channels.map(({ id }) => id)).toEqual(["bell", "toast", "sound"]);
      const body = { kinds: [{ kind: trialNotification.id, channels: { letter: true } }] };
      const refused = await app.call(putPreferences, { body }, { cookie: unreached.cookie });
      expect([refused.status, refused.body.code]).toEqual([400, "notifications.channelUnknown"]);

      const before = (await queued()).length;
      await app.call(tryNotification, {}, { token: reached.token });
      expect(await queued()).toHaveLength(before);
      const put = await app.call(putPreferences, { body }, { cookie: reached.cookie });
      expect(put.output.kinds.find(({ kind }) => kind === trialNotification.id)?.channels).toEqual({
        bell: true,
        toast: true,
        sound: false,
        letter: true,
      });
      await app.call(tryNotification, {}, { token: reached.token });
      const { output } = await app.call(listNotifications, {}, { token: reached.token });
      expect((await queued()).slice(before)).toEqual([{ kind: trialNotification.id, ids: [output.items[0]!.id] }]);
      expect((await app.call(countUnread, {}, { token: reached.token })).output).toEqual({ unread: 2 });
    });

    test("is called in the transaction of the notification, for those who did not turn it off", async () => {
      const { container, assembly } = get().app.process;
      const [mine, other] = [await person(), await person()];
      letters.addresses.add(mine.accountId).add(other.accountId);
      const recipients = [{ accountId: mine.accountId }, { accountId: other.accountId }];
      await sql("insert into notifications_preferences (account_id, kind, channel, chosen) values (?, ?, ?, ?)", [
        other.accountId,
        wanted.id,
        "letter",
        0,
      ]);
      const send = async (fail: boolean) =>
        await container.db.write("test.notify", async (tx) => {
          await assembly.api(notificationsApi).notify(tx, wanted, { recipients, params: {} });
          if (fail) throw new Error("rolled back");
        });
      const before = await queued();
      letters.received.length = 0;
      await expect(send(true)).rejects.toThrow("rolled back");
      expect([await queued(), letters.received.map(({ accountId }) => accountId)]).toEqual([before, [mine.accountId]]);
      await send(false);
      const [row] = await sql("select id, read_at from notifications where account_id = ?", [mine.accountId]);
      expect((await queued()).slice(before.length)).toEqual([{ kind: wanted.id, ids: [Number(row!["id"])] }]);
      // Without the bell it is stored as read.
      expect(row!["read_at"]).not.toBeNull();
    });
  },
  {},
  { features: [letters.feature] },
);
