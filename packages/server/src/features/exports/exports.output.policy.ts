import type { TaskStatus } from "#core/ports/index.ts";
import { type Export, exportsErrors, keptMs } from "./exports.contract.ts";
import type { ExportRow } from "./exports.repo.ts";

type Outcome = Pick<Export, "state" | "error" | "rows" | "total">;

function outcomeOf(row: ExportRow, status: TaskStatus | null): Outcome {
  if (row.state === "done") return { state: "done", error: null, rows: row.rows, total: row.rows };
  const progress = { rows: status?.progress?.done ?? 0, total: status?.progress?.total || null };
  // A task without its effect is one that was given up: the next request closes the row.
  if (row.state === "open" && status && status.state !== "dead") return { state: status.state, error: null, ...progress };
  const params = JSON.parse(row.error_params ?? "{}") as Record<string, string | number>;
  return { state: "failed", error: { code: row.error ?? exportsErrors.failed.code, params }, ...progress };
}

/** An export as its person sees it; `status` is that of its task while it is open. */
export function exportOf(row: ExportRow, status: TaskStatus | null): Export {
  return {
    id: row.id,
    kind: row.kind,
    ...outcomeOf(row, status),
    bytes: row.bytes,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    expiresAt: row.kept_since + keptMs,
  };
}
