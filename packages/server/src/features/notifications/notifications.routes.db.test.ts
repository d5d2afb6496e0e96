import { expect, test } from "vitest";
import { defineNotification, notificationChannels } from "#core/contract/index.ts";
import { describeApps, type AppUnderTest } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { type NewNotification, notificationsApi } from "./notifications.api.ts";
import {
  countUnread,
  getPreferences,
  listNotifications,
  markAllRead,
  markRead,
  markUnread,
  notificationsRead,
  notificationsAdded,
  notificationsSent,
  putPreferences,
  removeNotifications,
  trialNotification,
  tryNotification,
} from "./notifications.contract.ts";
import { channelsOf } from "./notifications.policy.ts";
import { notificationsTopics } from "./notifications.routes.ts";

const safety = defineNotification({ id: "x.safety", tone: "danger", params: [], channels: ["bell"], always: true });
const quiet = { bell: false, toast: false, sound: false };

describeApps("notifications", (get) => {
  async function notify(
    { app }: AppUnderTest,
    ...items: (Omit<NewNotification, "params"> & { params?: NewNotification["params"] })[]
  ) {
    const { assembly, container } = app.process;
    const given = items.map((item) => ({ params: { name: "Mara" }, ...item }));
    await container.db.write(
      "test.notify",
      async (tx) => await assembly.api(notificationsApi).notifyEach(tx, trialNotification, given),
    );
  }

  async function accountOf({ app }: AppUnderTest, actor: TestActor): Promise<number> {
    const { rows } = await app.process.container.db.exclusive(
      "test.account",
      async ({ connection }) => await connection.execute("select id from accounts where username = ?", [actor.username]),
    );
    return Number(rows[0]?.["id"]);
  }

  test("are listed newest first, only of the own account and the chosen character, by kind and unread", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    const accountId = await accountOf(get(), mine);
    await notify(
      get(),
      { accountId, params: { name: "first" }, link: "/citizens/1" },
      { accountId, characterId: mine.characterId },
    );
    await notify(get(), { accountId, characterId: 999_999 }, { accountId: await accountOf(get(), other) });
    const { output } = await app.call(listNotifications, {}, { token: mine.token });
    expect(output).toMatchObject({
      total: 2,
      next: null,
      items: [{ link: null }, { link: "/citizens/1", params: { name: "first" }, readAt: null }],
    });
    const page = await app.call(listNotifications, { query: { limit: 1 } }, { token: mine.token });
    expect(page.output).toMatchObject({ total: 2, items: [{ id: output.items[0]!.id }] });
    const next = await app.call(listNotifications, { query: { limit: 1, cursor: page.output.next! } }, { token: mine.token });
    expect(next.output.items.map(({ id }) => id)).toEqual([output.items[1]!.id]);
    expect((await app.call(listNotifications, { query: { kind: "nothing" } }, { token: mine.token })).output.items).toEqual([]);
    expect(
      (await app.call(listNotifications, { query: { kind: trialNotification.id } }, { token: mine.token })).output.total,
    ).toBe(2);
  });

  test("are marked as read by id and all at once; ids of others are ignored, later ones stay unread", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    const accountId = await accountOf(get(), mine);
    await notify(get(), { accountId }, { accountId }, { accountId });
    const ids = (await app.call(listNotifications, {}, { token: mine.token })).output.items.map(({ id }) => id);
    expect((await app.call(markRead, { body: { ids } }, { token: other.token })).output).toEqual({ unread: 0 });
    expect((await app.call(countUnread, {}, { token: mine.token })).output).toEqual({ unread: 3 });
    expect((await app.call(markRead, { body: { ids: [ids[0]!] } }, { token: mine.token })).output).toEqual({ unread: 2 });
    const unread = await app.call(listNotifications, { query: { only: "unread" } }, { token: mine.token });
    expect(unread.output.items.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    await notify(get(), { accountId });
    expect((await app.call(markAllRead, { body: { upTo: ids[0]! } }, { token: mine.token })).output).toEqual({ unread: 1 });
  });

  test("several are marked as unread again or removed for good in one call; ids of others are ignored", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    const accountId = await accountOf(get(), mine);
    await notify(get(), { accountId }, { accountId }, { accountId });
    const list = async () => (await app.call(listNotifications, {}, { token: mine.token })).output.items;
    const [first, second, third] = (await list()).map(({ id }) => id) as [number, number, number];
    await app.call(markAllRead, { body: { upTo: first } }, { token: mine.token });
    expect((await app.call(markUnread, { body: { ids: [first, second] } }, { token: other.token })).output).toEqual({
      unread: 0,
    });
    expect((await app.call(markUnread, { body: { ids: [first, second] } }, { token: mine.token })).output).toEqual({ unread: 2 });
    expect((await list()).map(({ readAt }) => readAt === null)).toEqual([true, true, false]);
    expect((await app.call(removeNotifications, { body: { ids: [second, third] } }, { token: other.token })).output).toEqual({
      unread: 0,
    });
    expect((await app.call(removeNotifications, { body: { ids: [second, third] } }, { token: mine.token })).output).toEqual({
      unread: 1,
    });
    expect((await list()).map(({ id }) => id)).toEqual([first]);
  });

  test("preferences belong to the account, and disabled channels are not used", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const credentials = { cookie: mine.cookie };
    const before = await app.call(getPreferences, {}, credentials);
    expect(before.output.kinds.find(({ kind }) => kind === trialNotification.id)).toEqual({
      kind: trialNotification.id,
      tone: "info",
      always: false,
      channels: { bell: true, toast: true, sound: false },
    });
    const put = await app.call(
      putPreferences,
      { body: { kinds: [{ kind: trialNotification.id, channels: quiet }] } },
      credentials,
    );
    expect(put.output.kinds.find(({ kind }) => kind === trialNotification.id)).toMatchObject({ channels: quiet });
    expect((await app.call(tryNotification, {}, { token: mine.token })).status).toBe(204);
    expect((await app.call(countUnread, {}, { token: mine.token })).output).toEqual({ unread: 0 });
    expect((await app.call(listNotifications, {}, { token: mine.token })).output.total).toBe(1);
    const unknown = await app.call(putPreferences, { body: { kinds: [{ kind: "no.such", channels: quiet }] } }, credentials);
    expect([unknown.status, unknown.body.code]).toEqual([400, "notifications.kindUnknown"]);
    const pigeon = { kinds: [{ kind: trialNotification.id, channels: { pigeon: true } }] };
    const noWay = await app.call(putPreferences, { body: pigeon }, credentials);
    expect([noWay.status, noWay.body.code]).toEqual([400, "notifications.channelUnknown"]);
  });

  test("channels of what only config admins get are offered to them alone", async () => {
    const { app, world } = get();
    const offered = async (groups: string[]) => {
      const { cookie } = await world.actor({ groups });
      return (await app.call(getPreferences, {}, { cookie })).output.kinds.map(({ kind }) => kind);
    };
    const [toAdmins, toOthers] = [await offered(["admin"]), await offered([])];
    const forAdmins = ["gained", "waiting"].flatMap((what) => [`auth.${what}ConfigAdmin`, `auth.${what}JobAdmin`]);
    expect(toAdmins.filter((kind) => !toOthers.includes(kind)).toSorted()).toEqual([...forAdmins, "updates.available"]);
    expect(toOthers).toContain("auth.newDevice");
  });
});

