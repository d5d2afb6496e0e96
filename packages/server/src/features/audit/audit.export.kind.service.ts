import { type ExportKind, exportKind, type ExportQuery } from "#core/ports/index.ts";
import { type AuditEntry, auditExport, AuditExportFilters, exportAudit, mostExported } from "./audit.contract.ts";
import type { AuditNames } from "./audit.names.service.ts";
import { readerOf } from "./audit.policy.ts";
import { entryOf } from "./audit.output.policy.ts";
import type { AuditQuery, AuditSearch } from "./audit.search.service.ts";

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

type Filter = Omit<AuditQuery, "cursor" | "limit">;

/** Without an end, the export would go on with entries that are written while it runs. */
function bounded({ filter, requestedAt }: ExportQuery<Filter>): Filter {
  return { ...filter, to: filter.to ?? requestedAt };
}

/** The entries that a reader sees, as people export them. */
export function auditExportKind(search: AuditSearch, names: AuditNames): ExportKind {
  return exportKind<Filter, AuditEntry>({
    id: auditExport,
    access: [exportAudit.access],
    filter: AuditExportFilters,
    page: "/panel/audit",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => id },
      { id: "at", type: "instant", value: ({ at }) => at },
      { id: "actorKind", value: ({ actor }) => actor.kind },
      { id: "actor", value: ({ actor }) => actor.name },
      { id: "character", value: ({ actor }) => actor.characterName },
      { id: "characterId", value: ({ actor }) => actor.characterId },
      { id: "job", value: ({ actor }) => actor.job },
      { id: "grade", value: ({ actor }) => actor.grade },
      { id: "adminReason", value: ({ actor }) => actor.adminReason },
      { id: "seenAs", value: ({ actor }) => actor.seenAs },
      { id: "address", value: ({ address }) => address },
      { id: "program", value: ({ program }) => program },
      { id: "action", value: ({ action }) => action },
      { id: "result", value: ({ result }) => result },
      { id: "objectKind", value: ({ object }) => object?.kind ?? null },
      { id: "objectId", value: ({ object }) => object?.id ?? null },
      { id: "targetKind", value: ({ target }) => target?.kind ?? null },
      { id: "targetId", value: ({ target }) => target?.id ?? null },
      { id: "target", value: ({ target }) => target?.name ?? null },
      { id: "times", value: ({ folded }) => folded },
      { id: "before", value: ({ before }) => jsonOf(before) },
      { id: "after", value: ({ after }) => jsonOf(after) },
      { id: "info", value: ({ info }) => jsonOf(info) },
      { id: "trace", value: ({ traceId }) => traceId },
      // Behind the others, whose places people may count on.
      { id: "object", value: ({ object }) => object?.name ?? null },
    ],
    scopeOf: (actor) => JSON.stringify(readerOf(actor).job),
    count: async (tx, query, cap) => await search.count(tx, readerOf(query.actor), bounded(query), cap),
    async read(tx, query, after, limit) {
      const page = { ...bounded(query), ...(after === null ? {} : { cursor: after }), limit };
      const { items, next } = await search.find(tx, readerOf(query.actor), page);
      return { rows: await names.fill(tx, items.map(entryOf)), next };
    },
  });
}
