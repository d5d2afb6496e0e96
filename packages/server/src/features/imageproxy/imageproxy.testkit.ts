import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createSigner } from "#infra/signer.ts";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { silentLog } from "#testkit/silence.ts";
import { createDisk, type Disk } from "./imageproxy.disk.service.ts";
import { createFetcher, type FetchLimits, usualFetchLimits } from "./imageproxy.fetch.service.ts";
import { createHotPictures } from "./imageproxy.hot.service.ts";
import { hostRules } from "./imageproxy.policy.ts";
import { createImageProxy, type ImageProxy } from "./imageproxy.service.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A site with pictures, on 127.0.0.1 unless said. */
export interface Origin {
  readonly port: number;
  /** Path and `If-None-Match` of every request. */
  readonly asked: string[];
  answer: Handler;
  stop(): Promise<void>;
}

export async function startOrigin(answer: Handler, host = "127.0.0.1", port = 0): Promise<Origin> {
  const server = createServer((request, response) => {
    origin.asked.push(`${request.url} ${request.headers["if-none-match"] ?? "-"}`);
    origin.answer(request, response);
  }).listen(port, host);
  await once(server, "listening");
  const origin: Origin = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    answer,
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return origin;
}

/** A plain picture. */
export async function pictureOf(width = 40, height = 20, format: "png" | "jpeg" | "webp" | "gif" = "png"): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: "#3060c0" } })
    .toFormat(format)
    .toBuffer();
}

export const giving =
  (body: Uint8Array | string, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

export interface StageOptions {
  readonly allowHosts?: readonly string[];
  readonly denyHosts?: readonly string[];
  readonly minimumMs?: number;
  readonly limits?: Partial<FetchLimits>;
  /** Addresses of a name, one for each time that it is asked for; the last one stays. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** 127.0.0.1 alone unless said: it stands for the public internet. */
  readonly isPublic?: (address: string) => boolean;
  readonly folder?: string;
  readonly mostBytes?: number;
  readonly clock?: TestClock;
  /** Without memory, everything is read from disk. */
  readonly memory?: boolean;
}

export interface Stage {
  readonly service: ImageProxy;
  readonly clock: TestClock;
  readonly disk: Disk;
  readonly folder: string;
  /** How requests ended, with the reason of those that were refused. */
  readonly ends: string[];
}

const folders: string[] = [];

export function clearStages(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The whole proxy on real sockets, with names and time of its own. */
export function stage(options: StageOptions = {}): Stage {
  const { allowHosts = ["*.city.example"], denyHosts = [], minimumMs = 30 * 60_000, names = {} } = options;
  const clock = options.clock ?? createTestClock();
  let { folder } = options;
  if (folder === undefined) {
    folder = mkdtempSync(path.join(tmpdir(), "rollcall-images-"));
    folders.push(folder);
  }
  const left = new Map(Object.entries(names).map(([name, list]) => [name, [...list]]));
  const outgoing = createOutgoing({
    clock: systemClock,
    reach: {
      isPublic: options.isPublic ?? ((address) => address === "127.0.0.1"),
      async resolve(host) {
        const list = left.get(host) ?? ["127.0.0.1"];
        const address = (list.length > 1 ? list.shift() : list[0]) ?? "127.0.0.1";
        return [{ address, family: address.includes(":") ? 6 : 4 }];
      },
    },
  });
  const rules = hostRules(allowHosts, denyHosts);
  const disk = createDisk({
    folder,
    clock,
    ids: createIds(systemClock),
    log: silentLog,
    mostBytes: options.mostBytes ?? 1_000_000,
  });
  const ends: string[] = [];
  const service = createImageProxy({
    clock,
    signer: createSigner("cookie-secret-of-the-picture-tests"),
    rules,
    rulesName: JSON.stringify([allowHosts, denyHosts]),
    disk,
    hot: createHotPictures({ mostBytes: options.memory === false ? 0 : 1_000_000, largest: 1_000_000 }),
    fetchPicture: createFetcher({
      outgoing,
      clock,
      rules,
      minimumMs,
      limits: { ...usualFetchLimits, ...options.limits },
      fetched: () => undefined,
    }),
    ended: (outcome, detail) => void ends.push(outcome === "refused" ? String(detail) : outcome),
  });
  return { service, clock, disk, folder, ends };
}

/** How asking for a picture that people named ends: `fetched`, `memory`, the reason of a refusal. */
export async function ask(
  { service, ends }: Stage,
  url: string,
  namedBy: "people" | "provider" | "configuration" = "people",
): Promise<string> {
  await service.api.picture({ url, size: 256, namedBy });
  return ends.at(-1) ?? "";
}
