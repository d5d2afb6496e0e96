import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineErrors,
  defineOperation,
  definePermission,
  defineSecretLink,
  defineTopic,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { baseKinds } from "#features/units/units.contract.ts";

export const wallboardPermissions = { manage: definePermission("wallboard.manage") };

export const wallboardErrors = defineErrors("wallboard", {
  notFound: { status: 404 },
  full: { status: 409, params: ["most"] },
});

/** Of a job. */
export const mostLinks = 20;
export const longestName = 60;
/** A link ends after this time. Milliseconds. */
export const linkLifeMs = days(365);
/** Waiting calls that a board shows; of more it says how many there are. */
export const mostWaiting = 50;

/** Its subject is the name of the job. */
export const wallboardLink = defineSecretLink({
  id: "wallboard.board",
  operations: ["wallboard.read"],
  topics: ["wallboard"],
  maxAgeMs: linkLifeMs,
  uses: null,
  budget: { perMinute: 240 },
});

const id = Type.Integer({ minimum: 1 });

/** Neither who called nor what they said: everybody in the room reads it. */
export const WaitingCall = Type.Object({
  id,
  priority: Type.Integer(),
  isPanic: Type.Boolean(),
  type: Nullable(Type.Object({ code: Type.String(), name: Type.String() })),
  postal: Nullable(Type.String()),
  waitingSince: Instant,
});
export type WaitingCall = Static<typeof WaitingCall>;

export const Wallboard = Type.Object({
  job: Type.Object({ name: Type.String(), label: Type.String() }),
  /** What the link is called. */
  name: Type.String(),
  /** The most urgent first, and in each priority the one that waits longest. */
  waiting: Type.Array(WaitingCall),
  /** Also those that there is no room for. */
  waitingCount: Type.Integer(),
  openCount: Type.Integer(),
  /** A call that waits for longer is late. */
  waitSeconds: Type.Integer(),
  /** Units with a crew, by status. */
  units: Type.Array(Type.Object({ base: OneOf(baseKinds), count: Type.Integer() })),
  onDuty: Type.Integer(),
});
export type Wallboard = Static<typeof Wallboard>;

export const readWallboard = defineOperation({
  id: "wallboard.read",
  method: "GET",
  path: "/api/wallboard/board",
  summary: "What the wallboard of a job shows: waiting calls, units by status, and how many are on duty",
  access: access.link(wallboardLink),
  rate: "read",
  input: {},
  output: Wallboard,
  example: {
    output: {
      job: { name: "police", label: "Police" },
      name: "Front office",
      waiting: [
        {
          ...{ id: 12, priority: 2, isPanic: false, type: { code: "10-50", name: "Crash" } },
          ...{ postal: "204", waitingSince: 1_795_000_000_000 },
        },
      ],
      ...{ waitingCount: 1, openCount: 3, waitSeconds: 120 },
      units: baseKinds.map((base) => ({ base, count: base === "available" ? 2 : 0 })),
      onDuty: 5,
    },
  },
});

export const WallboardLink = Type.Object({
  id,
  name: Type.String(),
  createdBy: Type.String(),
  createdAt: Instant,
  expiresAt: Instant,
});
export type WallboardLink = Static<typeof WallboardLink>;

const exampleLink: WallboardLink = {
  ...{ id: 3, name: "Front office", createdBy: "mara" },
  ...{ createdAt: 1_795_000_000_000, expiresAt: 1_795_000_000_000 + linkLifeMs },
};

export const listLinks = defineOperation({
  id: "wallboard.links",
  method: "GET",
  path: "/api/wallboard/links",
  summary: "The links to the wallboard of your job, the newest first",
  access: access.permission(wallboardPermissions.manage),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(WallboardLink) }),
  example: { output: { items: [exampleLink] } },
});

export const createLink = defineOperation({
  id: "wallboard.createLink",
  method: "POST",
  path: "/api/wallboard/links",
  summary: "Create a link to the wallboard of your job; its address is shown once",
  access: access.permission(wallboardPermissions.manage),
  rate: "write",
  input: { body: Type.Object({ name: Type.String({ minLength: 1, maxLength: longestName }) }) },
  output: Type.Object({
    link: WallboardLink,
    /** With the secret in the fragment, which browsers send to no server. */
    url: Type.String(),
  }),
  errors: [wallboardErrors.full],
  example: {
    body: { name: "Front office" },
    output: { link: exampleLink, url: "https://city.example/wallboard#7K2M-Q9XA-4B0T-ZC8W" },
  },
});

export const revokeLink = defineOperation({
  id: "wallboard.revokeLink",
  method: "DELETE",
  path: "/api/wallboard/links/:id",
  summary: "Revoke a link to the wallboard of your job; screens that show it say so at once",
  access: access.permission(wallboardPermissions.manage),
  rate: "write",
  input: { params: Type.Object({ id }) },
  output: null,
  errors: [wallboardErrors.notFound],
  example: { params: { id: 3 } },
});

/** Something changed that the board of the link shows. */
export const wallboardTopic = defineTopic({
  name: "wallboard",
  kind: "event",
  access: access.link(wallboardLink),
  message: Type.Object({ changed: Type.Boolean() }),
  example: { changed: true },
});

export const wallboardContract = {
  operations: [readWallboard, listLinks, createLink, revokeLink],
  topics: [wallboardTopic],
  links: [wallboardLink],
  objects: ["wallboard.link"],
  errors: wallboardErrors,
  permissions: Object.values(wallboardPermissions),
};
