import { describe, expect, it } from "vitest";
import type { Translate } from "#core/i18n.ts";
import type { Jump, NavigationEntry } from "#core/pages.ts";
import type { ActiveIdentity } from "#core/session/session.ts";
import { actionsOf, entriesOf, listEntriesOf } from "./search.entries.ts";

const icon = () => null;
const t = ((key: string) => `[${key}]`) as unknown as Translate;
const pages: NavigationEntry[] = [
  { group: "records", to: "/citizens", label: "citizens.title", icon, letter: "c" },
  { group: "control", to: "/panel/files", label: "files.title", icon },
];
const jumps: Jump[] = [
  { kind: "citizens", prefix: "CIT", label: "citizens.one", icon, href: (id) => `/citizens/${id}` },
  { kind: "vehicles", label: "vehicles.one", icon, href: (id) => `/vehicles/${id}` },
  { kind: "postals", label: "postals.name", icon },
];
const done: string[] = [];
const dark = { id: "frame.dark", label: "frame.dark", icon, run: () => void done.push("dark") };
const commands = [dark];
type Match = "whole" | "beginning" | "similar";
const hit = (kind: string, id: number, title: string, ref = `${kind}-${id}`, match: Match = "whole") => {
  return { kind, id, ref, title, subtitle: null, match };
};
const recent = Array.from({ length: 8 }, (_one, i) => ({
  kind: "citizens",
  id: i + 1,
  ref: `CIT-${i + 1}`,
  title: `Person ${i + 1}`,
}));
const frequent = [{ kind: "vehicles", id: 40, ref: "AB 40", title: "Coupé" }];
const actions: Parameters<typeof entriesOf>[0]["actions"] = new Map();
const entries = (text: string, results: ReturnType<typeof hit>[] = [], kind: string | null = null) =>
  entriesOf({
    t,
    text,
    kind,
    pages,
    jumps,
    commands,
    recent,
    frequent,
    results,
    actions,
    copy: (copied) => void done.push(copied),
  });
const hrefs = (text: string, results?: ReturnType<typeof hit>[]) => entries(text, results).map(({ href }) => href);

describe("without a text", () => {
  it("are the latest six objects, then the frequent ones, then all pages, then all commands", () => {
    const latest = [1, 2, 3, 4, 5, 6].map((id) => `/citizens/${id}`);
    expect(hrefs("")).toEqual([...latest, "/vehicles/40", "/citizens", "/panel/files", undefined]);
  });

  it("of one kind are its objects alone", () => {
    expect(entries("", [], "vehicles").map(({ href }) => href)).toEqual(["/vehicles/40"]);
  });

  it("a page names its shortcut, if it has one", () => {
    const [citizens, files] = entries("").slice(7);
    expect(citizens).toHaveProperty("keys", "g c");
    expect(files).not.toHaveProperty("keys");
  });
});

describe("with a text", () => {
  it("are the hits, then the pages whose names contain it", () => {
    expect(hrefs("CITIZENS", [hit("vehicles", 7, "AB 123")])).toEqual(["/vehicles/7", "/citizens"]);
  });

  it("show nothing that was opened before", () => {
    expect(entries("person")).toEqual([]);
  });

  it("copy hits of a kind without a page, and say so", () => {
    const [found] = entries("1001", [hit("postals", 1, "1001", "1001")]);
    expect(found).toMatchObject({ group: "[postals.name]", title: "1001", subtitle: "[search.copyRef]", ref: null });
    expect([found?.href, found?.object]).toEqual([undefined, undefined]);
    found?.run?.();
    expect(done.splice(0)).toEqual(["1001"]);
  });

  it("leave out hits of a kind that this viewer has no page for", () => {
    expect(hrefs("x", [hit("notices", 1, "a"), hit("citizens", 2, "b")])).toEqual(["/citizens/2"]);
  });

  it("group hits by what they are", () => {
    expect(entries("x", [hit("citizens", 2, "b")])[0]).toMatchObject({ group: "[citizens.one]", title: "b", ref: "citizens-2" });
  });

  it("stand by kind, and those in a similar spelling below all others", () => {
    const similar = hit("citizens", 5, "Lint", "CIT-5", "similar");
    const found = entries("lind", [
      hit("citizens", 2, "Lind"),
      hit("vehicles", 3, "LIND 1"),
      hit("citizens", 4, "Linda"),
      similar,
    ]);
    expect(found.map(({ group, title }) => [group, title])).toEqual([
      ["[citizens.one]", "Lind"],
      ["[citizens.one]", "Linda"],
      ["[vehicles.one]", "LIND 1"],
      ["[search.similar]", "Lint"],
    ]);
  });

  it("do not repeat a short id that is the title", () => {
    expect(entries("x", [hit("citizens", 2, "CIT-2", "CIT-2")])[0]?.ref).toBeNull();
  });
});

it("a command is found by its name, and done instead of opened", () => {
  const [found, ...others] = entries("DARK");
  expect(others).toEqual([]);
  expect(found).toMatchObject({ group: "[search.commands]", title: "[frame.dark]" });
  expect(found).not.toHaveProperty("href");
  found?.run?.();
  expect(done).toEqual(["dark"]);
});

