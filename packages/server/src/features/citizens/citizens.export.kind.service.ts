import type { Actor, Viewer } from "#core/actor.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { namesOfBadge } from "#features/jobs/jobs.api.ts";
import {
  type CitizenField,
  type CitizenRow,
  citizensExport,
  CitizensFilters,
  citizensPermissions,
  mostExported,
} from "./citizens.contract.ts";
import type { CitizensList, ListQuery } from "./citizens.list.service.ts";

type Filter = Omit<ListQuery, "cursor" | "limit">;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The list of citizens as a viewer sees it, as people export it. */
export function citizensExportKind(list: CitizensList): ExportKind {
  const sees = (field: CitizenField) => (actor: Actor) => actor.kind === "character" && list.fieldsOf(actor).has(field);
  return exportKind<Filter, CitizenRow>({
    id: citizensExport,
    access: [access.permission(citizensPermissions.list), access.permissionOrConfigAdmin(citizensPermissions.export)],
    filter: CitizensFilters,
    page: "/citizens",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => `CIT-${id}` },
      { id: "firstName", value: ({ firstName }) => firstName },
      { id: "lastName", value: ({ lastName }) => lastName },
      { id: "dateOfBirth", value: ({ dateOfBirth }) => dateOfBirth },
      { id: "sex", value: ({ sex }) => sex },
      { id: "height", value: ({ height }) => height },
      { id: "job", visibleTo: sees("job"), value: ({ job }) => job?.label ?? null },
      { id: "grade", visibleTo: sees("job"), value: ({ job }) => job?.gradeLabel ?? null },
      { id: "phoneNumber", visibleTo: sees("phone"), value: ({ phoneNumber }) => phoneNumber ?? null },
      { id: "visum", visibleTo: sees("visum"), value: ({ visum }) => visum ?? null },
      { id: "playtime", visibleTo: sees("playtime"), value: ({ playtime }) => playtime ?? null },
      { id: "updatedAt", type: "instant", value: ({ updatedAt }) => updatedAt },
      // Behind the others, whose places people may count on.
      {
        id: "jobs",
        visibleTo: sees("job"),
        value: ({ jobs = [] }) => jobs.map((job) => namesOfBadge(job).join(" · ")).join(", "),
      },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? JSON.stringify([...list.fieldsOf(actor)].toSorted()) : ""),
    count: async (tx, { actor, filter, requestedAt }, cap) => await list.count(tx, viewerOf(actor), filter, requestedAt, cap),
    async read(tx, { actor, filter, requestedAt }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await list.exported(tx, viewerOf(actor), query, requestedAt);
      return { rows: items, next };
    },
    onlyRow: async ({ actor, filter }, citizen) => await list.noteLookUp(viewerOf(actor), filter, citizen),
  });
}
