import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import type { Static } from "typebox";
import { conductExport, conductPermissions, type ConductEntry, ListFilter, mostExported } from "./conduct.contract.ts";
import type { ConductLists } from "./conduct.list.service.ts";
import { scopeOf } from "./conduct.policy.ts";

type Filter = Static<typeof ListFilter>;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The entries of the register that somebody sees, as they export them. */
export function conductExportKind(lists: ConductLists): ExportKind {
  const { view, write, export: exported } = conductPermissions;
  return exportKind<Filter, ConductEntry>({
    id: conductExport,
    access: [access.permission(view, write), access.permission(exported)],
    filter: ListFilter,
    page: "/conduct",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => id },
      { id: "person", value: ({ citizen }) => `CIT-${citizen.id}` },
      { id: "name", value: ({ citizen }) => citizen.name },
      { id: "kind", value: ({ kind }) => kind.name },
      { id: "tone", value: ({ tone }) => tone },
      { id: "points", value: ({ points }) => points },
      { id: "state", value: ({ state }) => state },
      { id: "releasedAt", type: "instant", value: ({ releasedAt }) => releasedAt },
      { id: "expiresOn", value: ({ expiresOn }) => expiresOn },
      { id: "acknowledgedAt", type: "instant", value: ({ acknowledgedAt }) => acknowledgedAt },
      { id: "author", value: ({ author }) => author?.name ?? null },
      { id: "text", value: ({ text }) => text },
      { id: "reply", value: ({ reply }) => reply?.text ?? null },
      { id: "withdrawn", value: ({ withdrawn }) => withdrawn?.reason ?? null },
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
