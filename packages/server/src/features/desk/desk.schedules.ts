import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { windowsKeptMs } from "./desk.contract.ts";

export const purgeDesk = defineRetention({
  id: "desk.purge",
  cron: "3 5 * * *",
  jitterMs: 600_000,
  steps: { windows: { tables: ["desk_windows"], kept: { ms: windowsKeptMs } } },
});

export function deskRetention(remove: Readonly<Record<"windows", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeDesk, remove);
}
