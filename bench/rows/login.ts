import { setTimeout as pause } from "node:timers/promises";
import { makePlace } from "../../packages/e2e/src/kit/program.ts";
import { accountsApi } from "../../packages/server/src/features/accounts/accounts.api.ts";
import type { RunningProcess } from "../../packages/server/src/process.ts";
import { compose } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";

const attempts = 10_000;
/** Wrong passwords a second: they come whether the earlier ones were answered or not. */
const perSecond = 500;
const signIns = 40;
const home = "192.0.2.10";
const owner = { username: "owner", password: "the password of the owner" };

type Web = NonNullable<RunningProcess["web"]>;

async function login(web: Web, remoteAddress: string, body: object): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const { statusCode } = await web.inject({
    method: "POST",
    url: "/api/auth/login",
    remoteAddress,
    headers: { "x-rollcall": "1" },
    payload: body,
  });
  return { status: statusCode, ms: performance.now() - started };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const highest = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

/** The owner signs in again and again until `done`; every refusal is an error. */
async function honest(web: Web, least: number, done: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < least || !done()) {
    const { status, ms } = await login(web, home, owner);
    if (status !== 200) throw new Error(`the owner was refused with ${status}`);
    times.push(ms);
    await pause(50);
  }
  return times;
}

async function flood(web: Web, attempt: (index: number) => { address: string; username: string }): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const started = performance.now();
  const under: Promise<void>[] = [];
  for (let next = 0; next < attempts;) {
    const due = Math.min(attempts, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; next < due; next += 1) {
      const { address, username } = attempt(next);
      const tried = login(web, address, { username, password: "a guess" });
      under.push(tried.then(({ status }) => void answers.set(status, (answers.get(status) ?? 0) + 1)));
    }
    await pause(5);
  }
  await Promise.all(under);
  return answers;
}

const spread = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

const floods: readonly { name: string; attempt: (index: number) => { address: string; username: string } }[] = [
  { name: "one address, the owner's account", attempt: () => ({ address: "203.0.113.1", username: owner.username }) },
  { name: "one address, many accounts", attempt: (i) => ({ address: "203.0.113.2", username: `guess${i}` }) },
  { name: `${attempts} addresses, the owner's account`, attempt: (i) => ({ address: spread(i), username: owner.username }) },
  { name: `${attempts} addresses and accounts`, attempt: (i) => ({ address: spread(i + 70_000), username: `other${i}` }) },
];

async function run(machine: Machine): Promise<Finding[]> {
  const place = await makePlace();
  const app = await compose(place);
  await app.start();
  const { web } = app;
  if (!web) throw new Error("the login row needs the web role");
  try {
    const system = { kind: "system", name: "bench" } as const;
    await app.assembly.api(accountsApi).create(system, { licence: "owner", ...owner });
    await honest(web, 5, () => true);
    const findings: Finding[] = [];
    for (const { name, attempt } of floods) {
      machine.sample();
      const quiet = await honest(web, signIns, () => true);
      let over = false;
      const attack = flood(web, attempt).finally(() => (over = true));
      const during = await honest(web, signIns, () => over);
      const answers = await attack;
      const told = [...answers].map(([status, count]) => `${count} x ${status}`).join(", ");
      findings.push(
        finding({
          row: `login during wrong passwords: ${name}`,
          measured: { value: median(during), unit: "ms" },
          baseline: { value: median(quiet), unit: "ms" },
          ratioAtMost: 2,
          note: `${during.length} sign-ins beside, none refused; p95 ${highest(during).toFixed(0)} ms (quiet ${highest(quiet).toFixed(0)} ms); guesses answered ${told}`,
        }),
      );
    }
    return findings;
  } finally {
    await app.stop();
    place.remove();
  }
}

export const loginRow: Row = { name: "login", title: `signing in beside ${attempts} wrong passwords`, run };
