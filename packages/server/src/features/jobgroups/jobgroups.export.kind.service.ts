import type { Static } from "typebox";
import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { GroupFilter, jobgroupsExport, jobgroupsPermissions, type Member, mostExported } from "./jobgroups.contract.ts";
import type { GroupPeople } from "./jobgroups.people.service.ts";

type Filter = Static<typeof GroupFilter>;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The members of a group as people export them. */
export function jobgroupsExportKind(people: GroupPeople): ExportKind {
  return exportKind<Filter, Member>({
    id: jobgroupsExport,
    access: [access.permission(jobgroupsPermissions.list), access.permission(jobgroupsPermissions.members)],
    filter: GroupFilter,
    page: "/groups",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => `CIT-${id}` },
      { id: "name", value: ({ name }) => name },
      { id: "grade", value: ({ grade }) => grade },
      { id: "byHand", value: ({ byHand }) => (byHand ? "yes" : "no") },
      { id: "leads", value: ({ leads }) => (leads ? "yes" : "no") },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? actor.job : ""),
    count: async (tx, { actor, filter }, cap) => await people.count(tx, viewerOf(actor), filter.group, cap),
    async read(tx, { actor, filter }, after, limit) {
      const query = { limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await people.exported(tx, viewerOf(actor), filter.group, query);
      return { rows: items, next };
    },
  });
}
