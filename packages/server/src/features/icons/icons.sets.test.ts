import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Outgoing, OutgoingFailed } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { silentLog } from "#testkit/silence.ts";
import { LocalSets } from "./icons.local.service.ts";
import { ProxiedSets } from "./icons.proxied.service.ts";

const body = '<path d="M0 0"/>';
let folder: string;
let clock: TestClock;
let warnings: string[];
const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rollcall-icons-"));
  clock = createTestClock();
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, content: unknown) =>
  writeFileSync(path.join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
const setOf = (prefix: string, ...names: string[]) => ({
  prefix,
  icons: Object.fromEntries(names.map((name) => [name, { body }])),
});

describe("the sets of a folder", () => {
  const local = () => new LocalSets({ folder, clock, log });

  test("are read when needed, and again when their file changes", async () => {
    write("city.json", setOf("city", "car"));
    const sets = local();
    expect((await sets.icons("city", ["car", "bus"]))?.answer.not_found).toEqual(["bus"]);
    write("city.json", setOf("city", "car", "bus", "tram"));
    await clock.advance(3000);
    expect((await sets.icons("city", ["car", "bus"]))?.answer.not_found).toEqual([]);
    rmSync(path.join(folder, "city.json"));
    await clock.advance(3000);
    expect(await sets.icons("city", ["car"])).toBeNull();
  });

  test("that cannot be used are logged once, reported to the doctor, and do not affect the others", async () => {
    write("broken.json", '{"prefix": "broken", ');
    write("other.json", setOf("another", "car"));
    write("city.json", setOf("city", "car"));
    write("Readme.txt", "");
    const sets = local();
    expect(await sets.icons("broken", ["car"])).toBeNull();
    await clock.advance(3000);
    expect(await sets.icons("broken", ["car"])).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/broken\.json cannot be used: .*JSON/)]);
    expect(await sets.problems()).toEqual([
      { file: path.join(folder, "broken.json"), problem: expect.stringMatching(/JSON/) },
      { file: path.join(folder, "other.json"), problem: expect.stringMatching(/prefix is "another"/) },
    ]);
    expect(await sets.sets()).toEqual([{ prefix: "city", name: "city", total: 1 }]);
    expect((await sets.search("ca", null, 10)).icons).toEqual(["city:car"]);
  });

  test.each(["../secret", "..", "a/b", "", "%2e%2e", "A", "a\0b"])("%j is no set", async (name) => {
    writeFileSync(path.join(folder, "..", "secret.json"), JSON.stringify(setOf("secret", "car")));
    expect(await local().icons(name, ["car"])).toBeNull();
    rmSync(path.join(folder, "..", "secret.json"));
  });

  test("are none without a folder", async () => {
    rmSync(folder, { recursive: true });
    expect(await local().icons("city", ["car"])).toBeNull();
    expect(await local().search("", null, 10)).toEqual({ icons: [], total: 0 });
    await expect(local().problems()).rejects.toThrow(/ENOENT/);
  });
});

describe("the sets of an icon service", () => {
  let requested: string[];
  let answer: (url: string) => { status: number; body: string };
  beforeEach(() => {
    requested = [];
    answer = (url) => {
      const names = (new URL(url).searchParams.get("icons") ?? "").split(",").filter((name) => !name.startsWith("no"));
      return { status: 200, body: JSON.stringify(setOf(/\/([a-z]+)\.json/.exec(url)?.[1] ?? "", ...names)) };
    };
  });
  const outgoing: Outgoing = {
    async request({ url, from }) {
      expect(from).toBe("endpoint");
      requested.push(url.replace("https://icons.example/api/", ""));
      const given = answer(url);
      if (given.status === 0) throw new OutgoingFailed("unreachable", "connection refused");
      return { status: given.status, headers: {}, body: Buffer.from(given.body), url };
    },
  };
  const proxied = () =>
    new ProxiedSets({
      apiUrl: "https://icons.example/api/",
      folder,
      outgoing,
      clock,
      ids: createIds(systemClock),
      log,
    });
  const unreachable = () => ({ status: 0, body: "" });

  test("are fetched once, stored across restarts, and available without the service", async () => {
    const first = proxied();
    const both = await Promise.all([first.icons("mdi", ["car", "none"]), first.icons("mdi", ["car", "bus"])]);
    expect(both.map((one) => one?.answer.not_found)).toEqual([["none"], []]);
    expect(requested).toEqual(["mdi.json?icons=car,none", "mdi.json?icons=bus"]);
    answer = unreachable;
    const later = proxied();
    expect(await later.icons("mdi", ["car", "bus"])).toMatchObject({ answer: { icons: { car: { body } } }, lasting: true });
    expect(await later.icons("mdi", ["car", "tram"])).toMatchObject({ answer: { not_found: ["tram"] }, lasting: false });
    await expect(later.icons("other", ["car"])).rejects.toThrow(/nothing of this set/);
    expect((await later.search("ca", null, 10)).icons).toEqual(["mdi:car"]);
    expect(await later.sets()).toEqual([{ prefix: "mdi", name: "mdi", total: 2 }]);
    await clock.advance(40 * 24 * 60 * 60_000);
    expect(await later.icons("mdi", ["car"])).toMatchObject({ answer: { icons: { car: { body } } }, lasting: false });
  });

  test("that do not exist are not requested again immediately", async () => {
    const source = proxied();
    answer = () => ({ status: 404, body: "404" });
    expect([await source.icons("nope", ["a"]), await source.icons("nope", ["a"])]).toEqual([null, null]);
    expect(requested.length).toBe(1);
    await clock.advance(11 * 60_000);
    await source.icons("nope", ["a"]);
    expect(requested.length).toBe(2);
  });

  test.each([
    ["a page", "<html>"],
    ["another set", JSON.stringify(setOf("evil", "car"))],
    ["no set", "[1]"],
  ])("are unavailable when the service answers with %s", async (_what, text) => {
    answer = () => ({ status: 200, body: text });
    await expect(proxied().icons("mdi", ["car"])).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("contain no scripts", async () => {
    answer = () => ({ status: 200, body: JSON.stringify({ prefix: "mdi", icons: { car: { body: "<script/>" } } }) });
    expect(await proxied().icons("mdi", ["car"])).toMatchObject({ answer: { icons: {}, not_found: ["car"] } });
  });

  test("a damaged file is fetched again", async () => {
    write("mdi.json", "{");
    expect(await proxied().icons("mdi", ["car"])).toMatchObject({ answer: { icons: { car: { body } } } });
  });

  test("a search is answered by the service, of which only names of icons are used", async () => {
    answer = () => ({ status: 200, body: JSON.stringify({ icons: ["mdi:car", "x", "a:b:c", "<b>:x", 7], total: 5 }) });
    expect(await proxied().search("car", null, 10)).toEqual({ icons: ["mdi:car"], total: 1 });
    expect(requested).toEqual(["search?query=car&limit=32"]);
  });
});
