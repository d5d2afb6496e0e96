import { runTask, type TaskHandler } from "#core/ports/index.ts";
import { dropExport, writeExport } from "./exports.contract.ts";
import type { ExportWriter } from "./exports.write.service.ts";

export function exportsTasks(writer: ExportWriter): TaskHandler[] {
  return [
    runTask({
      task: writeExport,
      run: async (task, signal) => await writer.run(task, signal),
      store: async (tx, { payload }, result) => await writer.store(tx, payload.id, result),
    }),
    runTask({ task: dropExport, run: async ({ payload }) => await writer.drop(payload.key) }),
  ];
}