describe("a command that takes a text", () => {
  const texts: Record<string, string> = { "way.to": "Set waypoint to postal …", "way.typed": "Set waypoint to postal" };
  const named = ((key: string, values?: { text?: string }) =>
    values?.text === undefined ? (texts[key] ?? key) : `${texts[key]} ${values.text}`) as unknown as Translate;
  const run = (text: string) => void done.push(`way ${text}`);
  const way = { id: "way", label: "way.to", icon, typed: { label: "way.typed", done: "way.done" }, run };
  const found = (text: string) =>
    entriesOf({
      ...{ t: named, text, kind: null, pages: [], jumps, commands: [dark, way] },
      recent,
      frequent,
      results,
      actions,
      copy: () => undefined,
    });
  const results = [hit("citizens", 2, "b")];

  it("puts its name into the field, for the text to be typed behind it", () => {
    const [, entry] = found("waypoint");
    expect(entry).toMatchObject({ title: "Set waypoint to postal …", fill: "Set waypoint to postal " });
    expect(entry).not.toHaveProperty("run");
  });

  it.each(["Set waypoint to postal 204", "waypoint  204", "SET WAY 204"])("is given by %j, before the hits", (text) => {
    const [entry, next] = found(text);
    expect(entry).toMatchObject({ title: "Set waypoint to postal 204" });
    entry?.run?.();
    expect(done.pop()).toBe("way 204");
    expect(next?.href).toBe("/citizens/2");
  });

  it.each(["to postal", "set", "204", "mara 204", "Set waypoint to postal"])("is not given by %j", (text) => {
    expect(found(text).filter(({ id }) => id === "way …")).toEqual([]);
  });
});

describe("a short id", () => {
  it.each(["CIT-12", "cit 12", " cit12 "])("as %j leads to the object at once, before the hits", (text) => {
    expect(entries(text, [hit("vehicles", 7, "CIT 12")])[0]).toMatchObject({ title: "CIT-12", href: "/citizens/12" });
  });

  it("is not offered twice when the server found it", () => {
    expect(hrefs("CIT-12", [hit("citizens", 12, "Mara Lind", "CIT-12")])).toEqual(["/citizens/12"]);
  });

  it("of an unknown kind leads nowhere", () => {
    expect(entries("XYZ-12")).toEqual([]);
  });
});

describe("where nothing was found", () => {
  const list = { label: "citizens.search", needs: "citizens.list", href: (text: string) => `/citizens?q=${text}` };
  const searched: Jump[] = [{ ...jumps[0]!, list }, jumps[1]!];
  const offered = (rights: string[], kind: string | null = null) => {
    const identity = { rights: Object.fromEntries(rights.map((id) => [id, {}])) } as unknown as ActiveIdentity;
    return listEntriesOf({ t, text: "qq", kind, jumps: searched }, identity).map(({ title, href }) => [title, href]);
  };

  it.each<[string, string[], string | null, boolean]>([
    ["are the lists that can be searched", ["citizens.list"], null, true],
    ["are those of the kind that is searched", ["citizens.list"], "citizens", true],
    ["are none of another kind", ["citizens.list"], "vehicles", false],
    ["are none that the viewer may not see", ["vehicles.list"], null, false],
  ])("%s", (_what, rights, kind, is) => {
    expect(offered(rights, kind)).toEqual(is ? [["[citizens.search]", "/citizens?q=qq"]] : []);
  });
});

it("every entry has an id of its own", () => {
  const all = [...entries(""), ...entries("CIT-12", [hit("citizens", 3, "a"), hit("vehicles", 3, "a")])];
  const groups = [entries(""), entries("CIT-12", [hit("citizens", 3, "a"), hit("vehicles", 3, "a")])];
  for (const one of groups) expect(new Set(one.map(({ id }) => id)).size).toBe(one.length);
  expect(all.every(({ href, run }) => (href === undefined) !== (run === undefined))).toBe(true);
});

describe("actions of an entry", () => {
  const copied: string[] = [];
  const offered = new Map([
    ["citizens", [{ id: "citizens.resync", label: "citizens.again", icon, run: (id: number) => void done.push(`${id}`) }]],
  ]);
  const of = (entry: Parameters<typeof actionsOf>[1]) =>
    actionsOf({ t, actions: offered, copy: (text) => void copied.push(text), linkTo: (path) => `https://x${path}` }, entry);

  it("are to open it, those of its kind, and to copy its id and its link", () => {
    const [entry] = entries("x", [hit("citizens", 2, "b", "CIT-2")]);
    const actions = of(entry!);
    expect(actions.map(({ title }) => title)).toEqual([
      "[search.openIt]",
      "[citizens.again]",
      "[search.copyRef]",
      "[search.copyLink]",
    ]);
    expect(actions[0]).toHaveProperty("href", "/citizens/2");
    for (const { run } of actions) run?.();
    expect(done.at(-1)).toBe("2");
    expect(copied).toEqual(["CIT-2", "https://x/citizens/2"]);
  });

  it("of a hit without a page are those of its kind and copying, and are shown in place of a page", () => {
    const near = { id: "postals.near", label: "postals.near", icon, run: (_id: number, ref: string) => void done.push(ref) };
    const acting: typeof actions = new Map([["postals", [near]]]);
    const sources = { t, text: "204", kind: null, pages: [], jumps, commands: [], recent, frequent };
    const results = [hit("postals", 7, "204", "204")];
    const [entry] = entriesOf({ ...sources, results, actions: acting, copy: () => undefined });
    expect(entry).toMatchObject({ subtitle: "[postals.near] · [search.copyRef]", object: { ref: "204" } });
    expect([entry?.href, entry?.run]).toEqual([undefined, undefined]);
    const all = actionsOf({ t, actions: acting, copy: (text) => void copied.push(text), linkTo: String }, entry!);
    for (const { run } of all) run?.();
    expect([all.length, done.at(-1), copied.at(-1)]).toEqual([2, "204", "204"]);
  });

  it("are none for pages and commands", () => {
    expect(entries("dark").flatMap(of)).toEqual([]);
  });
});
