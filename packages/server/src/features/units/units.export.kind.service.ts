import { Type } from "typebox";
import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { type Unit, unitsExport, unitsPermissions } from "./units.contract.ts";
import type { FoundUnits } from "./units.found.service.ts";

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The units that somebody sees as they are at this moment, with their crews. */
export function unitsExportKind(found: FoundUnits): ExportKind {
  return exportKind<Record<string, unknown>, Unit>({
    id: unitsExport,
    access: [access.permission(unitsPermissions.export)],
    filter: Type.Object({}),
    page: "/units",
    mostRows: 10_000,
    columns: [
      { id: "name", value: ({ name }) => name },
      { id: "callsign", value: ({ callsign }) => callsign },
      { id: "job", value: ({ job }) => job.label },
      { id: "status", value: ({ status }) => status.name ?? status.base },
      { id: "since", type: "instant", value: ({ status }) => status.since },
      { id: "members", value: ({ crew }) => crew.length },
      { id: "crew", value: ({ crew }) => crew.map(({ name, role }) => (role === null ? name : `${name} (${role})`)).join(", ") },
      { id: "minCrew", value: ({ minCrew }) => minCrew },
      { id: "maxCrew", value: ({ maxCrew }) => maxCrew },
      { id: "tags", value: ({ tags }) => tags.join(", ") },
      { id: "homePostal", value: ({ homePostal }) => homePostal },
      { id: "radio", value: ({ radio }) => radio },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? JSON.stringify([actor.job, actor.grade]) : ""),
    count: async (tx, { actor }, cap) => Math.min(cap, (await found.all(tx, viewerOf(actor))).length),
    async read(tx, { actor }, after, limit) {
      const behind = after === null ? 0 : Number(after);
      const rows = (await found.all(tx, viewerOf(actor))).filter(({ id }) => id > behind);
      const page = rows.slice(0, limit);
      return { rows: page, next: rows.length > limit ? String(page.at(-1)!.id) : null };
    },
  });
}
