import { expect, test } from "vitest";
import type { AccountActor, Viewer } from "./actor.ts";
import { type Access, access } from "./contract/access.ts";
import { type Known, lackError, lackOf } from "./access-check.ts";
import { anAccount, aViewer } from "#testkit/actors.ts";

const account = anAccount();
const person = aViewer(["x.view"]);
const inJobAdmin: Viewer = { ...person, jobAdmin: { reason: "test", until: 1 } };

const of = (who: AccountActor | Viewer | null): Known =>
  who !== null && "characterId" in who ? { account: who, viewer: who } : { account: who, viewer: null };
const admin = <W extends AccountActor>(who: W): W => ({ ...who, configAdmin: true });
const view = { id: "x.view", attributes: {} };
const edit = { id: "x.edit", attributes: {} };

test.each<[string, Access, Known, string | null]>([
  ["nobody", access.public(), of(null), null],
  ["nobody", access.account(), of(null), "session"],
  ["nobody", access.configAdmin(), of(null), "session"],
  ["nobody", access.character(), of(null), "session"],
  ["nobody", access.permission(view), of(null), "session"],
  ["an account", access.account(), of(account), null],
  ["an account", access.configAdmin(), of(account), "configAdmin"],
  ["a config admin", access.configAdmin(), of(admin(account)), null],
  ["an account", access.character(), of(account), "character"],
  ["a config admin", access.character(), of(admin(account)), "character"],
  ["a character", access.character(), of(person), null],
  ["an account", access.jobAdmin(), of(account), "character"],
  ["a character", access.jobAdmin(), of(person), "jobAdmin"],
  ["a job admin", access.jobAdmin(), of(inJobAdmin), null],
  ["a character", access.permission(view), of(person), null],
  ["a character", access.permission(edit, view), of(person), null],
  ["a character", access.permission(edit), of(person), "permission"],
  ["a config admin's character", access.permission(edit), of(admin(person)), "permission"],
  ["a config admin's character", access.permissionOrConfigAdmin(edit), of(admin(person)), null],
  ["a config admin", access.permissionOrConfigAdmin(edit), of(admin(account)), null],
  ["an account", access.permissionOrConfigAdmin(view), of(account), "character"],
  ["a character", access.permissionOrConfigAdmin(edit), of(person), "permission"],
  ["a config admin's character", access.sync(), of(admin(person)), "sync"],
])("%s with %o: %s", (_who, needed, known, lack) => {
  expect(lackOf(needed, known)).toBe(lack);
});

test("the error of a missing permission names it and the job", () => {
  const { definition, params } = lackError("permission", access.permission(view, edit), person);
  expect([definition.code, params]).toEqual(["system.permissionMissing", { permission: "x.view, x.edit", job: "police" }]);
});
