import { expect, test } from "vitest";
import type { TaskStatus } from "#core/ports/index.ts";
import { exportOf } from "./exports.output.policy.ts";
import type { ExportRow } from "./exports.repo.ts";

const row: ExportRow = {
  id: 7,
  account_id: 1,
  session_id: "s",
  character_id: 12,
  address: "203.0.113.9",
  kind: "x.list",
  filter: "{}",
  scope: "all",
  language: "en",
  slot: 1,
  task_id: "t",
  state: "open",
  error: null,
  error_params: null,
  rows: 0,
  bytes: 0,
  object_key: null,
  created_at: 1000,
  finished_at: null,
  kept_since: 1000,
};
const status: TaskStatus = { state: "running", attempts: 1, progress: { done: 5, total: 9 }, error: null };
const failed = { code: "exports.failed", params: {} };

test.each<[string, Partial<ExportRow>, TaskStatus | null, object]>([
  ["waits", {}, { ...status, state: "waiting", progress: null }, { state: "waiting", rows: 0, total: null, error: null }],
  ["runs", {}, status, { state: "running", rows: 5, total: 9, error: null }],
  ["runs, of an unknown number", {}, { ...status, progress: { done: 5, total: 0 } }, { state: "running", rows: 5, total: null }],
  ["is complete", { state: "done", slot: null, rows: 9, bytes: 99 }, null, { state: "done", rows: 9, total: 9, bytes: 99 }],
  ["died", {}, { ...status, state: "dead" }, { state: "failed", error: failed }],
  ["lost its task", {}, null, { state: "failed", error: failed }],
  [
    "failed",
    { state: "failed", slot: null, error: "exports.tooManyRows", error_params: '{"most":3}' },
    null,
    { state: "failed", error: { code: "exports.tooManyRows", params: { most: 3 } } },
  ],
])("an export that %s", (_what, values, of, shown) => {
  expect(exportOf({ ...row, ...values }, of)).toMatchObject({ id: 7, createdAt: 1000, expiresAt: 86_401_000, ...shown });
});
