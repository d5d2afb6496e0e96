import { expect, test } from "vitest";
import { definePermission } from "#core/contract/index.ts";
import { requireNamed } from "./role.command.ts";

const all = [
  definePermission("people.list"),
  definePermission("people.view", { fields: { type: "strings", values: ["phone", "job"] }, whose: { type: "rank" } }),
];

test.each([
  ["people.lst", {}, "people.lst is not a permission; write people.list"],
  ["nothing.like.it", {}, "nothing.like.it is not a permission; rollcall role permissions lists them"],
  ["people.list", { fields: ["phone"] }, "--attributes fields is not an attribute of people.list; it has none"],
  ["people.view", { filds: ["phone"] }, "--attributes filds is not an attribute of people.view; it has fields, whose"],
  ["people.view", { fields: ["phone", "x"] }, "--attributes fields=x is not a value of people.view; there are phone, job"],
  ["people.view", { whose: ["all"] }, "--attributes whose=all is not a value of people.view; there are own, lower, same, any"],
])("%s with %j names what there is", (permission, attributes, message) => {
  expect(() => requireNamed(all, permission, attributes)).toThrow(message);
});

test("what exists is allowed", () => {
  expect(() => requireNamed(all, "people.view", { fields: ["job"], whose: ["any"] })).not.toThrow();
});
