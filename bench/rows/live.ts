import { setTimeout as pause } from "node:timers/promises";
import { person, sendTo } from "@rollcall/testkit/api.ts";
import { hasNats, makeNats } from "@rollcall/testkit/backing.ts";
import { makeInstance, serve } from "@rollcall/testkit/program.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { makeUsers } from "../kit/people.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";
import { broadcast, Viewers, type ViewersReport } from "../kit/viewers.ts";

const accounts = 10;
const socketsPerAccount = 20;
const viewers = accounts * socketsPerAccount;
const changes = 100;
const everyMs = 100;

async function changesShown(backing: "embedded" | "MariaDB and NATS", group: Viewers): Promise<ViewersReport> {
  const database = backing === "embedded" ? null : await createDatabase("live");
  const nats = backing === "embedded" ? null : await makeNats();
  const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: nats.url } : {});
  const program = await serve(instance);
  try {
    await allow(instance, "citizens.list", "fields=job,phone,licences,visum,playtime");
    const tokens: string[] = [];
    for (let i = 0; i < accounts; i++) tokens.push((await person(instance, { username: `viewer${i}` })).token);
    const users = makeUsers(changes, 31);
    await sendTo(instance.url, "users", users);
    await group.open({
      url: `${instance.url.replace("http", "ws")}/api/realtime`,
      origin: instance.url,
      tokens,
      socketsPerToken: socketsPerAccount,
      topic: "citizens",
    });
    // Messages from before the sockets were open are not part of the measurement.
    await pause(300);
    await group.received(0);
    for (const user of users) {
      const { status, body, text } = await sendTo(instance.url, "users", [{ ...user, playtime: (user.playtime ?? 0) + 60 }]);
      if (status !== 200 || body.accepted !== 1) throw new Error(text);
      await pause(everyMs);
    }
    const report = await group.received(changes * viewers);
    await group.close();
    return report;
  } finally {
    await program.stop();
    await nats?.remove();
    await database?.drop();
    instance.remove();
  }
}

async function run({ sample, slowness, log }: Machine): Promise<Finding[]> {
  if (!(await hasMariadb()) || !hasNats) throw new Error("the live row requires MariaDB and nats-server");
  const group = new Viewers();
  const ms = (value: number) => ({ value, unit: "ms" });
  try {
    const bare = await broadcast(group, { viewers, messages: changes, everyMs, bytes: 600 });
    const found: Finding[] = [];
    for (const backing of ["embedded", "MariaDB and NATS"] as const) {
      const { latencies, dropped } = await changesShown(backing, group);
      sample();
      const complete = latencies.length === changes * viewers && dropped === 0;
      log(
        `${backing}: p50 ${percentile(latencies, 0.5)} ms, p95 ${percentile(latencies, 0.95)} ms, most ${Math.max(...latencies)} ms`,
      );
      found.push(
        finding({
          row: `change shown to ${viewers} viewers, p99, ${backing}`,
          measured: ms(percentile(latencies, 0.99)),
          baseline: ms(Math.max(1, percentile(bare.latencies, 0.99))),
          atMost: 150,
          slowness: slowness(),
        }),
        {
          row: `changes that arrived, ${backing}`,
          measured: String(latencies.length),
          baseline: "",
          ratio: null,
          budget: `= ${changes * viewers}, none dropped`,
          met: complete,
        },
      );
    }
    const note = `${changes} changes, one every ${everyMs} ms, from the event's own time (within its transaction, so before the commit) to the parsed message in another process. Baseline: the same number of bytes broadcast by a bare WebSocket server.`;
    return [{ ...found[0]!, note }, ...found.slice(1)];
  } finally {
    group.end();
  }
}

export const live: Row = { name: "live", title: `change committed until shown to ${viewers} viewers`, run };
