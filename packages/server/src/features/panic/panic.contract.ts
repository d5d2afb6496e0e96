import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import { batchSource, gameKey } from "#features/sync/sync.contract.ts";
import { Coordinate, JobName } from "#features/calls/calls.contract.ts";
import {
  examplePanic,
  id,
  longestNote,
  Panic,
  panicErrors,
  panicOrders,
  panicPermissions,
  panicViews,
} from "./panic.base.contract.ts";
import { alarmMachine, panicMachine, panicOutcomes } from "./panic.machine.ts";

export * from "./panic.base.contract.ts";
export { type PanicOutcome, panicOutcomes } from "./panic.machine.ts";

/** As long as their calls. Milliseconds. */
export const panicKeptMs = days(365);
export const panicExport = "panic.list";
export const mostExported = 50_000;
/** Active ones in one answer. */
export const mostActive = 100;
/** The statistics are of this time. */
export const statisticsDays = 30;

const byId = Type.Object({ id });

const narrowing = {
  q: Type.Optional(Type.String({ maxLength: 64, description: "Part of the name or the postal code, or a number as DSP-12" })),
  state: Type.Optional(OneOf(panicMachine.states)),
  ...panicOrders.query,
};
export const PanicFilters = Type.Object(narrowing);

export const listPresentPanics = defineOperation({
  id: "panic.present",
  method: "GET",
  path: "/api/panic/present",
  summary: "Active panics that alarm you or that you pressed, and whether you can press",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(Panic),
    /** On duty in any job. */
    onDuty: Type.Boolean(),
  }),
  // Every page reads it: with one in it, each example of a page would ring.
  example: { output: { items: [], onDuty: true } },
});

export const pressPanic = defineOperation({
  id: "panic.press",
  method: "POST",
  path: "/api/panic",
  summary: "Alarm your job, on duty; pressed again it is counted",
  access: access.character(),
  rate: "write",
  input: {},
  output: Panic,
  errors: [panicErrors.notOnDuty, panicErrors.tooSoon, panicErrors.tooMany],
  example: { output: { ...examplePanic, mine: true, rings: false, may: ["cancel"] } },
});

export const cancelPanic = defineOperation({
  id: "panic.cancel",
  method: "POST",
  path: "/api/panic/:id/cancel",
  summary: "Cancel your own panic, in the first seconds",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: Panic,
  errors: [panicErrors.notFound, panicErrors.ended, panicErrors.tooLate],
  example: { params: { id: 4 }, output: { ...examplePanic, state: "cancelled", mine: true, rings: false, may: [] } },
});

export const acknowledgePanic = defineOperation({
  id: "panic.acknowledge",
  method: "POST",
  path: "/api/panic/:id/acknowledge",
  summary: "End the alarm of your job: somebody is responding; a second answer changes nothing",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: Panic,
  errors: [panicErrors.notFound, panicErrors.ended, panicErrors.own, panicErrors.notAlarmed],
  example: { params: { id: 4 }, output: { ...examplePanic, rings: false, may: ["end"] } },
});

export const endPanic = defineOperation({
  id: "panic.end",
  method: "POST",
  path: "/api/panic/:id/end",
  summary: "End a panic as real, false or a test; its call ends with it",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      version: Version,
      outcome: OneOf(panicOutcomes),
      note: Type.Optional(Nullable(Type.String({ maxLength: longestNote }))),
    }),
  },
  output: Panic,
  errors: [panicErrors.notFound, panicErrors.ended, panicErrors.notDispatcher, panicErrors.stale],
  example: {
    params: { id: 4 },
    body: { version: 2, outcome: "real", note: "Officer is safe" },
    output: {
      ...examplePanic,
      version: 3,
      state: "real",
      rings: false,
      ended: { at: 1_795_000_600_000, by: "Ida Holm", note: "Officer is safe" },
      may: [],
    },
  },
});

