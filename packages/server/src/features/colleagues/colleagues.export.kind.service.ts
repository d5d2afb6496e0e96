import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import {
  type ColleagueRow,
  colleaguesExport,
  ColleaguesFilters,
  colleaguesPermissions,
  mostExported,
} from "./colleagues.contract.ts";
import type { ColleaguesQuery } from "./colleagues.filter.service.ts";
import { scopeOf } from "./colleagues.policy.ts";
import type { ColleaguesService } from "./colleagues.service.ts";

type Filter = Omit<ColleaguesQuery, "cursor" | "limit">;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The list as people export it. */
export function colleaguesExportKind(service: ColleaguesService): ExportKind {
  return exportKind<Filter, ColleagueRow>({
    id: colleaguesExport,
    access: [access.permission(colleaguesPermissions.list), access.permission(colleaguesPermissions.export)],
    filter: ColleaguesFilters,
    page: "/jobs/colleagues",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => `CIT-${id}` },
      { id: "prefix", value: ({ prefix }) => prefix },
      { id: "name", value: ({ name }) => name },
      { id: "suffix", value: ({ suffix }) => suffix },
      { id: "grade", value: ({ job }) => job.gradeLabel },
      { id: "since", type: "instant", value: ({ since }) => since },
      { id: "onDuty", value: ({ onDuty }) => (onDuty === null ? "no" : "yes") },
      { id: "labels", value: ({ labels }) => labels?.map(({ name }) => name).join(", ") ?? null },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? scopeOf(actor) : ""),
    count: async (tx, { actor, filter }, cap) => await service.count(tx, viewerOf(actor), filter, cap),
    async read(tx, { actor, filter }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await service.exported(tx, viewerOf(actor), query);
      return { rows: items, next };
    },
  });
}
