import type { Actor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import type { Static } from "typebox";
import { type LoadCell, loadExport, LoadFilter, mostLoadRows, timeclockPermissions } from "./timeclock.contract.ts";
import type { LoadService } from "./timeclock.load.service.ts";
import { scopeOf } from "./timeclock.policy.ts";

type Filter = Static<typeof LoadFilter>;

interface LoadRow extends LoadCell {
  /** 1 is Monday. */
  readonly weekday: number;
  readonly hour: number;
}

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

/** The load of a job as people export it: a row for each hour of the week. */
export function loadExportKind(load: LoadService): ExportKind {
  return exportKind<Filter, LoadRow>({
    id: loadExport,
    access: [access.permission(timeclockPermissions.view), access.permission(timeclockPermissions.export)],
    filter: LoadFilter,
    page: "/jobs/timeclock",
    mostRows: mostLoadRows,
    columns: [
      { id: "weekday", value: ({ weekday }) => weekday },
      { id: "hour", value: ({ hour }) => hour },
      { id: "people", value: ({ people }) => people },
      { id: "seconds", value: ({ seconds }) => seconds },
      { id: "hours", value: ({ hours }) => hours },
      { id: "unknown", value: ({ unknown }) => unknown },
    ],
    scopeOf: (actor) => (actor.kind === "character" ? scopeOf(actor) : ""),
    async count(tx, { actor, filter }, cap) {
      await load.require(tx, viewerOf(actor), filter);
      return Math.min(cap, mostLoadRows);
    },
    async read(tx, { actor, filter }) {
      const { cells } = await load.read(tx, viewerOf(actor), filter);
      return { rows: cells.flatMap((row, day) => row.map((cell, hour) => ({ weekday: day + 1, hour, ...cell }))), next: null };
    },
  });
}