export const listPanics = defineOperation({
  id: "panic.list",
  method: "GET",
  path: "/api/panic",
  summary: "List and search the panics that alarmed your job",
  access: access.permission(panicPermissions.view),
  rate: "search",
  input: { query: Type.Object({ ...pageQuery, ...narrowing }) },
  output: PageOf(Panic),
  example: { query: { q: "lind" }, output: { items: [examplePanic], next: null, total: 1, totalCapped: false } },
});

export const getPanic = defineOperation({
  id: "panic.get",
  method: "GET",
  path: "/api/panic/:id",
  summary: "Open a panic that alarmed your job or you, or that you pressed",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: Panic,
  errors: [panicErrors.notFound],
  example: { params: { id: 4 }, output: examplePanic },
});

export const getPanicStatistics = defineOperation({
  id: "panic.statistics",
  method: "GET",
  path: "/api/panic/statistics",
  summary: "How the panics of the last days ended, and how fast your job acknowledged them",
  access: access.permission(panicPermissions.view),
  rate: "read",
  input: {},
  output: Type.Object({
    days: Type.Integer(),
    /** By state, those without any left out. */
    states: Type.Array(Type.Object({ state: OneOf(panicMachine.states), count: Type.Integer({ minimum: 1 }) })),
    /** By the own job. */
    acknowledged: Type.Integer({ minimum: 0 }),
    /** Half of them were faster; null without any. Seconds. */
    medianSeconds: Nullable(Type.Number()),
    slowestSeconds: Nullable(Type.Number()),
    /** So often everybody on duty had to be alarmed. */
    repeated: Type.Integer({ minimum: 0 }),
  }),
  example: {
    output: {
      days: statisticsDays,
      states: [
        { state: "real", count: 5 },
        { state: "false", count: 2 },
      ],
      acknowledged: 7,
      medianSeconds: 6.5,
      slowestSeconds: 48,
      repeated: 1,
    },
  },
});

const Job = Type.Object({ name: Type.String(), label: Type.String() });

export const PanicRules = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  /** The job that gets the panics too, because the own one has no dispatch centre; null for none. */
  to: Nullable(JobName),
});
export type PanicRules = Static<typeof PanicRules>;
export const usualRules: PanicRules = { version: 0, to: null };

export const getPanicRules = defineOperation({
  id: "panic.rules",
  method: "GET",
  path: "/api/panic/rules",
  summary: "Who gets the panics of your job, and whose panics your job gets",
  access: access.permission(panicPermissions.setup),
  rate: "read",
  input: {},
  output: Type.Object({
    rules: PanicRules,
    /** Jobs that may be named. */
    jobs: Type.Array(Job),
    /** Jobs that name the own one. */
    from: Type.Array(Job),
  }),
  example: { output: { rules: usualRules, jobs: [{ name: "police", label: "Police" }], from: [] } },
});

export const putPanicRules = defineOperation({
  id: "panic.putRules",
  method: "PUT",
  path: "/api/panic/rules",
  summary: "Set who gets the panics of your job",
  access: access.permission(panicPermissions.setup),
  rate: "write",
  input: { body: PanicRules },
  output: PanicRules,
  errors: [panicErrors.stale, panicErrors.jobNotFound, panicErrors.ownJob],
  example: { body: { version: 0, to: "police" }, output: { version: 1, to: "police" } },
});

const identifier = gameKey(64, { description: "The character, as in `users`" });

export const syncPanic = defineOperation({
  id: "panic.sync",
  method: "POST",
  path: "/api/sync/v1/panic",
  summary: "A character on duty pressed the panic button",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    body: Type.Object({
      source: batchSource,
      identifier,
      x: Type.Optional(Nullable(Coordinate)),
      y: Type.Optional(Nullable(Coordinate)),
    }),
  },
  output: Type.Object({
    id,
    ref: Type.String({ description: "Of its call, as people read it, such as `DSP-12`" }),
    presses: Type.Integer({ minimum: 1, description: "1 for a new one" }),
    cancelUntil: Instant,
  }),
  errors: [panicErrors.citizenNotFound, panicErrors.notOnDuty, panicErrors.tooSoon, panicErrors.tooMany],
  example: {
    body: { source: "city-1", identifier: "char1:0a1b2c3d", x: 147.2, y: -1044.8 },
    output: { id: 4, ref: "DSP-231", presses: 1, cancelUntil: 1_795_000_010_000 },
  },
});

