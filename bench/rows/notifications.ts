import { makeInstance } from "@rollcall/testkit/program.ts";
import { defineNotification } from "../../packages/server/src/core/contract/index.ts";
import { bulkInsert } from "../../packages/server/src/core/db/index.ts";
import { notificationsApi } from "../../packages/server/src/features/notifications/notifications.api.ts";
import { notifications as table } from "../../packages/server/src/features/notifications/notifications.schema.ts";
import type { RunningProcess } from "../../packages/server/src/app/lifecycle.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { compose } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile, timed } from "../kit/stats.ts";

const accounts = 5_000;
const rounds = 15;
const warmUp = 3;

const kind = defineNotification({ id: "bench.notice", tone: "info", params: ["title"], channels: ["bell", "toast"] });
const recipients = Array.from({ length: accounts }, (_, i) => ({ accountId: i + 1 }));
const params = { title: "The station on the coast road is closed for a week" };
const link = "/notices/17";

/** Every tenth person has made choices. */
async function fill(app: RunningProcess): Promise<void> {
  const rows = recipients.filter((_, i) => i % 10 === 0).map(({ accountId }) => `(${accountId}, '${kind.id}', 'toast', 0)`);
  await app.container.db.exclusive("bench.fill", async ({ connection }) => {
    await connection.execute(
      `insert into notifications_preferences (account_id, kind, channel, chosen) values ${rows.join(",")}`,
      [],
    );
  });
}

interface Times {
  readonly plain: number[];
  readonly keyed: number[];
  readonly bare: number[];
}

async function measure(app: RunningProcess): Promise<Times> {
  const { db } = app.container;
  const api = app.assembly.api(notificationsApi);
  const send = async (key?: string) => {
    const broadcast = { recipients, params, link, ...(key === undefined ? {} : { key }) };
    await db.write("bench.notify", async (tx) => await api.notify(tx, kind, broadcast));
  };
  const row = { character_id: null, kind: "bench.bare", params: JSON.stringify(params), link, at: 1, read_at: null };
  const rows = recipients.map(({ accountId }) => ({ account_id: accountId, ...row }));
  const bare = async () => void (await db.write("bench.bare", async (tx) => await bulkInsert(tx, table, rows)));
  const times: Times = { plain: [], keyed: [], bare: [] };
  for (let round = 0; round < warmUp + rounds; round++) {
    const took = { plain: await timed(send), keyed: await timed(async () => await send("week")), bare: await timed(bare) };
    if (round >= warmUp) for (const name of ["plain", "keyed", "bare"] as const) times[name].push(took[name]);
  }
  return times;
}

async function measureOn(name: "SQLite" | "MariaDB", machine: Machine): Promise<Finding[]> {
  const database = name === "MariaDB" ? await createDatabase("notifications") : null;
  const instance = await makeInstance(database ? { dsn: database.dsn } : {});
  try {
    const app = await compose(instance);
    await app.start();
    try {
      await fill(app);
      const { plain, keyed, bare } = await measure(app);
      machine.sample();
      const baseline = { value: percentile(bare, 0.5), unit: "ms" };
      const line = (row: string, times: readonly number[]) => {
        machine.log(`${row}, ${name}: p50 ${percentile(times, 0.5).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`);
        const measured = { value: percentile(times, 0.5), unit: "ms" };
        const of = `${row}, p50, ${name}`;
        return finding({ row: of, measured, baseline, atMost: 500, slowness: machine.slowness() });
      };
      return [line(`one notification to ${accounts} accounts`, plain), line("the same, replacing the one before", keyed)];
    } finally {
      await app.stop();
    }
  } finally {
    instance.remove();
    await database?.drop();
  }
}

const note = `${rounds} rounds; from the start of the unit of work to its commit, with the choices of ${accounts / 10} people and the events. Baseline: the same number of rows inserted in bulk, without anything else.`;

async function run(machine: Machine): Promise<Finding[]> {
  if (!(await hasMariadb())) throw new Error("the notifications row requires MariaDB");
  const found = [...(await measureOn("SQLite", machine)), ...(await measureOn("MariaDB", machine))];
  return [{ ...found[0]!, note }, ...found.slice(1)];
}

export const notifications: Row = { name: "notifications", title: `one notification to ${accounts} accounts`, run };
