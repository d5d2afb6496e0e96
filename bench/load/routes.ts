/**
 * The server side of the route row, in a process of its own: the composed program of the folder in
 * the first argument, and bare Fastify that answers the same bytes. Sends its ports to the parent; the
 * parent sends which citizen to answer and when to stop.
 */
import Fastify from "fastify";
import { queries } from "../../packages/server/src/core/db/queries.ts";
import type { Tx } from "../../packages/server/src/core/ports/database.ts";
import type { Instance } from "@rollcall/testkit/program.ts";
import { readDetails, rowsOf } from "../../packages/server/src/features/citizens/citizens.repo.ts";
import { jobsApi } from "../../packages/server/src/features/jobs/jobs.api.ts";
import { compose } from "../kit/program.ts";

const instance = { folder: process.argv[2]! } as Instance;
const app = await compose(instance);
await app.start();

/** The statements of `citizens.get`, without checks of rights, restricted fields or labels. */
async function sameRead(tx: Tx, id: number): Promise<unknown> {
  const [row] = await rowsOf(tx, { ids: [id], filterEmptyName: false }, { visum: "visum", playtime: "playtime" });
  const details = await readDetails(tx, id);
  const labels = await queries<{ licences: { type: string; label: string } }>(tx)
    .selectFrom("licences")
    .select(["type", "label"])
    .where("type", "in", details.licences)
    .execute();
  return { row, details, labels };
}

async function bare(answer: string, id: number): Promise<Record<"reading" | "looking" | "still", number>> {
  const server = Fastify();
  const jobs = app.assembly.api(jobsApi);
  const send = { "content-type": "application/json; charset=utf-8" };
  server.get("/reading", async (_request, reply) => {
    await app.container.db.read("bench.citizen", async (tx) => await sameRead(tx, id));
    return await reply.headers(send).send(answer);
  });
  server.get("/looking", async (_request, reply) => {
    await app.container.db.read("bench.jobs", async (tx) => await jobs.labels(tx));
    return await reply.headers(send).send(answer);
  });
  server.get("/still", async (_request, reply) => await reply.headers(send).send(answer));
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as { port: number };
  return { reading: port, looking: port, still: port };
}

process.on("message", (message: { answer: string; id: number } | "stop") => {
  if (message === "stop") void app.stop().then(() => process.exit(0));
  else void bare(message.answer, message.id).then((ports) => process.send!(ports));
});
process.send!("ready");
