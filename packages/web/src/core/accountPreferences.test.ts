import { describe, expect, it } from "vitest";
import { defineSavedViews, type SavedViews } from "@rollcall/server/contract/core";
import { displayPreference } from "@rollcall/server/contract/preferences";
import { followDisplay } from "./accountDisplay.ts";
import { createAccountValues, keyOf, valueOf } from "./accountValues.ts";
import type { Preferences } from "./preferences.ts";
import { Problem } from "./problem.ts";
import { settle } from "./testkit.ts";

const views = defineSavedViews("x.views");
const view = (name: string) => ({ name, search: { q: name } });
const names = ({ views: all }: SavedViews) => all.map(({ name }) => name);
const plain: Preferences = {
  scheme: "dark",
  language: "en",
  density: "compact",
  singleKeys: true,
  navigationCollapsed: false,
  columns: {},
  onlyHere: [],
};

/** What the server keeps for one account, and devices that use it. */
function world() {
  const kept = new Map<string, { name: string; characterId: number | null; value: unknown; version: number }>();
  const server = { fails: null as Problem | null, puts: 0, lists: 0 };
  const calls = {
    async list() {
      server.lists += 1;
      await settle();
      if (server.fails) throw server.fails;
      return { items: [...kept.values()] };
    },
    async put(name: string, { characterId, value, version }: { characterId?: number; value: unknown; version?: number }) {
      server.puts += 1;
      await settle();
      if (server.fails) throw server.fails;
      const key = keyOf(name, characterId ?? null);
      const before = kept.get(key)?.version ?? 0;
      if (version !== undefined && version !== before) throw new Problem("preferences.stale", 409);
      const next = { name, characterId: characterId ?? null, value, version: before + 1 };
      kept.set(key, next);
      return next;
    },
  };
  return {
    server,
    stored: () => kept.get(keyOf(displayPreference.id, null))?.value,
    values: () => createAccountValues(calls),
    device(own: Partial<Preferences> | null) {
      const values = createAccountValues(calls);
      let now: Preferences = { ...plain, ...own };
      let has = own !== null;
      let follower: (change: Partial<Preferences>) => void = () => undefined;
      const apply = (change: Partial<Preferences>) => {
        now = { ...now, ...change };
        has = true;
      };
      let unsaved: string | null = null;
      const timers: { delay: number; action: () => void }[] = [];
      const after = (delay: number, action: () => void) => {
        const timer = { delay, action };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
      };
      const device = {
        get: () => now,
        hasOwn: () => has,
        apply,
        onChosen: (next: typeof follower) => {
          follower = next;
          return () => undefined;
        },
        onUnsaved: (why: string | null) => {
          unsaved = why;
        },
      };
      followDisplay(values, device, { after });
      return {
        values,
        now: () => now,
        unsaved: () => unsaved,
        /** How long the next attempt waits. */
        waits: () => timers.map(({ delay }) => delay),
        async retry() {
          timers.shift()?.action();
          await calm();
        },
        choose(change: Partial<Preferences>) {
          apply(change);
          follower(change);
        },
      };
    },
  };
}

async function calm() {
  for (let turn = 0; turn < 8; turn += 1) await settle();
}

