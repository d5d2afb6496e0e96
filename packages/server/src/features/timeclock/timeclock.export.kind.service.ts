import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import type { Static } from "typebox";
import { EntriesFilter, mostExported, timeclockExport, timeclockPermissions } from "./timeclock.contract.ts";
import type { ExportedEntry, HoursService } from "./timeclock.hours.service.ts";
import { scopeOf } from "./timeclock.policy.ts";

type Filter = Static<typeof EntriesFilter>;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** Entries of a range as people export them. */
export function timeclockExportKind(hours: HoursService): ExportKind {
  return exportKind<Filter, ExportedEntry>({
    id: timeclockExport,
    access: [access.permission(timeclockPermissions.view), access.permission(timeclockPermissions.export)],
    filter: EntriesFilter,
    page: "/jobs/timeclock",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ entry }) => `CIT-${entry.citizenId}` },
      { id: "name", value: ({ name }) => name },
      { id: "grade", value: ({ entry }) => entry.job.gradeLabel },
      { id: "from", type: "instant", value: ({ entry }) => entry.from },
      { id: "to", type: "instant", value: ({ entry }) => entry.to },
      { id: "seconds", value: ({ entry }) => entry.seconds },
      { id: "ending", value: ({ entry }) => entry.ending },
      { id: "estimated", value: ({ entry }) => (entry.estimated ? 1 : 0) },
      { id: "state", value: ({ entry }) => entry.state },
      { id: "corrections", value: ({ entry }) => entry.corrections.filter(({ state }) => state === "approved").length },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? scopeOf(actor) : ""),
    count: async (tx, { actor, filter }, cap) => await hours.count(tx, viewerOf(actor), filter, cap),
    async read(tx, { actor, filter }, after, limit) {
      const { items, next } = await hours.exported(tx, viewerOf(actor), filter, { after, limit });
      return { rows: items, next };
    },
  });
}
