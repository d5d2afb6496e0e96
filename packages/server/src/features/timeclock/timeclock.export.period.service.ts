import type { Actor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { type Static, Type } from "typebox";
import { id, mostPeriodRows, periodExport, type PeriodSum, timeclockErrors, timeclockPermissions } from "./timeclock.contract.ts";
import type { PeriodRow } from "./timeclock.periods.repo.ts";
import type { PeriodsService } from "./timeclock.periods.service.ts";

const Filter = Type.Object({ periodId: id });
type Filter = Static<typeof Filter>;

const jobOf = (actor: Actor): string => {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor.job;
};

/** The hours of a closed pay period as people export them. */
export function periodExportKind(periods: PeriodsService): ExportKind {
  const requireClosed = async (tx: Tx, actor: Actor, { periodId }: Filter): Promise<PeriodRow> => {
    const row = await periods.closed(tx, jobOf(actor), periodId);
    if (row === null) throw new AppError(timeclockErrors.periodNotFound);
    return row;
  };
  return exportKind<Filter, PeriodSum>({
    id: periodExport,
    access: [access.permission(timeclockPermissions.close), access.permission(timeclockPermissions.export)],
    filter: Filter,
    page: "/jobs/timeclock/periods",
    mostRows: mostPeriodRows,
    columns: [
      { id: "id", value: (one) => `CIT-${one.id}` },
      { id: "name", value: ({ name }) => name },
      { id: "seconds", value: ({ seconds }) => seconds },
      { id: "later", value: ({ laterSeconds }) => laterSeconds },
      { id: "sum", value: ({ seconds, laterSeconds }) => seconds + laterSeconds },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? actor.job : ""),
    count: async (tx, { actor, filter }, cap) => Math.min(cap, (await requireClosed(tx, actor, filter)).people ?? 0),
    async read(tx, { actor, filter }, after, limit) {
      const { items, next } = await periods.frozen(tx, await requireClosed(tx, actor, filter), after, limit);
      return { rows: items, next };
    },
  });
}
