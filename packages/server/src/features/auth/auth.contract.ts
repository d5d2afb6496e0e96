import { Type, type Static } from "typebox";
import { access, defineEvent, defineNotification, defineOperation, Instant, Nullable, extend } from "#core/contract/index.ts";
import { accessPermissions } from "#features/access/access.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { AccountInfo, authErrors, exampleAccount, exampleSignedIn, password, SignedIn, username } from "./auth.base.contract.ts";
import { factorOperations } from "./auth.factor.contract.ts";
import { ownOperations } from "./auth.own.contract.ts";
import { signInRefusals } from "./auth.refusals.contract.ts";

export * from "./auth.base.contract.ts";
export * from "./auth.factor.contract.ts";
export * from "./auth.own.contract.ts";
export * from "./auth.refusals.contract.ts";

export const Character = Type.Object({
  id: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
  dateOfBirth: Nullable(Type.String()),
  sex: Nullable(Type.String()),
  job: JobBadge,
});
export type Character = Static<typeof Character>;

const exampleJob = { name: "police", label: "Police", grade: 3, gradeLabel: "Sergeant" };
const exampleCharacter = {
  id: 12,
  firstName: "Mara",
  lastName: "Lind",
  dateOfBirth: "1990-04-01",
  sex: "f",
  job: exampleJob,
};

/** Signs in with user name and password; sets the session cookie, or asks for the second factor. */
export const login = defineOperation({
  id: "auth.login",
  method: "POST",
  path: "/api/auth/login",
  summary: "Sign in with user name and password",
  access: access.public(),
  rate: "login",
  input: {
    body: Type.Object({ username, password }),
  },
  output: SignedIn,
  errors: [
    authErrors.wrongPassword,
    authErrors.throttled,
    authErrors.busy,
    authErrors.accountDisabled,
    authErrors.cookieCannotStick,
  ],
  example: {
    body: { username: "mara", password: "correct horse" },
    output: exampleSignedIn,
  },
});

/** Ends the session of the cookie; also answers 204 when there is none. */
export const logout = defineOperation({
  id: "auth.logout",
  method: "POST",
  path: "/api/auth/logout",
  summary: "Sign out",
  access: access.public(),
  rate: "write",
  input: {},
  output: null,
  example: {},
});

/** The characters of the signed-in account, the one used last first. */
export const characters = defineOperation({
  id: "auth.characters",
  method: "GET",
  path: "/api/auth/characters",
  summary: "List the characters of the signed-in account",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({
    account: AccountInfo,
    characters: Type.Array(
      extend(Character, {
        lastUsed: Type.Boolean(),
        /** Whether the last-character lock prevents choosing it. */
        locked: Type.Boolean(),
      }),
    ),
  }),
  example: {
    output: { account: exampleAccount, characters: [{ ...exampleCharacter, lastUsed: true, locked: false }] },
  },
});

export const JobAdminState = Type.Object({
  job: Type.String(),
  reason: Type.String(),
  until: Instant,
});

export const SeeAsState = Type.Object({ grade: Type.Integer(), until: Instant });

/** Chooses a character and returns a user token for it, valid for ten minutes. */
export const token = defineOperation({
  id: "auth.token",
  method: "POST",
  path: "/api/auth/token",
  summary: "Choose a character and receive a user token",
  access: access.account(),
  rate: "read",
  input: { body: Type.Object({ characterId: Type.Integer({ minimum: 1 }) }) },
  output: Type.Object({
    token: Type.String(),
    expiresAt: Instant,
    account: AccountInfo,
    character: Character,
    /** Granted permissions, each with its attributes. */
    rights: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
    jobAdmin: Nullable(JobAdminState),
    /** Set while the rights are those of a lower grade of the job. */
    seeAs: Nullable(extend(SeeAsState, { job: Type.String(), gradeLabel: Type.String() })),
  }),
  errors: [authErrors.characterNotYours, authErrors.characterLocked],
  example: {
    body: { characterId: 12 },
    output: {
      token: "eyJ...",
      expiresAt: 1_790_000_000_000,
      account: exampleAccount,
      character: exampleCharacter,
      rights: { "citizens.list": { fields: ["phone"] } },
      jobAdmin: null,
      seeAs: null,
    },
  },
});

/**
 * Enters job admin, in the character's own job or another, for a limited time, with every right until
 * it ends. The audit log records the reason. The client has to fetch a new user token afterwards.
 */
