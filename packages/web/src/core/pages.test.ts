import { describe, expect, it, test } from "vitest";
import {
  cardsFor,
  declaredBy,
  type FeaturePages,
  type HomeCard,
  isOffered,
  kindsOf,
  type NavigationEntry,
  navigationOf,
} from "./pages.ts";
import type { ActiveIdentity } from "./session/session.ts";

const page = (change: Partial<NavigationEntry>): NavigationEntry => ({
  group: "home",
  to: "/x",
  label: "x",
  icon: () => null,
  ...change,
});
const who = (rights: string[], { config = false, job = false } = {}) =>
  ({
    account: { configAdmin: config },
    jobAdmin: job ? { reason: "r" } : null,
    rights: Object.fromEntries(rights.map((id) => [id, {}])),
  }) as unknown as ActiveIdentity;

describe("a page is offered", () => {
  it.each<[string, Partial<NavigationEntry>, ActiveIdentity, boolean]>([
    ["to everyone when it needs nothing", {}, who([]), true],
    ["to those with its permission", { needs: "a.read" }, who(["a.read"]), true],
    ["to nobody else", { needs: "a.read" }, who(["a.write"]), false],
    ["to those with one of several", { needs: ["a.read", "a.write"] }, who(["a.write"]), true],
    ["to nobody without any of them", { needs: ["a.read", "a.write"] }, who([]), false],
    ["to config admins", { admins: "config" }, who([], { config: true }), true],
    ["not to job admins instead", { admins: "config" }, who(["a.read"], { job: true }), false],
    ["to job admins while the mode is on", { admins: "job" }, who([], { job: true }), true],
    ["not to config admins while it is off", { admins: "job" }, who([], { config: true }), false],
    ["to an admin without the permission", { needs: "a.read", admins: "config" }, who([], { config: true }), true],
    ["to a holder of the permission who is no admin", { needs: "a.read", admins: "config" }, who(["a.read"]), true],
    ["to members, whose job grants rights", { members: true }, who(["a.read"]), true],
    ["not to others where it is for members", { members: true }, who([]), false],
    ["to neither", { needs: "a.read", admins: "job" }, who([]), false],
  ])("%s", (_what, entry, identity, offered) => {
    expect(isOffered(page(entry), identity)).toBe(offered);
  });
});

const entry = (to: string, group: NavigationEntry["group"], position?: number): NavigationEntry => ({
  group,
  to,
  label: to,
  icon: () => null,
  ...(position === undefined ? {} : { position }),
});

test("the navigation is ordered by group and position, entries without a position last by their address", () => {
  const features = [
    { navigation: [entry("/roles", "control", 20), entry("/wiki", "records"), entry("/mail", "records")] },
    { navigation: [entry("/vehicles", "records", 20), entry("/jobs", "control", 10)] },
    { navigation: [entry("/citizens", "records", 10), entry("/", "home", 10)] },
  ];
  const order = ["/", "/citizens", "/vehicles", "/mail", "/wiki", "/jobs", "/roles"];
  expect(navigationOf(features).map(({ to }) => to)).toEqual(order);
  expect(navigationOf(features.toReversed()).map(({ to }) => to)).toEqual(order);
});

test("cards are those of the person's kinds, the most urgent first; members may have another order", () => {
  const card = (id: string, change: Partial<HomeCard>): HomeCard => ({
    id,
    for: ["citizen"],
    urgency: 1,
    card: null as never,
    ...change,
  });
  const home = [
    card("a.own", { urgency: 45, memberUrgency: 20 }),
    card("b.board", { urgency: 40 }),
    card("c.work", { for: ["member"], urgency: 30 }),
    card("d.admins", { for: ["administrator"], urgency: 90, admins: "config" }),
  ];
  const ids = (rights: string[]) => cardsFor(home, kindsOf(who(rights), []), who(rights)).map(({ id }) => id);
  expect(ids([])).toEqual(["a.own", "b.board"]);
  expect(ids(["a.read"])).toEqual(["b.board", "c.work", "a.own"]);
});

test("marks of persons stand beside a name by their position, whatever feature declares them", () => {
  const mark = (id: string, position: number) => ({ id, position, mark: (() => null) as never });
  const feature = (...marks: ReturnType<typeof mark>[]): FeaturePages => ({ routes: () => [], navigation: [], marks });
  const { marks } = declaredBy([feature(mark("b.one", 20), mark("b.other", 5)), feature(mark("a.one", 10))]);
  expect(marks.map(({ id }) => id)).toEqual(["b.other", "a.one", "b.one"]);
});
