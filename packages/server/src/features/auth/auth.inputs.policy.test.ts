import { describe, expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import type { EventDefinition } from "#core/contract/index.ts";
import type { EventMessage } from "#core/ports/index.ts";
import { citizensConcerned, rightsEvents } from "./auth.inputs.policy.ts";

const nobody = {
  characterId: 0,
  accountId: 0,
  sessionId: "",
  job: "police",
  jobAdmin: null,
  seeAs: null,
} as unknown as Viewer;

const viewers = {
  citizen1: { ...nobody, characterId: 1 },
  account2: { ...nobody, accountId: 2 },
  session3: { ...nobody, sessionId: "3" },
  medic: { ...nobody, job: "ambulance" },
  admin: { ...nobody, jobAdmin: { reason: "test", until: 1 } },
  lower: { ...nobody, seeAs: { until: 1 } },
};
const everybody = Object.keys(viewers);

function affected(id: string, payload: unknown): string[] {
  const { affected: select } = rightsEvents.find(({ event }) => event.id === id)!;
  const chosen = select({ payload } as EventMessage<EventDefinition>);
  return chosen === null ? [] : Object.entries(viewers).flatMap(([name, viewer]) => (chosen(viewer) ? [name] : []));
}

const items = [{ id: 1 }, { id: 9 }];

describe("rights are checked again", () => {
  test.each([
    [
      "citizens.changed",
      {
        items,
        changed: [
          { id: 1, parts: ["playtime", "phones", "jobs"] },
          { id: 9, parts: [] },
        ],
      },
      [],
    ],
    ["citizens.changed", { items, changed: [{ id: 1, parts: ["playtime", "grade"] }] }, ["citizen1"]],
    ["citizens.changed", { items, changed: [{ id: 1, parts: ["deleted_at"] }] }, ["citizen1"]],
    ["citizens.changed", { items }, ["citizen1"]],
    ["accounts.changed", { accountIds: [2], endSessions: false, changed: ["username", "password_hash"] }, []],
    ["accounts.changed", { accountIds: [2], endSessions: false, changed: ["staff_groups"] }, ["account2"]],
    ["accounts.changed", { accountIds: [2], endSessions: false }, ["account2"]],
    ["auth.sessionsChanged", { sessionIds: ["3"] }, ["session3"]],
    ["settings.changed", { version: 2, changed: ["website.imprintUrl", "banner.text", "auth.signUp"] }, []],
    ["settings.changed", { version: 2, changed: ["auth.jobAdminGroups"] }, everybody],
    ["settings.changed", { version: 2 }, everybody],
    ["access.rolesChanged", { job: "ambulance", epoch: 1 }, ["medic"]],
    ["access.rolesChanged", { job: "police", epoch: 1 }, ["citizen1", "account2", "session3", "lower"]],
    ["access.rolesChanged", { job: "", epoch: 1 }, everybody.filter((name) => name !== "admin")],
    ["jobs.changed", { names: ["police"], changed: ["label", "properties", "logo"] }, []],
    ["jobs.changed", { names: ["police"], changed: ["grades"] }, ["admin", "lower"]],
    ["jobs.changed", { names: ["ambulance"] }, []],
    ["jobgroups.membersChanged", { citizenIds: [1, 9] }, ["citizen1"]],
  ])("after %s %j of %j", (id, payload, expected) => {
    expect(affected(id, payload)).toEqual(expected);
  });

  test("only those citizens are loaded again", () => {
    const changed = [
      { id: 1, parts: ["playtime" as const] },
      { id: 9, parts: ["licence" as const] },
    ];
    expect(citizensConcerned({ items: items as never, changed })).toEqual([9]);
  });
});
