/**
 * The load of the positions row, in a process of its own: players drive and their positions are sent as a game server
 * does; viewers are sockets that read each frame. Both read one clock, so that an age is from the moment when a position
 * was taken until its frame has arrived.
 */
import { WebSocket } from "ws";
import { stateFields, decodeStateFrame } from "@rollcall/server/contract/core";
import { positionsTopic } from "@rollcall/server/contract/positions";
import { Driver } from "../../packages/server/src/cli/demo/driver.ts";
import { createStreets } from "../../packages/server/src/cli/demo/streets.ts";
import { createRandom } from "../../packages/server/src/core/random.ts";

export interface PositionsOrder {
  readonly url: string;
  readonly syncToken: string;
  /** One for each group of sockets. */
  readonly tokens: readonly string[];
  readonly socketsPerToken: number;
  /** Of those who drive, once a second each. */
  readonly movers: readonly string[];
  /** Of those who stand still, on duty and not hidden: the viewers. */
  readonly viewers: readonly string[];
}

export interface PositionsReport {
  /** How many positions arrived at this age: the index is the age in milliseconds. */
  readonly ages: readonly number[];
  readonly dropped: number;
  /** Of each socket. */
  readonly frames: readonly number[];
  readonly bytes: readonly number[];
  readonly ms: number;
}

/** Of several groups: what was sent in a second, for a server that repeats it. */
export type FramesReport = readonly (readonly number[])[];

const callsPerSecond = 10;
const mostAge = 10_000;
const fields = stateFields(positionsTopic.message);
const streets = createStreets(createRandom(5));

/** When a value was taken, by its coordinates: two people are hardly ever at one place. */
const takenAt = new Map<string, number>();
const placeKey = (x: unknown, y: unknown) => `${Number(x).toFixed(1)} ${Number(y).toFixed(1)}`;

class Viewer {
  readonly #group: Group;
  frames = 0;
  bytes = 0;

  constructor(group: Group) {
    this.#group = group;
  }

  onFrame(data: Uint8Array, arrived: number): void {
    this.frames += 1;
    this.bytes += data.byteLength;
    for (const taken of this.#group.takenOf(data)) ages[Math.min(mostAge - 1, Math.max(0, arrived - taken))]! += 1;
  }
}

/** Viewers who get the same frames, each of which is decoded once. */
class Group {
  readonly #values = new Map<number, { x: unknown; y: unknown }>();
  #last = { key: "", taken: [] as number[] };
  /** Lengths of the frames of this group. */
  lengths: number[] = [];

  takenOf(data: Uint8Array): readonly number[] {
    const frame = decodeStateFrame(fields, data);
    const key = `${frame.channel} ${frame.at} ${frame.full}`;
    if (key === this.#last.key || frame.full) {
      if (frame.full) for (const { index, fields: one } of frame.entries) this.#values.set(index, { x: one["x"], y: one["y"] });
      return frame.full ? [] : this.#last.taken;
    }
    this.lengths.push(data.byteLength);
    const taken = frame.entries.flatMap(({ index, fields: one }) => {
      const value = { ...this.#values.get(index), ...one } as { x: unknown; y: unknown };
      this.#values.set(index, value);
      return takenAt.get(placeKey(value.x, value.y)) ?? [];
    });
    this.#last = { key, taken };
    return taken;
  }
}

const sockets: WebSocket[] = [];
let viewers: Viewer[] = [];
let groups: Group[] = [];
let ages = Array.from({ length: mostAge }, () => 0);
let dropped = 0;
let since = 0;
let moving: { stop(): void } | null = null;

function join(order: PositionsOrder, token: string, group: Group): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = `${order.url.replace("http", "ws")}/api/realtime`;
    const socket = new WebSocket(address, { origin: order.url, perMessageDeflate: false });
    const viewer = new Viewer(group);
    sockets.push(socket);
    viewers.push(viewer);
    socket.on("error", reject);
    socket.on("close", () => void (dropped += 1));
    socket.on("open", () => socket.send(JSON.stringify({ type: "auth", token })));
    socket.on("message", (data: Buffer, binary: boolean) => {
      if (binary) return viewer.onFrame(data, Date.now());
      const { type } = JSON.parse(data.toString()) as { type?: string };
      if (type === "ready") socket.send(JSON.stringify({ type: "subscribe", topic: "positions" }));
      else if (type === "subscribed") resolve();
      else if (type === "ping") socket.send(JSON.stringify({ type: "pong" }));
      else if (type === "refused" || type === "error") reject(new Error(data.toString()));
    });
  });
}

