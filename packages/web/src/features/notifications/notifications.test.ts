import i18next, { type TFunction } from "i18next";
import { expect, test, vi } from "vitest";
import { notificationChannels } from "@rollcall/server/contract/core";
import de from "./notifications.text.de.json";
import en from "./notifications.text.en.json";
import { createShown } from "./shown.ts";
import { textsOf } from "./texts.ts";

async function translator(): Promise<TFunction> {
  const own = i18next.createInstance();
  const room = {
    title: "Messages in {{room}}",
    text_one: "{{count}} new message",
    text_other: "{{count}} new messages",
  };
  const plain = { title: "A new device", text: "From {{device}}." };
  const roles = {
    title: "Roles",
    text_one: "Changed.",
    text_other: "Changed {{count}} times.",
    permissions: { gained_one: "Now: {{names}}.", gained_other: "Last: {{names}}.", lost: "No longer: {{names}}." },
  };
  const namesAndMore = "{{names}} and {{count}} more";
  const translation = {
    web: { namesAndMore },
    x: { notifications: { room, plain, roles }, permissions: { list: "List", see: "See it", go: "Go there" } },
  };
  await own.init({ lng: "en", resources: { en: { translation } }, interpolation: { escapeValue: false } });
  return own.t;
}

test("the text follows how many a notification stands for, or the number in its params", async () => {
  const t = await translator();
  const room = (count: number, params: Record<string, string | number> = {}) =>
    textsOf(t, { kind: "x.room", params: { room: "Dispatch", ...params }, count });
  expect(room(1)).toEqual({ title: "Messages in Dispatch", text: "1 new message" });
  expect(room(3)).toEqual({ title: "Messages in Dispatch", text: "3 new messages" });
  expect(room(1, { count: 4 }).text).toBe("4 new messages");
  const plain = { kind: "x.plain", params: { device: "a tablet" }, count: 1 };
  expect(textsOf(t, plain)).toEqual({ title: "A new device", text: "From a tablet." });
  expect(textsOf(t, { kind: "x.unknown", params: {}, count: 2 })).toEqual({ title: "x.unknown", text: null });
});

test("permissions in the params are named in sentences of their own, and how many more there are", async () => {
  const t = await translator();
  const text = (params: Record<string, string | number>, count = 1) => textsOf(t, { kind: "x.roles", params, count }).text;
  expect(text({ job: "list" })).toBe("Changed.");
  expect(text({ gained: "x.list x.see", gainedCount: 2, lost: "x.go", lostCount: 4 })).toBe(
    "Changed. Now: List, See it. No longer: Go there and 3 more.",
  );
  expect(text({ gained: "x.list", gainedCount: 1 }, 3)).toBe("Changed 3 times. Last: List.");
  expect(text({ lost: "x.unknown" })).toBe("Changed. No longer: x.unknown.");
});

test("a newer notification closes the toast of the one that it replaces, once, and no other", () => {
  const shown = createShown();
  const close = Array.from({ length: 30 }, () => vi.fn());
  close.forEach((one, id) => shown.add(id, one));
  shown.close(29);
  shown.close(29);
  shown.close(99);
  // The toasts of the first ones have closed by themselves long ago.
  shown.close(0);
  expect(close.map((one) => one.mock.calls.length)).toEqual([...Array.from({ length: 29 }, () => 0), 1]);
});

test("every channel, of the browser and of the game, has a name in both languages", () => {
  for (const { channels } of [en, de]) expect(Object.keys(channels)).toEqual([...notificationChannels, "game"]);
});
