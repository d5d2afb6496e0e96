import type { Actor, Viewer } from "#core/actor.ts";
import { access } from "#core/contract/index.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { dutyExport, DutyPeriodsFilter, historyPermissions, mostExported } from "./duty.history.contract.ts";
import type { DutyHistory, Period, PeriodsFilter } from "./duty.history.service.ts";
import { visibleClass, visibleJobs } from "./duty.visible.policy.ts";

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The duties of a job that have ended, as people export them. */
export function dutyExportKind(history: DutyHistory): ExportKind {
  return exportKind<PeriodsFilter, Period>({
    id: dutyExport,
    access: [access.permission(historyPermissions.export)],
    filter: DutyPeriodsFilter,
    page: "/duty",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ row }) => row.id },
      { id: "citizenId", value: ({ row }) => `CIT-${row.citizen_id}` },
      { id: "name", value: ({ name }) => name },
      { id: "job", value: ({ job }) => job.label },
      { id: "grade", value: ({ job }) => job.gradeLabel },
      { id: "from", type: "instant", value: ({ row }) => row.from_at },
      { id: "to", type: "instant", value: ({ row }) => row.to_at },
      { id: "seconds", value: ({ row }) => Math.round((row.to_at - row.from_at) / 1000) },
      { id: "startedBy", value: ({ row }) => row.started_by },
      { id: "ending", value: ({ row }) => row.ending },
      { id: "estimated", value: ({ row }) => row.estimated },
      { id: "proposed", value: ({ row }) => row.proposed },
      { id: "source", value: ({ row }) => row.source },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? visibleClass(visibleJobs(actor)) : ""),
    count: async (tx, { actor, filter, requestedAt }, cap) => await history.count(tx, viewerOf(actor), filter, requestedAt, cap),
    read: async (tx, { actor, filter, requestedAt }, after, limit) =>
      await history.exported(tx, viewerOf(actor), filter, { requestedAt, after, limit }),
  });
}
