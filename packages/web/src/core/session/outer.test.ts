import { expect, test } from "vitest";
import { outerAddresses, outerPageOf, type OuterPage } from "./outer.ts";
import type { SessionState } from "./session.ts";

const states = {
  starting: { phase: "starting" },
  unreachable: { phase: "unreachable" },
  signedOut: { phase: "signedOut" },
  choosing: { phase: "choosing", account: { configAdmin: false } },
  choosingAdmin: { phase: "choosing", account: { configAdmin: true } },
  active: { phase: "active" },
} as unknown as Record<string, SessionState>;

test.each<[string, string, OuterPage | null]>([
  ["starting", "/", null],
  ["signedOut", "/", "login"],
  ["signedOut", "/citizens/12", "login"],
  ["signedOut", "/login/factor", "factor"],
  ["signedOut", "/register", "register"],
  ["active", "/register", "register"],
  ["choosing", "/reset", "reset"],
  ["unreachable", "/setup", "setup"],
  ["signedOut", "/wallboard", "wallboard"],
  ["active", "/wallboard", "wallboard"],
  ["unreachable", "/", "unreachable"],
  ["choosing", "/", "characters"],
  ["choosing", "/account/factor", "alone"],
  ["choosing", "/accounts", "characters"],
  ["choosing", "/panel/settings", "characters"],
  ["choosingAdmin", "/panel/settings", "alone"],
  ["active", "/account", "application"],
  ["active", "/login/factor", "application"],
])("%s at %s shows %s", (state, path, page) => {
  expect(outerPageOf(states[state]!, path)).toBe(page);
});

test("the routers leave the addresses that the session does not change", () => {
  expect(outerAddresses).toEqual(["/register", "/reset", "/setup", "/wallboard"]);
});
