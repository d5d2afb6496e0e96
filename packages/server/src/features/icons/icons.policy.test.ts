import { describe, expect, test } from "vitest";
import { candidates, inGroups, isFullName, isSafeSvg, parseSet, pick, ranked, shownNames } from "./icons.policy.ts";

const body = '<path d="M0 0"/>';
const set = parseSet(
  {
    prefix: "city",
    lastModified: 1_700_000_000,
    width: 24,
    icons: {
      car: { body },
      old: { body, hidden: true },
      bad: { body: "<script>alert(1)</script>" },
      "Not A Name": { body },
      __proto__x: { body },
      odd: "text",
      wide: { body, width: 48, left: -2, rotate: "1", hFlip: true },
    },
    aliases: {
      auto: { parent: "car" },
      kfz: { parent: "auto", hFlip: true },
      a: { parent: "b" },
      b: { parent: "a" },
      self: { parent: "self" },
      lost: { parent: "nowhere" },
      toproto: { parent: "__proto__" },
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`deep${i}`, { parent: i === 0 ? "car" : `deep${i - 1}` }])),
    },
  },
  "city",
  1,
);

test("a set serves icons, aliases with their icons, and names what it does not have", () => {
  expect(pick(set, ["wide", "kfz", "nope", "bad", "nope"])).toEqual({
    prefix: "city",
    lastModified: 1_700_000_000,
    width: 24,
    height: 16,
    icons: { car: { body }, wide: { body, width: 48, left: -2, hFlip: true } },
    aliases: { kfz: { parent: "auto", hFlip: true }, auto: { parent: "car" } },
    not_found: ["nope", "bad"],
  });
});

test("aliases that are circular, too deep, dangling or properties of every object are not found", () => {
  const names = ["a", "b", "self", "lost", "toproto", "deep11", "constructor", "__proto__"];
  expect(pick(set, names)).toMatchObject({ icons: {}, aliases: {}, not_found: names });
  expect(pick(set, ["deep6"]).not_found).toEqual([]);
});

test("hidden icons are not found by a search, but served", () => {
  expect(shownNames(set)).not.toContain("old");
  expect(shownNames(set)).toEqual(expect.arrayContaining(["car", "wide", "auto", "kfz"]));
  expect(pick(set, ["old"]).icons).toHaveProperty("old");
});

test.each([
  [{}, /no icons/],
  [[], /no icons/],
  [{ prefix: "other", icons: {} }, /prefix is "other"/],
  [{ prefix: "city", icons: [] }, /no icons/],
])("%j is no set", (json, problem) => expect(() => parseSet(json, "city", 1)).toThrow(problem));

describe("drawings", () => {
  test.each([
    body,
    '<g fill="none" stroke="currentColor"><circle cx="1" cy="1" r="1"/></g>',
    '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)" d="M0 0"/>',
    '<use xlink:href="#a"/><path><animate attributeName="d" dur="1s" values="a;b"/></path>',
  ])("%s is harmless", (drawing) => expect(isSafeSvg(drawing)).toBe(true));

  test.each([
    "<script>alert(1)</script>",
    "<SCRIPT/>",
    "<svg onload=alert(1)>",
    '<path d="M0 0" onclick = "x()"/>',
    '<path/onmouseover="x()"/>',
    "<foreignObject><b>x</b></foreignObject>",
    '<image href="https://evil.example/x.png"/>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use href=" //evil.example/x.svg#a"/>',
    "<a href='#x'>x</a>",
    '<path style="background:url(https://evil.example)"/>',
    "<path fill=\"url( 'https://evil.example')\"/>",
    "<style>@import 'x'</style>",
    '<use href="#a"><set attributeName="href" to="javascript:alert(1)"/></use>',
    '<use href="#a"><animate attributeName="xlink:href" values="x"/></use>',
    '<path d="&#106;avascript"/>',
    "<!-- x --><path/>",
    "<?xml version='1.0'?>",
    "<![CDATA[x]]>",
    `<path d="${"M0 0".repeat(20_000)}"/>`,
  ])("%.60s is not", (drawing) => expect(isSafeSvg(drawing)).toBe(false));
});

test("the best matches come first", () => {
  const names = ["t:users-group", "t:user", "t:circle-user", "t:user-plus", "t:superuser", "t:car"];
  expect(ranked(names, "user")).toEqual(["t:user", "t:user-plus", "t:users-group", "t:circle-user", "t:superuser"]);
  expect(ranked(names, " Group  USER ")).toEqual(["t:users-group"]);
  expect(ranked(names, "")).toEqual(names);
});

test.each([
  ["tabler:user", ["tabler:user"]],
  ["i-tabler:user", ["tabler:user"]],
  ["I-Simple-Icons-Discord", ["simple-icons:discord"]],
  ["simple-icons-discord", ["simple-icons:discord"]],
  ["mdi-home", ["mdi:home"]],
  ["user", ["tabler:user", "simple-icons:user"]],
  ["https://example.org/x.png", []],
  ["../../etc/passwd", []],
  ["tabler:../x", []],
  ["", []],
])("%s may mean %j", (text, expected) => {
  const found = candidates(text, ["tabler", "simple-icons"]).map(({ prefix, name }) => `${prefix}:${name}`);
  if (expected.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining(expected));
});

test("long lists are split into groups that the service accepts", () => {
  const groups = inGroups(Array.from({ length: 100 }, (_, i) => `some-long-name-${i}`));
  expect(groups.flat().length).toBe(100);
  for (const group of groups) expect(group.join(",").length).toBeLessThanOrEqual(400);
});

test("the full name of an icon is its set and its own name", () => {
  for (const name of ["mdi:car", "city:a-b"]) expect(isFullName(name)).toBe(true);
  for (const name of ["mdi", "mdi:", "a:b:c", "<b>:x", ":"]) expect(isFullName(name)).toBe(false);
});