async function send(order: PositionsOrder, items: readonly object[]): Promise<void> {
  const response = await fetch(`${order.url}/api/sync/v1/positions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${order.syncToken}` },
    body: JSON.stringify({ source: "bench", boot: "1", items }),
  });
  const answer = await response.text();
  const { accepted, ignored } = JSON.parse(answer) as { accepted?: number; ignored?: number };
  if (response.status !== 200 || (accepted ?? 0) + (ignored ?? 0) !== items.length) throw new Error(answer.slice(0, 500));
}

function createMovers({ movers }: PositionsOrder) {
  const drivers = movers.map((identifier, i) => ({ identifier, driver: new Driver(streets, createRandom(i)) }));
  return (from: number, count: number) =>
    drivers.slice(from, from + count).map(({ identifier, driver }) => {
      // Nobody parks: each one moves once a second.
      driver.step(1000);
      if (driver.isParked) driver.step(62_000);
      const { x, y, heading } = driver.place;
      takenAt.set(placeKey(x, y), Date.now());
      return { identifier, x, y, z: 30, heading: heading % 360, speed: driver.speed, vehicle: "RC 1000" };
    });
}

function drive(order: PositionsOrder, fail: (error: Error) => void): { stop(): void } {
  const place = createMovers(order);
  const each = Math.ceil(order.movers.length / callsPerSecond);
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % callsPerSecond;
    if (turn === 0 && takenAt.size > 100_000) takenAt.clear();
    void send(order, place(turn * each, each)).catch(fail);
  }, 1000 / callsPerSecond);
  return { stop: () => clearInterval(timer) };
}

async function open(order: PositionsOrder): Promise<void> {
  await send(
    order,
    order.viewers.map((identifier, i) => ({ identifier, x: i, y: 0 })),
  );
  const place = createMovers(order);
  await send(order, place(0, order.movers.length));
  for (const token of order.tokens) {
    const group = new Group();
    groups.push(group);
    await Promise.all(Array.from({ length: order.socketsPerToken }, () => join(order, token, group)));
  }
  moving = drive(order, (error) => {
    process.send!({ failed: error.message });
    moving?.stop();
  });
}

function begin(): void {
  ages = Array.from({ length: mostAge }, () => 0);
  dropped = 0;
  since = Date.now();
  for (const viewer of viewers) [viewer.frames, viewer.bytes] = [0, 0];
  for (const group of groups) group.lengths = [];
}

function report(): PositionsReport {
  const ms = Date.now() - since;
  return { ages, dropped, frames: viewers.map((one) => one.frames), bytes: viewers.map((one) => one.bytes), ms };
}

function close(): void {
  moving?.stop();
  for (const socket of sockets.splice(0)) socket.removeAllListeners("close").close();
  [viewers, groups] = [[], []];
  takenAt.clear();
}

/** Calls with everybody, one after the other: calls a second. */
async function callsOf(order: PositionsOrder, calls: number): Promise<number> {
  const place = createMovers(order);
  const bodies = Array.from({ length: calls }, () => place(0, order.movers.length));
  const started = performance.now();
  for (const items of bodies) await send(order, items);
  return calls / ((performance.now() - started) / 1000);
}

type Message = { open: PositionsOrder } | { calls: PositionsOrder; count: number } | "begin" | "report" | "frames" | "close";

async function answer(message: Message): Promise<unknown> {
  if (typeof message === "object")
    return "open" in message ? await open(message.open) : await callsOf(message.calls, message.count);
  if (message === "begin") return begin();
  if (message === "report") return report();
  if (message === "frames") return groups.map(({ lengths }) => lengths);
  return close();
}

process.on("message", (message: Message) => {
  void answer(message).then(
    (value) => process.send!({ value: value ?? null }),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
