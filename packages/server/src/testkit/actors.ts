import type { AccountActor, Viewer } from "#core/actor.ts";

/** An account for tests of rules, which touch no database. */
export function anAccount(given: Partial<AccountActor> = {}): AccountActor {
  return {
    accountId: 1,
    username: "mara",
    licence: "l",
    groups: [],
    sessionId: "s",
    configAdmin: false,
    mayJobAdmin: false,
    address: "203.0.113.9",
    traceId: "0123456789abcdef0123456789abcdef",
    ...given,
  };
}

/** A citizen of the police with grade 2, who holds these permissions. */
export function aViewer(held: readonly string[], given: Partial<Viewer> = {}): Viewer {
  return {
    ...anAccount(),
    characterId: 7,
    characterName: "Mara Lind",
    job: "police",
    grade: 2,
    jobAdmin: null,
    rights: { epoch: "", has: (permission) => held.includes(permission), attribute: () => undefined, all: () => ({}) },
    ...given,
  };
}