describe("display preferences", () => {
  it("of the account win over those of the device, and choices go to the account and to other devices", async () => {
    const { device, stored } = world();
    const [first, second] = [device(null), device({ scheme: "light" })];
    await first.values.read();
    first.choose({ scheme: "auto", singleKeys: false });
    await calm();
    expect(stored()).toEqual({ scheme: "auto", singleKeys: false });
    await second.values.read();
    expect(second.now()).toMatchObject({ scheme: "auto", singleKeys: false, density: "compact" });
    second.choose({ density: "comfortable" });
    await calm();
    await first.values.read();
    expect(first.now()).toMatchObject({ scheme: "auto", density: "comfortable" });
  });

  it("of the device are taken over by an account that has none, and only then", async () => {
    const { device, stored, server } = world();
    const first = device({ scheme: "light", language: "de" });
    await first.values.read();
    await calm();
    expect(stored()).toMatchObject({ scheme: "light", language: "de", density: "compact" });
    const puts = server.puts;
    const second = device({ scheme: "auto" });
    await second.values.read();
    await calm();
    expect([second.now().scheme, server.puts]).toEqual(["light", puts]);
  });

  it("of a device on which nothing was chosen are not taken over", async () => {
    const { device, stored } = world();
    await device(null).values.read();
    await calm();
    expect(stored()).toBeUndefined();
  });

  it("keep scheme and density on a device of its own, both ways, until it takes those of the account again", async () => {
    const { device, stored } = world();
    const [monitor, tablet] = [device({ scheme: "light" }), device({ scheme: "dark", onlyHere: ["scheme", "density"] })];
    await monitor.values.read();
    await calm();
    await tablet.values.read();
    expect(tablet.now()).toMatchObject({ scheme: "dark" });
    tablet.choose({ density: "comfortable" });
    tablet.choose({ language: "de" });
    await calm();
    expect(stored()).toMatchObject({ scheme: "light", density: "compact", language: "de" });
    tablet.choose({ onlyHere: [] });
    expect(tablet.now()).toMatchObject({ scheme: "light", density: "compact" });
  });

  it("that were chosen before the values were read are sent afterwards, and win", async () => {
    const { device, stored } = world();
    const first = device({ scheme: "light" });
    await first.values.read();
    await calm();
    const second = device(null);
    second.choose({ scheme: "auto" });
    await second.values.read();
    await calm();
    expect([second.now().scheme, stored()]).toEqual(["auto", expect.objectContaining({ scheme: "auto" })]);
  });

  it("that could not be sent stay on the device, and are sent when the values are read again", async () => {
    const { device, server, stored } = world();
    const first = device(null);
    await first.values.read();
    server.fails = new Problem("web.offline", 0);
    first.choose({ scheme: "light" });
    await calm();
    expect([first.now().scheme, stored()]).toEqual(["light", undefined]);
    server.fails = null;
    await first.values.read();
    await calm();
    expect([first.now().scheme, stored()]).toEqual(["light", expect.objectContaining({ scheme: "light" })]);
  });

  it("that could not be sent are announced, not taken back, and sent again without another choice, ever later", async () => {
    const { device, server, stored } = world();
    const first = device(null);
    await first.values.read();
    first.choose({ scheme: "light" });
    await calm();
    server.fails = new Problem("web.offline", 0);
    first.choose({ scheme: "auto" });
    await calm();
    expect([first.now().scheme, first.unsaved(), first.waits()]).toEqual(["auto", "waiting", [5_000]]);
    await first.retry();
    expect([first.now().scheme, first.unsaved(), first.waits()]).toEqual(["auto", "waiting", [10_000]]);
    server.fails = null;
    await first.retry();
    expect([first.now().scheme, first.unsaved(), first.waits(), stored()]).toEqual(["auto", null, [], { scheme: "auto" }]);
  });

  it("that the server refuses are taken back and announced, and not sent again", async () => {
    const { device, server } = world();
    const first = device(null);
    await first.values.read();
    first.choose({ scheme: "light" });
    await calm();
    server.fails = new Problem("preferences.valueInvalid", 400);
    first.choose({ scheme: "auto" });
    await calm();
    expect([first.now().scheme, first.unsaved(), first.waits()]).toEqual(["light", "refused", []]);
  });

  it("stay those of the account when a view is saved after the first read failed", async () => {
    const { device, server, stored } = world();
    const first = device(null);
    await first.values.read();
    first.choose({ scheme: "dark" });
    await calm();
    const second = device({ scheme: "light" });
    server.fails = new Problem("web.offline", 0);
    await expect(second.values.read()).rejects.toMatchObject({ status: 0 });
    await expect(second.values.set(views, 7, views.default)).rejects.toMatchObject({ status: 0 });
    expect(second.values.state.get()).toBeNull();
    server.fails = null;
    await second.values.change(views, 7, (value) => ({ ...value, views: [view("one")] }));
    await calm();
    expect([second.now().scheme, stored()]).toEqual(["dark", { scheme: "dark" }]);
    expect(names(valueOf(second.values.state.get(), views, 7))).toEqual(["one"]);
  });

  it("of the account win over those of the device when something else is set before the first read", async () => {
    const { device, stored } = world();
    const first = device(null);
    await first.values.read();
    first.choose({ scheme: "dark" });
    await calm();
    const second = device({ scheme: "light" });
    await second.values.set(views, 7, { ...views.default, views: [view("one")] });
    await calm();
    expect([second.now().scheme, stored()]).toEqual(["dark", { scheme: "dark" }]);
    expect(names(valueOf(second.values.state.get(), views, 7))).toEqual(["one"]);
  });

  it("that follow each other quickly end with the last one", async () => {
    const { device, stored } = world();
    const first = device(null);
    await first.values.read();
    for (const scheme of ["light", "auto", "dark", "light"] as const) first.choose({ scheme });
    await calm();
    expect([first.now().scheme, stored()]).toEqual(["light", { scheme: "light" }]);
  });
});

describe("values", () => {
  it("that two devices change in part at the same time keep both changes", async () => {
    const all = world();
    const [first, second] = [all.values(), all.values()];
    await Promise.all([first.read(), second.read()]);
    const add = (name: string) => (value: SavedViews) => ({ ...value, views: [...value.views, view(name)] });
    await Promise.all([first.change(views, 7, add("one")), second.change(views, 7, add("two"))]);
    await first.read();
    expect(names(valueOf(first.state.get(), views, 7)).toSorted()).toEqual(["one", "two"]);
    expect(valueOf(first.state.get(), views, 8)).toEqual(views.default);
  });

  it("are shown at once, and taken back when they are refused", async () => {
    const all = world();
    const values = all.values();
    await values.read();
    all.server.fails = new Problem("preferences.valueInvalid", 400);
    const set = values.set(displayPreference, null, { scheme: "light" });
    expect(valueOf(values.state.get(), displayPreference, null)).toEqual({ scheme: "light" });
    await expect(set).rejects.toMatchObject({ code: "preferences.valueInvalid" });
    expect(valueOf(values.state.get(), displayPreference, null)).toEqual({});
  });

  it("that are being written are not replaced by a read that began before", async () => {
    const values = world().values();
    await values.read();
    const read = values.read();
    const set = values.set(displayPreference, null, { scheme: "light" });
    await read;
    expect(valueOf(values.state.get(), displayPreference, null)).toEqual({ scheme: "light" });
    await set;
  });

  it("of one account never reach the next", async () => {
    const values = world().values();
    await values.set(displayPreference, null, { scheme: "light" });
    const read = values.read();
    values.forget();
    await read;
    expect(values.state.get()).toBeNull();
  });
});
