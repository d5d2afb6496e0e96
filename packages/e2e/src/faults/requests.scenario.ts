import { expect } from "vitest";
import { type Answer, call, person, type Person } from "@rollcall/testkit/api.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { type Applied, appliedIn, type Receiver, startReceiver } from "@rollcall/testkit/receiver.ts";
import type { ReceiverOrder } from "@rollcall/testkit/receiver.fixture.ts";
import { report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { type City, print } from "./ingest.scenario.ts";

const source = "city-1";
const ends: ReadonlySet<string> = new Set(["done", "refused", "expired", "unknown"]);
/** Between two requests of one person: a person may call ten times a second, and a look at the state is one too. */
const paceMs = 120;
/** Longer than any request may be open. */
const endMs = 90_000;

/** Delays of the kills after a request was acknowledged, in milliseconds. */
const jitter = [3, 11, 0, 23, 7, 17, 31, 5, 13, 2];
const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** A waypoint whose asker got an answer, and what the asker saw of its end; null until there is one. */
interface Asked {
  /** Its place, by which it is found again; no two have the same. */
  readonly x: number;
  end: string | null;
}

/** People who ask for waypoints, one after the other, each until its end is shown, and for toasts in between. */
class Askers {
  readonly asked: Asked[] = [];
  /** Answers to `notifications.try`, by who asked. */
  readonly toasts = new Map<string, number>();
  #stopping = false;
  #next = 0;
  readonly #url: string;
  readonly #done: Promise<unknown>;

  constructor(url: string, people: readonly Person[]) {
    this.#url = url;
    this.#done = Promise.all(people.map(async (one) => await this.#run(one)));
    this.#done.catch(() => undefined);
  }

  get acknowledged(): number {
    return this.asked.length + this.toastsOfAll;
  }

  get toastsOfAll(): number {
    return [...this.toasts.values()].reduce((sum, one) => sum + one, 0);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
  }

  async #run(who: Person): Promise<void> {
    while (!this.#stopping) {
      this.#next += 1;
      const asked: Asked = { x: this.#next, end: null };
      const target = { x: asked.x, y: 0 };
      const answer = await this.#call(who, "/api/ingame/waypoint", { target });
      if (answer?.status === 200) {
        this.asked.push(asked);
        asked.end = await this.#endOf(who, answer.body.waypoint.sentAt as number);
        const tried = await this.#call(who, "/api/notifications/try", {});
        if (tried?.status === 204) this.toasts.set(who.username, (this.toasts.get(who.username) ?? 0) + 1);
      }
      await after(paceMs);
    }
  }

  /** As its asker sees it. */
  async #endOf(who: Person, sentAt: number): Promise<string> {
    return await until(
      "the end of a waypoint is shown",
      async () => {
        await after(paceMs);
        const shown = (await this.#call(who, "/api/ingame/waypoint"))?.body.waypoint;
        if (shown === undefined) return null;
        expect(shown.sentAt, "the waypoint that was asked for").toBe(sentAt);
        return ends.has(shown.state as string) ? (shown.state as string) : null;
      },
      endMs,
    );
  }

  /** Null where the server cannot be reached, is starting, or does not know yet where people are. */
  async #call(who: Person, path: string, body?: unknown): Promise<Answer | null> {
    try {
      const answer = await call(this.#url, path, { token: who.token, ...(body !== undefined && { body }) });
      if (answer.status < 300) return answer;
      expect([409, 429, 502, 503], answer.text).toContain(answer.status);
      return null;
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }
}

/** What became of the notifications of one person. */
interface Told {
  readonly username: string;
  /** Their rows: at least those that were acknowledged. */
  readonly stored: number;
  /** Each is a toast that was asked of the game, or was counted as missed. */
  readonly sent: number;
  readonly missed: number;
}

const identifierOf = (username: string) => `char1:licence-of-${username}`;

function toldIn(city: City, people: readonly Person[]): Told[] {
  const numberOf = (sql: string) => Number(city.query(sql)[0]);
  const toasts = city.query("select payload from gamerequests where kind = 'ingame.toast'").map((line) => {
    return JSON.parse(line) as { readonly identifier: string; readonly missed: number };
  });
  return people.map(({ username }) => {
    const identifier = identifierOf(username);
    const own = toasts.filter((toast) => toast.identifier === identifier);
    const stored = numberOf(
      `select count(*) as n from notifications n join accounts a on a.id = n.account_id where a.username = '${username}' and n.kind = 'notifications.trial'`,
    );
    const waiting = numberOf(
      `select coalesce(sum(t.missed), 0) as n from ingame_toasts t join citizens c on c.id = t.citizen_id where c.identifier = '${identifier}'`,
    );
    return { username, stored, sent: own.length, missed: own.reduce((sum, { missed }) => sum + missed, waiting) };
  });
}

/** Returns how many acknowledged notifications are neither asked of the game nor counted as missed. */
function compareToasts(told: readonly Told[], acknowledged: ReadonlyMap<string, number>): number {
  const lost = told.map(({ username, stored, sent, missed }) => {
    return Math.max(acknowledged.get(username) ?? 0, stored) - sent - missed;
  });
  expect(
    told.filter((_one, i) => lost[i] !== 0),
    "every notification became a toast, or was counted as missed, once",
  ).toEqual([]);
  return lost.reduce((sum, one) => sum + one, 0);
}

interface Kept {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly state: string;
  readonly x: number | null;
}

function keptIn(city: City): Kept[] {
  return city.query("select id, position, kind, state, payload from gamerequests order by position").map((line) => {
    const [id = "", position = "", kind = "", state = "", payload = "{}"] = line.split("\t");
    return { id, position: Number(position), kind, state, x: (JSON.parse(payload) as { x?: number }).x ?? null };
  });
}

const repeated = (values: readonly (string | number)[]) => values.filter((one, i) => values.indexOf(one) !== i);

/** Returns how many effects happened twice, and how many that were reported as done did not happen. */
function compare(kept: readonly Kept[], applied: readonly Applied[], asked: readonly Asked[]) {
  const byId = new Map(kept.map((one) => [one.id, one]));
  const happened = new Set(applied.map(({ id }) => id));
  const positions = applied.map(({ id }) => byId.get(id)?.position ?? -1);
  expect(positions, "everything that happened was asked for, and happened in order").toEqual(positions.toSorted((a, b) => a - b));
  expect(positions).not.toContain(-1);
  expect(
    kept.filter(({ state }) => !ends.has(state)),
    "every end is known",
  ).toEqual([]);
  const doubled = repeated(applied.map(({ id }) => id)).length;
  const wrong = kept.filter(({ id, state }) =>
    state === "done" ? !happened.has(id) : state === "unknown" ? false : happened.has(id),
  );
  expect(wrong, "what is known of an end is what happened").toEqual([]);
  const states = new Map(kept.map(({ x, state }) => [x, state]));
  // A waypoint whose answer was lost may have been replaced before anybody fetched it; one that was answered is there.
  const lost = asked.filter(({ x, end }) => end === null || states.get(x) !== end);
  expect(lost, "each asker was shown the end of what was acknowledged").toEqual([]);
  return { doubled, lost: lost.length };
}

interface Proof {
  readonly askers: number;
  /** Of either side. */
  readonly kills: number;
  /** Requests that are acknowledged. */
  readonly atLeast: number;
}

/** Kills the server and the receiver by turns, each in the middle of the work. Returns how long restarts of the server took. */
async function killByTurns(city: City, order: ReceiverOrder, askers: Askers, { kills, atLeast }: Proof) {
  let receiver: Receiver = await startReceiver(order);
  const restartMs: number[] = [];
  const progress = async (most: number) => {
    const before = askers.acknowledged;
    await until(`${most} more requests are acknowledged`, () => askers.acknowledged >= before + most, 60_000);
  };
  for (let i = 0; i < kills; i += 1) {
    await progress(4);
    await after(jitter[i % jitter.length]!);
    restartMs.push(await city.killAndRestart());
    await progress(4);
    await after(jitter[(i + 3) % jitter.length]!);
    await receiver.kill();
    receiver = await startReceiver(order);
  }
  await until(`${atLeast} requests are acknowledged`, () => askers.acknowledged >= atLeast, 180_000);
  await askers.stop();
  const waiting = () => Number(city.query("select count(*) as n from worker_tasks where kind = 'ingame.toasts'")[0]);
  await until("every notification was passed on", () => waiting() === 0, endMs);
  const open = () => keptIn(city).filter(({ state }) => !ends.has(state));
  await until("every request has ended", () => open().length === 0, endMs);
  await receiver.kill();
  return restartMs;
}

/** Requests to the game while both sides are killed: applied once, in order, their end known and shown. */
export async function proveRequests(backing: string, city: City, proof: Proof): Promise<void> {
  const home = city.home();
  const people: Person[] = [];
  for (let i = 0; i < proof.askers; i += 1) people.push(await person(city.instance, { username: `asker${i}` }));
  const players = people.map(({ username }) => identifierOf(username));
  const { queueDir, ledger } = home;
  const order = { url: city.instance.url, token: secrets.sync, source, queueDir, ledger, players };
  const askers = new Askers(city.instance.url, people);
  const restartMs = await killByTurns(city, order, askers, proof);
  const [kept, applied] = [keptIn(city), appliedIn(ledger)];
  const { doubled, lost } = compare(kept, applied, askers.asked);
  const told = toldIn(city, people);
  const lostToasts = compareToasts(told, askers.toasts);
  expect(doubled, "nothing was applied twice").toBe(0);
  const kinds = Map.groupBy(applied, ({ kind }) => kind);
  expect([...kinds.keys()].toSorted()).toEqual(["toast", "waypoint"]);
  const states = Map.groupBy(kept, ({ state }) => state);
  report({
    group: "clients",
    fault: `server and receiver of requests to the game killed ${proof.kills} times each`,
    backing,
    acknowledged: askers.acknowledged,
    of: "requests",
    lost: lost + lostToasts,
    doubled,
    backMs: Math.max(...restartMs),
    backWithinMs: null,
  });
  print(
    `${backing}: ${proof.kills} SIGKILLs of server and receiver each: ${askers.asked.length} waypoints and ${askers.toastsOfAll} notifications acknowledged (${told.reduce((sum, { missed }) => sum + missed, 0)} counted as missed), ` +
      `${applied.length} applied (${[...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(", ")}); ends: ` +
      [...states].map(([state, all]) => `${all.length} ${state}`).join(", "),
  );
}
