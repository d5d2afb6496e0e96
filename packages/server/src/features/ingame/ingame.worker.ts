import { runTask, type TaskHandler } from "#core/ports/index.ts";
import { sendToasts } from "./ingame.contract.ts";
import type { ToastDelivery } from "./ingame.toasts.service.ts";

export function ingameTasks(toasts: ToastDelivery): TaskHandler[] {
  return [
    runTask({
      task: sendToasts,
      run: async ({ payload }) => await toasts.find(payload),
      store: async (tx, { payload }, found) => await toasts.send(tx, payload, found),
    }),
  ];
}