test("the bell of an `always` kind stays on, other channels follow the choice", () => {
  const off = (["bell", "toast", "sound"] as const).map((channel) => ({ kind: safety.id, channel, chosen: 0 as const }));
  expect(channelsOf(safety, off, notificationChannels)).toEqual({ bell: true, toast: false, sound: false });
  expect(channelsOf({ ...safety, always: false }, off, notificationChannels)).toEqual(quiet);
  expect(channelsOf(safety, [{ kind: safety.id, channel: "sound", chosen: 1 }], notificationChannels)).toEqual({
    bell: true,
    toast: false,
    sound: true,
  });
});

test("the topic is only for its account, and hides what concerns another character", async () => {
  const [topic] = notificationsTopics();
  const viewer = { accountId: 3, characterId: 12 } as never;
  expect(await topic!.authorize(viewer, "4")).toBeNull();
  expect(await topic!.authorize(viewer, null)).toBeNull();
  const grant = await topic!.authorize(viewer, "3");
  const item = { id: 1, accountId: 3, characterId: null, kind: "k", params: {}, link: null, at: 5, channels: ["toast"] };
  const message = (type: string, payload: unknown) => topic!.project!({ type, payload } as never);
  const [added] = message(notificationsAdded.id, { items: [item] });
  expect(added!.key).toBe("3");
  expect(grant!.view(added!.data)).toMatchObject({ items: [{ id: 1, readAt: 5, channels: ["toast"] }] });
  expect(grant!.view([{ ...item, characterId: 13 }])).toBeNull();
  expect(grant!.view([{ ...item, characterId: 12 }])).toMatchObject({ items: [{ id: 1 }] });
  const [read] = message(notificationsRead.id, { accountId: 3 });
  expect([read!.key, grant!.view(read!.data)]).toEqual(["3", { items: [] }]);
  expect(message("citizens.changed", {})).toEqual([]);
});

test("of an event for many, each account's topic gets only its own, whole", async () => {
  const [topic] = notificationsTopics();
  const shared = { kind: "k", tone: "info", at: 5, params: { name: "Mara" }, link: "/x", channels: ["bell"] };
  const to = [
    { id: 1, accountId: 3 },
    { id: 2, accountId: 4, channels: ["toast"], count: 3, replaced: 9 },
    { id: 3, accountId: 3, characterId: 13, params: { name: "Ada" }, link: null },
    { id: 4, accountId: 3 },
  ];
  const projected = topic!.project!({ type: notificationsSent.id, payload: { ...shared, to } } as never);
  expect(projected.map(({ key }) => key)).toEqual(["3", "4"]);
  const seenBy = async (accountId: number, characterId: number) => {
    const grant = await topic!.authorize({ accountId, characterId } as never, String(accountId));
    const seen = grant!.view(projected.find(({ key }) => key === String(accountId))!.data) as { items: unknown[] };
    return seen.items;
  };
  const whole = { kind: "k", params: { name: "Mara" }, link: "/x", count: 1, at: 5, readAt: null, tone: "info", replaced: null };
  expect(await seenBy(3, 12)).toEqual([
    { ...whole, id: 1, channels: ["bell"] },
    { ...whole, id: 4, channels: ["bell"] },
  ]);
  expect(await seenBy(3, 13)).toHaveLength(3);
  expect((await seenBy(3, 13))[1]).toEqual({ ...whole, id: 3, params: { name: "Ada" }, link: null, channels: ["bell"] });
  expect(await seenBy(4, 1)).toEqual([{ ...whole, id: 2, count: 3, readAt: 5, channels: ["toast"], replaced: 9 }]);
});