export const enterJobAdmin = defineOperation({
  id: "auth.enterJobAdmin",
  method: "POST",
  path: "/api/auth/job-admin",
  summary: "Enter job admin mode",
  access: access.character(),
  rate: "write",
  input: {
    body: Type.Object({
      reason: Type.String({ minLength: 3, maxLength: 255 }),
      job: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
      minutes: Type.Optional(Type.Integer({ minimum: 5, maximum: 240, default: 60 })),
    }),
  },
  output: JobAdminState,
  errors: [authErrors.jobAdminNotAllowed, authErrors.jobUnknown],
  example: {
    body: { reason: "Ticket 42: check a complaint", job: "police", minutes: 30 },
    output: { job: "police", reason: "Ticket 42: check a complaint", until: 1_790_000_000_000 },
  },
});

export const leaveJobAdmin = defineOperation({
  id: "auth.leaveJobAdmin",
  method: "DELETE",
  path: "/api/auth/job-admin",
  summary: "Leave job admin mode",
  access: access.character(),
  rate: "write",
  input: {},
  output: null,
  example: {},
});

/**
 * Acts as a lower grade of the job for a limited time, with no right beyond the character's own; job
 * admin is off meanwhile. The client has to fetch a new user token afterwards.
 */
export const seeAs = defineOperation({
  id: "auth.seeAs",
  method: "POST",
  path: "/api/auth/see-as",
  summary: "See the application as a lower grade of your job",
  access: access.permission(accessPermissions.editRoles),
  rate: "write",
  input: {
    body: Type.Object({
      grade: Type.Integer({ minimum: 0, maximum: 1000 }),
      minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 15 })),
    }),
  },
  output: SeeAsState,
  errors: [authErrors.seeAsNotBelow],
  example: { body: { grade: 2 }, output: { grade: 2, until: 1_790_000_000_000 } },
});

export const endSeeAs = defineOperation({
  id: "auth.endSeeAs",
  method: "DELETE",
  path: "/api/auth/see-as",
  summary: "Stop seeing the application as a lower grade",
  access: access.character(),
  rate: "write",
  input: {},
  output: null,
  example: {},
});

/** Sessions ended or their rights changed; every process invalidates what it cached of them. */
export const sessionsChanged = defineEvent({
  id: "auth.sessionsChanged",
  version: 1,
  payload: Type.Object({ sessionIds: Type.Array(Type.String()) }),
});

/** A sign-in from a network and a browser that are both new to the account. */
export const newDevice = defineNotification({
  id: "auth.newDevice",
  tone: "warning",
  params: ["device", "address"],
  channels: ["bell", "toast", "game"],
  always: true,
});

/** Roles changed that apply to the character that the account played last. */
export const rightsChanged = defineNotification({
  id: "auth.rightsChanged",
  tone: "info",
  params: ["job", "gained", "gainedCount", "lost", "lostCount", "altered", "alteredCount"],
  channels: ["bell", "toast"],
  // Roles are often saved many times in a row.
  digest: { everyMs: 5 * 60_000 },
});

const aboutAdmins = <const Id extends string>(id: Id) =>
  defineNotification({
    id,
    tone: "warning",
    params: ["account"],
    channels: ["bell", "toast"],
    always: true,
    for: "configAdmins",
  });

/** For every config admin when an account gains admin powers. */
export const adminGained = {
  config: aboutAdmins("auth.gainedConfigAdmin"),
  job: aboutAdmins("auth.gainedJobAdmin"),
} as const;

/** The game server named an admin, and the settings require a confirmation. */
export const adminWaiting = {
  config: aboutAdmins("auth.waitingConfigAdmin"),
  job: aboutAdmins("auth.waitingJobAdmin"),
} as const;

export const authContract = {
  operations: [
    login,
    logout,
    characters,
    token,
    enterJobAdmin,
    leaveJobAdmin,
    seeAs,
    endSeeAs,
    ...ownOperations,
    ...factorOperations,
    signInRefusals,
  ],
  events: [sessionsChanged],
  actions: ["auth.confirmPassword", "auth.chooseCharacter"],
  objects: ["session"],
  errors: authErrors,
  notifications: [newDevice, rightsChanged, ...Object.values(adminGained), ...Object.values(adminWaiting)],
};
