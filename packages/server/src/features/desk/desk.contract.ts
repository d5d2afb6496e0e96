import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineErrors,
  defineEvent,
  defineOperation,
  definePermission,
  definePreference,
  defineTopic,
  defineWorkerTask,
  Instant,
  inWords,
} from "#core/contract/index.ts";

export const deskPermissions = {
  /** Sign on as a dispatcher by opening the desk. */
  open: definePermission("desk.open"),
  /** With `desk.open`: without being on duty in the job. */
  offDuty: definePermission("desk.offDuty"),
};

/** Windows of one person that are open at once. */
export const mostWindows = 8;

export const deskErrors = defineErrors("desk", {
  notOnDuty: { status: 409, params: ["job"] },
  tooManyWindows: { status: 409, params: ["most"] },
});

/** An open desk says so in this time again. Milliseconds. */
export const beatMs = 15_000;
/** A window that says nothing for this time has ended. Milliseconds. */
export const leaseMs = 45_000;
/** The same for one that nobody looks at: browsers let its timers run once a minute. Milliseconds. */
export const hiddenLeaseMs = 100_000;
/** One that was closed ends after this time, so that loading the page again signs nobody off. Milliseconds. */
export const closedForMs = 20_000;

/** A window that ended without saying so is removed in any case after this time. Milliseconds. */
export const windowsKeptMs = days(1);

/**
 * How the desk is laid out, by the divider between two panes: the share of the first one in percent, and where the second one
 * is collapsed.
 */
export const deskPanes = definePreference({
  id: "desk.panes",
  per: "account",
  version: 1,
  schema: Type.Object(
    {
      sizes: Type.Record(Type.String({ maxLength: 20 }), Type.Integer({ minimum: 10, maximum: 90 }), { maxProperties: 8 }),
      collapsed: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 8 })),
    },
    { additionalProperties: false },
  ),
  default: { sizes: {} },
});

/** Somebody who is signed on. */
export const Dispatcher = Type.Object({
  /** Of the citizen. */
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  job: Type.Object({ name: Type.String(), label: Type.String() }),
  since: Instant,
});
export type Dispatcher = Static<typeof Dispatcher>;

export const Dispatchers = Type.Object({
  /** Of the viewer's job first, in each job who is there longest first. */
  items: Type.Array(Dispatcher),
  /** The viewer is one of them. */
  signedOn: Type.Boolean(),
});
export type Dispatchers = Static<typeof Dispatchers>;

const exampleDispatchers: Dispatchers = {
  items: [{ id: 12, name: "Mara Lind", job: { name: "police", label: "Police" }, since: 1_795_000_000_000 }],
  signedOn: true,
};

const byWindow = Type.Object({
  window: Type.String({
    minLength: 16,
    maxLength: 36,
    pattern: "^[a-z0-9-]+$",
    ...inWords("must consist of 16 to 36 small letters, digits and dashes"),
  }),
});
const exampleWindow = "3f0a1c7e9b2d4856";

export const listDispatchers = defineOperation({
  id: "desk.dispatchers",
  method: "GET",
  path: "/api/dispatch/desk",
  summary: "Who is signed on as a dispatcher in your job, and in those that work an open call with it",
  access: access.character(),
  rate: "read",
  input: {},
  output: Dispatchers,
  example: { output: exampleDispatchers },
});

/** Repeated while the window is open. */
export const signOn = defineOperation({
  id: "desk.signOn",
  method: "PUT",
  path: "/api/dispatch/desk/windows/:window",
  summary: "Sign on as a dispatcher for as long as this window of the desk says so again",
  access: access.permission(deskPermissions.open),
  rate: "write",
  input: {
    params: byWindow,
    body: Type.Object({
      /** Nobody looks at it. */
      hidden: Type.Boolean(),
    }),
  },
  output: Type.Object({ until: Instant }),
  errors: [deskErrors.notOnDuty, deskErrors.tooManyWindows],
  example: { params: { window: exampleWindow }, body: { hidden: false }, output: { until: 1_795_000_045_000 } },
});

export const signOff = defineOperation({
  id: "desk.signOff",
  method: "DELETE",
  path: "/api/dispatch/desk/windows/:window",
  summary: "Sign off in a window of the desk at once; another open one keeps you signed on",
  access: access.character(),
  rate: "write",
  input: { params: byWindow },
  output: null,
  example: { params: { window: exampleWindow } },
});

/** Of a page that ends, perhaps because it is loaded again. */
export const closeWindow = defineOperation({
  id: "desk.close",
  method: "POST",
  path: "/api/dispatch/desk/windows/:window/close",
  summary: "Say that a window of the desk was closed: you stay signed on for some seconds, or for as long as another one is open",
  access: access.character(),
  rate: "write",
  input: { params: byWindow },
  output: null,
  example: { params: { window: exampleWindow } },
});

/** People of these jobs signed on or off. */
export const deskChanged = defineEvent({
  id: "desk.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** Somebody signed on or off. */
export const deskTopic = defineTopic({
  name: "desk",
  kind: "event",
  access: access.character(),
  message: Type.Object({ changed: Type.Boolean() }),
  invalidates: { answers: [listDispatchers] },
  example: { changed: true },
});

/** The last window of a person may have ended. */
export const endWindows = defineWorkerTask({
  id: "desk.endWindows",
  payload: Type.Object({ citizenId: Type.Integer({ minimum: 1 }) }),
  lane: "prompt",
});

export const deskContract = {
  operations: [listDispatchers, signOn, closeWindow, signOff],
  events: [deskChanged],
  topics: [deskTopic],
  tasks: [endWindows],
  actions: ["desk.ended"],
  errors: deskErrors,
  permissions: Object.values(deskPermissions),
  preferences: [deskPanes],
};
