import { refOf } from "#features/calls/calls.contract.ts";
import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { mostExported, type Panic, panicExport, PanicFilters, panicPermissions } from "./panic.contract.ts";
import type { PanicLists, PanicsQuery } from "./panic.list.service.ts";

type Filter = Omit<PanicsQuery, "cursor" | "limit">;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The first acknowledgement. */
const firstOf = ({ alarms }: Panic) =>
  alarms.filter(({ at }) => at !== null).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))[0] ?? null;

/** The history as people export it. */
export function panicExportKind(lists: PanicLists): ExportKind {
  return exportKind<Filter, Panic>({
    id: panicExport,
    access: [access.permission(panicPermissions.view), access.permission(panicPermissions.export)],
    filter: PanicFilters,
    page: "/panic",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ callId }) => refOf(callId) },
      { id: "state", value: ({ state }) => state },
      { id: "person", value: ({ person }) => person?.name ?? null },
      { id: "job", value: ({ job }) => job.label },
      { id: "pressedAt", type: "instant", value: ({ pressedAt }) => pressedAt },
      { id: "presses", value: ({ presses }) => presses },
      { id: "postal", value: ({ postal }) => postal },
      { id: "jobs", value: ({ alarms }) => alarms.map(({ job }) => job.label).join(", ") },
      { id: "acknowledgedAt", type: "instant", value: (one) => firstOf(one)?.at ?? null },
      { id: "acknowledgedBy", value: (one) => firstOf(one)?.by ?? null },
      { id: "endedAt", type: "instant", value: ({ ended }) => ended?.at ?? null },
      { id: "endedBy", value: ({ ended }) => ended?.by ?? null },
      { id: "note", value: ({ ended }) => ended?.note ?? null },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? actor.job : ""),
    count: async (tx, { actor, filter }, cap) => await lists.count(tx, viewerOf(actor), filter, cap),
    async read(tx, { actor, filter }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await lists.page(tx, viewerOf(actor), query);
      return { rows: items, next };
    },
  });
}
