import { describe, expect, test } from "vitest";
import { AppError } from "#core/errors.ts";
import type { AccountEvent } from "./accounts.machine.ts";
import { type AccountFacts, factsOf, refusalOf, requirePossible, stateOf } from "./accounts.states.policy.ts";

const none: AccountFacts = { username: null, hasPassword: false, enabled: true, deleted: false };
const reserved: AccountFacts = { ...none, username: "mara" };
const full: AccountFacts = { ...reserved, hasPassword: true };
const disabled: AccountFacts = { ...full, enabled: false };
const deleted: AccountFacts = { ...full, deleted: true };

describe("the state of an account", () => {
  test.each<[AccountFacts, string, string]>([
    [none, "unregistered", "enabled"],
    [reserved, "reserved", "enabled"],
    [full, "registered", "enabled"],
    [disabled, "registered", "disabled"],
    [deleted, "registered", "deleted"],
    [{ ...none, enabled: false, deleted: true }, "unregistered", "deletedDisabled"],
  ])("of %j is %s and %s", (facts, login, standing) => {
    expect(stateOf(facts)).toEqual({ login, standing });
  });

  test("is read from the columns", () => {
    expect(factsOf({ username: "mara", password_hash: "x", enabled: 1, deleted_at: null })).toEqual(full);
    expect(factsOf({ username: null, password_hash: null, enabled: 0, deleted_at: 5 })).toEqual({
      ...none,
      enabled: false,
      deleted: true,
    });
  });
});

describe("what is refused, and why", () => {
  test.each<[AccountEvent, AccountFacts, string | null]>([
    ["issueRegisterToken", none, null],
    ["issueRegisterToken", reserved, null],
    ["issueRegisterToken", full, "alreadyRegistered"],
    ["issueRegisterToken", disabled, "disabled"],
    ["issueRegisterToken", deleted, "deleted"],
    ["issueRegisterToken", { ...disabled, deleted: true }, "deleted"],
    ["issueResetToken", none, "notRegistered"],
    ["issueResetToken", reserved, null],
    ["issueResetToken", full, null],
    ["reset", { ...none, enabled: false }, "disabled"],
    ["createLogin", { ...none, enabled: false }, null],
    ["createLogin", full, "alreadyRegistered"],
    ["createLogin", { ...none, deleted: true }, "deleted"],
    ["setPassword", disabled, null],
    ["disable", disabled, null],
    ["disable", deleted, "deleted"],
    ["enable", full, "notDisabled"],
    ["enable", disabled, null],
    ["delete", disabled, null],
    ["delete", deleted, "deleted"],
    ["restore", deleted, null],
    ["restore", full, "notDeleted"],
    ["restore", disabled, "notDeleted"],
    ["move", deleted, "deleted"],
    ["purge", full, "notDeleted"],
    ["merge", { ...none, deleted: true }, null],
    ["merge", reserved, "alreadyRegistered"],
    ["merge", full, "alreadyRegistered"],
  ])("%s of %j: %s", (event, facts, refusal) => {
    expect(refusalOf(facts, event)).toBe(refusal);
    if (refusal === null) return requirePossible(facts, event);
    expect(() => requirePossible(facts, event)).toThrow(AppError);
  });

  test("a refusal names the user name where its sentence does", () => {
    expect(() => requirePossible(full, "register")).toThrow(expect.objectContaining({ params: { username: "mara" } }));
  });
});
