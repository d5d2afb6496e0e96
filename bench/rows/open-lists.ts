import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { call, person, sendTo } from "@rollcall/testkit/api.ts";
import { makeInstance, serve } from "@rollcall/testkit/program.ts";
import type { OpenListsOrder, OpenListsReport } from "../load/open-lists.ts";
import { makeUsers } from "../kit/people.ts";
import { allow } from "../kit/program.ts";
import type { Finding, Machine, Row } from "../kit/report.ts";

const accounts = 10;
const pages = 200;
const players = 200;
/** Of each call, how many have another name or job; of the others only the playtime changes. */
const moved = 10;
const minutes = 2;

async function ask(child: ChildProcess, message: OpenListsOrder | "report" | "close"): Promise<unknown> {
  child.send(message);
  const [answer] = (await once(child, "message")) as [unknown];
  const { failed } = (typeof answer === "object" ? answer : {}) as { failed?: string };
  if (failed !== undefined) throw new Error(failed);
  return answer;
}

async function run({ log }: Machine): Promise<Finding[]> {
  const child = fork(path.resolve(import.meta.dirname, "../load/open-lists.ts"));
  const instance = await makeInstance({});
  const program = await serve(instance);
  try {
    await allow(instance, "citizens.list", "fields=job,phone,licences,visum,playtime");
    const tokens: string[] = [];
    for (let i = 0; i < accounts; i++) tokens.push((await person(instance, { username: `viewer${i}` })).token);
    const users = makeUsers(players, 31);
    await sendTo(instance.url, "users", users);
    const order: OpenListsOrder = {
      url: instance.url,
      tokens: Array.from({ length: pages }, (_, index) => tokens[index % accounts]!),
      // Every fourth one is filtered by job.
      filters: [{}, {}, {}, { job: "police" }],
      limit: 50,
    };
    await ask(child, order);
    await pause(3_000);
    await ask(child, "report");
    for (let minute = 1; minute <= minutes; minute++) {
      const now = users.map((user, index) => ({
        ...user,
        playtime: (user.playtime ?? 0) + 60 * minute,
        ...(index % (players / moved) === 0 ? { lastName: `Anders${String.fromCharCode(96 + minute)}${index}` } : {}),
      }));
      const { status, text } = await sendTo(instance.url, "users", now);
      if (status !== 200) throw new Error(text);
      await pause(60_000);
    }
    const { calls, shown } = (await ask(child, "report")) as OpenListsReport;
    const wrong = await differing(instance.url, tokens[0]!, order, shown);
    await ask(child, "close");
    const rate = calls / (minutes * 60);
    log(`${calls} calls of ${pages} open lists in ${minutes} minutes; ${wrong} lists differ from what the server answers`);
    return [
      {
        row: `list queries of ${pages} open lists, ${players} players synced a minute`,
        measured: `${rate.toFixed(2)} /s`,
        baseline: "",
        ratio: null,
        budget: "<= 2 /s",
        met: rate <= 2,
      },
      {
        row: "open lists that differ from the server's answer",
        measured: String(wrong),
        baseline: "",
        ratio: null,
        budget: "0",
        met: wrong === 0,
      },
    ];
  } finally {
    child.kill();
    await program.stop();
    instance.remove();
  }
}

/** How many lists show other rows, versions or another order than a new read. */
async function differing(url: string, token: string, order: OpenListsOrder, shown: OpenListsReport["shown"]): Promise<number> {
  const expected = new Map<string, string>();
  for (const filters of order.filters) {
    const query = new URLSearchParams({ ...filters, limit: String(order.limit) });
    const { status, text, body } = await call(url, `/api/citizens?${query}`, { token });
    if (status !== 200) throw new Error(text);
    const { items } = body as { items: { id: number; version: number }[] };
    expected.set(JSON.stringify(filters), items.map(({ id, version }) => `${id} ${version}`).join());
  }
  return shown.filter((rows, index) => {
    const wanted = expected.get(JSON.stringify(order.filters[index % order.filters.length]))!;
    // Rows that moved up from below the list are read with the next page.
    return !wanted.startsWith(rows.slice(0, order.limit).join()) && rows.slice(0, order.limit).join() !== wanted;
  }).length;
}

export const openLists: Row = {
  name: "open-lists",
  title: `${pages} open lists while ${players} players are synced each minute`,
  run,
};
