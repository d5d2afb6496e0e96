import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { type Call, callsExport, CallsFilters, callsPermissions, mostExported } from "./calls.contract.ts";
import type { CallLists, CallsQuery } from "./calls.list.service.ts";
import { refOf } from "./calls.ref.contract.ts";

type Filter = Omit<CallsQuery, "cursor" | "limit">;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The list of calls as people export it: without callers and notes. */
export function callsExportKind(lists: CallLists): ExportKind {
  return exportKind<Filter, Call>({
    id: callsExport,
    access: [access.permission(callsPermissions.view), access.permission(callsPermissions.export)],
    filter: CallsFilters,
    page: "/calls",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => refOf(id) },
      { id: "state", value: ({ state }) => state },
      { id: "priority", value: ({ priority }) => priority },
      { id: "type", value: ({ type }) => type?.name ?? null },
      { id: "message", value: ({ message }) => message },
      { id: "postal", value: ({ postal }) => postal },
      { id: "jobs", value: ({ jobs }) => jobs.map(({ label }) => label).join(", ") },
      { id: "createdAt", type: "instant", value: ({ createdAt }) => createdAt },
      { id: "endedAt", type: "instant", value: ({ ended }) => ended?.at ?? null },
      { id: "endedBy", value: ({ ended }) => ended?.by ?? null },
      { id: "outcome", value: ({ ended }) => ended?.text ?? null },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? JSON.stringify([actor.job, actor.grade]) : ""),
    count: async (tx, { actor, filter }, cap) => await lists.count(tx, viewerOf(actor), filter, cap),
    async read(tx, { actor, filter }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await lists.exported(tx, viewerOf(actor), query);
      return { rows: items, next };
    },
  });
}
