import { exampleContent } from "../../packages/server/src/features/units/units.contract.ts";
import { call, type Person, person, sendTo } from "@rollcall/testkit/api.ts";
import { jobs } from "@rollcall/testkit/population.ts";
import { type Instance, secrets } from "@rollcall/testkit/program.ts";
import { makeUsers } from "./people.ts";
import { allow } from "./program.ts";

export const job = "police";

async function answered(url: string, path: string, options: Parameters<typeof call>[2]) {
  const answer = await call(url, path, options);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Far enough from all others that they are not about the same. */
export const placeOf = (at: number) => ({ x: (at % 100) * 120, y: Math.floor(at / 100) * 120 });

/** As the game server does; `from` is a city of its own. */
export async function alert(url: string, from: string, message: string, place: { readonly x: number; readonly y: number }) {
  const body = { source: from, jobs: [job], message, priority: 3, ...place };
  return await answered(url, "/api/sync/v1/calls", { body, token: secrets.sync });
}

export async function sendJobs(url: string): Promise<void> {
  await answered(url, "/api/sync/v1/jobs", { body: { items: jobs }, token: secrets.sync });
}

/** Fewer than count as a storm. */
const ofOneSource = 100;

/** A job in a busy night: open calls, and units of one person each. Returns its dispatchers. */
export async function fillCentre(instance: Instance, size: { readonly calls: number; readonly units: number }) {
  const { url } = instance;
  await sendJobs(url);
  for (const right of ["calls.view", "calls.dispatch", "units.manage", "units.assign", "desk.open"]) await allow(instance, right);
  // Writing is limited by account.
  const chiefs: Person[] = [];
  for (let i = 0; i < 4; i++) chiefs.push(await person(instance, { username: `chief${i}` }));
  const crew = makeUsers(size.units, 53).map((user) => ({ ...user, jobs: [{ name: job, grade: 0 }] }));
  for (let at = 0; at < crew.length; at += 100) await sendTo(url, "users", crew.slice(at, at + 100));
  const on = crew.map(({ identifier }) => ({ identifier, event: "on", job, at: Date.now(), key: `on-${identifier}` }));
  const body = { source: "city-0", boot: "one", items: on };
  await answered(url, "/api/sync/v1/duty", { body, token: secrets.sync });
  await Promise.all(
    chiefs.map(async ({ token }, of) => {
      for (let at = of; at < size.units; at += chiefs.length) {
        const content = { ...exampleContent, name: `Unit ${at}`, callsign: `U${at}`, initials: `U${at % 100}` };
        await answered(url, "/api/units", { body: content, token });
      }
    }),
  );
  for (let at = 0; at < size.calls; at++)
    await alert(url, `city-${Math.floor(at / ofOneSource)}`, `Report ${at} of a long night at the corner`, placeOf(at));
  return chiefs;
}
