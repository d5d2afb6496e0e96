import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { callsApi } from "#features/calls/calls.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { unitsApi } from "#features/units/units.api.ts";
import { assignmentsContract } from "./assignments.contract.ts";
import { AssignmentsDemo } from "./assignments.demo.service.ts";
import { assignmentsEvents } from "./assignments.events.ts";
import { WorkFollow } from "./assignments.follow.service.ts";
import { WorkMoves } from "./assignments.moves.service.ts";
import { Offers } from "./assignments.offers.service.ts";
import { WorkPause } from "./assignments.pause.service.ts";
import { removeEnded, removeMoves } from "./assignments.repo.ts";
import { assignmentsRoutes, assignmentsTopics } from "./assignments.routes.ts";
import { WorkRulesService } from "./assignments.rules.service.ts";
import { assignmentsRetention, purgeAssignments } from "./assignments.schedules.ts";
import { assignments, assignmentsMoves, assignmentsRules } from "./assignments.schema.ts";
import { WorkService } from "./assignments.service.ts";
import { ShownWork } from "./assignments.shown.service.ts";
import { WorkStore } from "./assignments.store.service.ts";
import { assignmentsTasks } from "./assignments.worker.ts";

export const assignmentsFeature = defineFeature<Config>({
  name: "assignments",
  about:
    "Which unit works which call. An *assignment* is one unit on one call: *offered* until somebody of the unit answers or the time is over, then *accepted*, on the way, on the scene, and *done*; beside that it may need help. The *mode* of a job says whether dispatchers ask units, members take calls, or both.",
  needs: ["accounts", "audit", "calls", "citizens", "duty", "jobs", "notifications", "units"],
  contract: {
    ...assignmentsContract,
    retention: [purgeAssignments],
    keptForGood: [{ kind: "rules", tables: ["assignments_rules"] }],
  },
  tables: [assignments, assignmentsMoves, assignmentsRules],
  create(context) {
    const shared = {
      ...context,
      audit: context.use(auditApi),
      calls: context.use(callsApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      units: context.use(unitsApi),
    };
    const store = new WorkStore(shared);
    const shown = new ShownWork(shared);
    const follow = new WorkFollow({ ...shared, store });
    shared.units.registerWork(new WorkPause({ ...shared, store }));
    const moves = new WorkMoves({ ...shared, store });
    shared.calls.registerWork({
      on: async (tx, viewer, calls) => await shown.on(tx, viewer, calls),
      ofCrew: async (tx, viewer) => await shown.ofCrew(tx, viewer),
      ofUnit: async (tx, unitId, limit) => await shown.ofUnit(tx, unitId, limit),
      changed: async (tx, callId) => await follow.changed(tx, callId),
      isWorked: async (tx, callId) => await follow.isWorked(tx, callId),
      ended: async (tx, actor, callId, how) => await follow.ended(tx, actor, callId, how),
      merged: async (tx, actor, from, into) => await moves.merged(tx, actor, from, into),
      unmerged: async (tx, actor, fromId, intoId) => await moves.unmerged(tx, actor, fromId, intoId),
      jobsAt: async (tx, callId) => await moves.jobsAt(tx, callId),
      split: async (tx, fromId, intoId, unitIds) => await moves.split(tx, fromId, intoId, unitIds),
    });
    return {
      routes: assignmentsRoutes({
        db: shared.db,
        service: new WorkService({ ...shared, store }),
        offers: new Offers({ ...shared, store }),
        rules: new WorkRulesService({ ...shared, store }),
        shown,
      }),
      topics: assignmentsTopics(),
      events: assignmentsEvents(follow),
      tasks: assignmentsTasks(follow),
      retention: [assignmentsRetention({ ended: removeEnded, moves: removeMoves })],
      demo: async (demo) => await new AssignmentsDemo({ ...shared, store }).load(demo),
    };
  },
});
