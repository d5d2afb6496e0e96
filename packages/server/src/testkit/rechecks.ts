import type { TestClient } from "#infra/realtime/realtime.testkit.ts";
import type { TestApp } from "./app.ts";

/** How often the rights of open connections were checked again so far. */
export async function countRechecks(app: TestApp): Promise<number> {
  const text = await app.process.container.metrics.expose();
  return [...text.matchAll(/^rollcall_realtime_rechecks_total\{[^}]*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

/** When each client was closed or has an answer: what its connection had to do before is done. */
export async function settled(clients: readonly TestClient[]): Promise<void> {
  const pongs = clients.map((client) => client.of("pong").length);
  for (const client of clients) client.send({ type: "ping" });
  await Promise.all(
    clients.map(async (client, i) => await Promise.race([client.next("pong", (pongs[i] ?? 0) + 1), client.end()])),
  );
}
