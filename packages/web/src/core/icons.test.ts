import { describe, expect, test } from "vitest";
import { createIcons, drawingOf } from "./icons.ts";

const answer = {
  prefix: "city",
  width: 24,
  height: 24,
  icons: { car: { body: "<path/>" }, wide: { body: "<g/>", width: 48, left: -2 } },
  aliases: {
    auto: { parent: "car", hFlip: true },
    back: { parent: "auto", hFlip: true, rotate: 1 },
    a: { parent: "b" },
    b: { parent: "a" },
  },
};

describe("drawings", () => {
  test.each([
    ["car", { body: "<path/>", viewBox: "0 0 24 24", transform: "" }],
    ["wide", { body: "<g/>", viewBox: "-2 0 48 24", transform: "" }],
    ["auto", { body: "<path/>", viewBox: "0 0 24 24", transform: "translate(24 0) scale(-1 1)" }],
    ["back", { body: "<path/>", viewBox: "0 0 24 24", transform: "rotate(90 12 12)" }],
    ["a", null],
    ["nope", null],
    ["constructor", null],
  ])("%s", (name, drawing) => expect(drawingOf(answer, name)).toEqual(drawing));
});

test("icons requested together are loaded in one request per set, and only once", async () => {
  const asked: string[] = [];
  const icons = createIcons(async (url) => {
    asked.push(url);
    return url.includes("/city.json") ? answer : null;
  });
  const changed = new Promise<void>((resolve) => icons.subscribe(() => icons.get("none:x") === null && resolve()));
  for (const name of ["city:car", "city:nope", "none:x", "city:car"]) icons.want(name);
  expect(icons.get("city:car")).toBeUndefined();
  await changed;
  icons.want("city:car");
  icons.want("none:x");
  await Promise.resolve();
  expect(asked).toEqual(["/api/icons/city.json?icons=car%2Cnope", "/api/icons/none.json?icons=x"]);
  expect([icons.get("city:car")?.body, icons.get("city:nope")]).toEqual(["<path/>", null]);
});

test("when the server does not answer there is no icon, and no error", async () => {
  const icons = createIcons(async () => await Promise.reject(new Error("away")));
  const changed = new Promise<void>((resolve) => icons.subscribe(resolve));
  icons.want("city:car");
  await changed;
  expect(icons.get("city:car")).toBeNull();
});
