import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import type { Static } from "typebox";
import { type Absence, absencesExport, absencesPermissions, mostExported, MonthFilter } from "./absences.contract.ts";
import type { AbsenceLists } from "./absences.list.service.ts";
import { scopeOf } from "./absences.policy.ts";

type Filter = Static<typeof MonthFilter>;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The absences of a month as people export them. */
export function absencesExportKind(lists: AbsenceLists): ExportKind {
  return exportKind<Filter, Absence>({
    id: absencesExport,
    access: [access.permission(absencesPermissions.list), access.permission(absencesPermissions.export)],
    filter: MonthFilter,
    page: "/absences",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ citizen }) => `CIT-${citizen.id}` },
      { id: "name", value: ({ citizen }) => citizen.name },
      { id: "grade", value: ({ citizen }) => citizen.job.gradeLabel },
      { id: "firstDay", value: ({ firstDay }) => firstDay },
      { id: "lastDay", value: ({ lastDay }) => lastDay },
      { id: "state", value: ({ state }) => state },
      { id: "kind", value: ({ kind }) => kind?.name ?? null },
      { id: "reason", value: ({ reason }) => reason ?? null },
      { id: "substitute", value: ({ substitute }) => substitute?.name ?? null },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? scopeOf(actor) : ""),
    count: async (tx, { actor, filter }, cap) => await lists.count(tx, viewerOf(actor), filter, cap),
    async read(tx, { actor, filter }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await lists.exported(tx, viewerOf(actor), query);
      return { rows: items, next };
    },
  });
}
