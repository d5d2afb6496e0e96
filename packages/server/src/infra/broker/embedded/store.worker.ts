import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, Request, StoreSettings } from "./protocol.ts";
import { StoreUnusable } from "./schema.ts";
import { Store } from "./store.ts";

const port = parentPort;
if (!port) throw new Error("store.worker.ts runs as a worker thread");

const send = (message: FromWorker) => port.postMessage(message);

try {
  const store = new Store(workerData as StoreSettings);
  port.on("message", (message: readonly Request[] | "close") => {
    if (message !== "close") return send({ kind: "replies", replies: store.answer(message) });
    store.close();
    port.close();
  });
  send({ kind: "ready" });
} catch (error) {
  if (!(error instanceof StoreUnusable)) throw error;
  send({ kind: "unusable", message: error.message });
  port.close();
}