export const syncCancelPanic = defineOperation({
  id: "panic.syncCancel",
  method: "POST",
  path: "/api/sync/v1/panic/cancel",
  summary: "A character cancels their panic, in the first seconds",
  access: access.sync(),
  idempotent: "effect",
  rate: "sync",
  input: { body: Type.Object({ source: batchSource, identifier }) },
  output: Type.Object({ cancelled: Type.Boolean({ description: "False where none was active" }) }),
  errors: [panicErrors.citizenNotFound, panicErrors.tooLate],
  example: { body: { source: "city-1", identifier: "char1:0a1b2c3d" }, output: { cancelled: true } },
});

/** A panic of these jobs changed, or their rules. Without texts; who pressed follows it too. */
export const panicChanged = defineEvent({
  id: "panic.changed",
  version: 1,
  payload: Type.Object({
    jobs: Type.Array(Type.String()),
    people: Type.Array(id),
    /** Null where only rules changed, and for somebody who was removed for good. */
    panic: Nullable(Type.Object({ id, version: Version, citizenId: id, active: Type.Boolean(), until: Instant })),
  }),
});

/** Something changed about panics of the own job, or about the own duty. */
export const panicTopic = defineTopic({
  name: "panic",
  kind: "event",
  access: access.character(),
  message: Type.Object({ changed: Type.Boolean() }),
  invalidates: { answers: [listPresentPanics, listPanics, getPanic, getPanicStatistics, getPanicRules] },
  example: { changed: true },
});

/** Where those are who pressed, by the id of the panic, for those who answer it; also a hidden place. */
export const panicPlacesTopic = defineTopic({
  name: "panicplaces",
  kind: "state",
  rate: 1,
  maxAgeMs: 60_000,
  access: access.permission(panicPermissions.answer),
  moves: { x: "line", y: "line" },
  message: Type.Object({
    x: Type.Number({ precision: 0.1 }),
    y: Type.Number({ precision: 0.1 }),
    postal: Nullable(Type.String()),
  }),
  example: { x: 215.5, y: -810.2, postal: "204" },
});

/** Nobody of a job may have acknowledged until this instant. */
export const repeatPanic = defineWorkerTask({
  id: "panic.repeat",
  payload: Type.Object({ id, job: Type.String(), at: Instant }),
  lane: "prompt",
});

export const panicRaised = defineNotification({
  id: "panic.raised",
  tone: "danger",
  params: ["name", "job", "where"],
  channels: ["bell"],
});

export const panicUnanswered = defineNotification({
  id: "panic.unanswered",
  tone: "danger",
  params: ["name", "job", "where"],
  channels: ["bell", "toast", "sound"],
});

/** The last notification: nobody has acknowledged for long, and the panic stays open. */
export const panicAbandoned = defineNotification({
  id: "panic.abandoned",
  tone: "danger",
  params: ["name", "job", "where", "minutes"],
  channels: ["bell", "toast", "sound"],
});

export const panicContract = {
  operations: [
    listPresentPanics,
    pressPanic,
    cancelPanic,
    acknowledgePanic,
    endPanic,
    listPanics,
    getPanic,
    getPanicStatistics,
    getPanicRules,
    putPanicRules,
    syncPanic,
    syncCancelPanic,
  ],
  events: [panicChanged],
  topics: [panicTopic, panicPlacesTopic],
  tasks: [repeatPanic],
  notifications: [panicRaised, panicUnanswered, panicAbandoned],
  machines: [panicMachine, alarmMachine],
  objects: ["panic.panic"],
  actions: ["panic.repeat"],
  errors: panicErrors,
  permissions: Object.values(panicPermissions),
  preferences: [panicViews],
};
