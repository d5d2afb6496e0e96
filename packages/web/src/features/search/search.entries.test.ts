import { describe, expect, it } from "vitest";
import type { Translate } from "#core/i18n.ts";
import type { Jump, NavigationEntry } from "#core/pages.ts";
import { entriesOf } from "./search.entries.ts";

const icon = () => null;
const t = ((key: string) => `[${key}]`) as unknown as Translate;
const pages: NavigationEntry[] = [
  { group: "records", to: "/citizens", label: "citizens.title", icon, letter: "c" },
  { group: "control", to: "/panel/files", label: "files.title", icon },
];
const jumps: Jump[] = [
  { kind: "citizens", prefix: "CIT", label: "citizens.one", icon, href: (id) => `/citizens/${id}` },
  { kind: "vehicles", label: "vehicles.one", icon, href: (id) => `/vehicles/${id}` },
];
const done: string[] = [];
const commands = [{ id: "frame.dark", label: "frame.dark", icon, run: () => void done.push("dark") }];
const hit = (kind: string, id: number, title: string, ref = `${kind}-${id}`) => ({ kind, id, ref, title, subtitle: null });
const recent = Array.from({ length: 8 }, (_one, i) => ({
  kind: "citizens",
  id: i + 1,
  ref: `CIT-${i + 1}`,
  title: `Person ${i + 1}`,
}));
const entries = (text: string, results: ReturnType<typeof hit>[] = []) =>
  entriesOf({ t, text, pages, jumps, commands, recent, results });
const hrefs = (text: string, results?: ReturnType<typeof hit>[]) => entries(text, results).map(({ href }) => href);

describe("without a text", () => {
  it("are the latest six objects, then all pages, then all commands", () => {
    expect(hrefs("")).toEqual([...[1, 2, 3, 4, 5, 6].map((id) => `/citizens/${id}`), "/citizens", "/panel/files", undefined]);
  });

  it("a page names its shortcut, if it has one", () => {
    const [citizens, files] = entries("").slice(6);
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

  it("leave out hits of a kind that this viewer has no page for", () => {
    expect(hrefs("x", [hit("notices", 1, "a"), hit("citizens", 2, "b")])).toEqual(["/citizens/2"]);
  });

  it("group hits by what they are", () => {
    expect(entries("x", [hit("citizens", 2, "b")])[0]).toMatchObject({ group: "[citizens.one]", title: "b", ref: "citizens-2" });
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

it("every entry has an id of its own", () => {
  const all = [...entries(""), ...entries("CIT-12", [hit("citizens", 3, "a"), hit("vehicles", 3, "a")])];
  const groups = [entries(""), entries("CIT-12", [hit("citizens", 3, "a"), hit("vehicles", 3, "a")])];
  for (const one of groups) expect(new Set(one.map(({ id }) => id)).size).toBe(one.length);
  expect(all.every(({ href, run }) => (href === undefined) !== (run === undefined))).toBe(true);
});
