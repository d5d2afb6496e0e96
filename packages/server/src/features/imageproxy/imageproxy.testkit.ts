import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import type { Pictures } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createPictures } from "#infra/pictures/index.ts";
import { createSigner } from "#infra/signer.ts";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { silentLog } from "#testkit/silence.ts";
import type { NamedBy } from "./imageproxy.api.ts";
import { PictureDisk } from "./imageproxy.disk.service.ts";
import { type FetchLimits, PictureFetcher, usualFetchLimits } from "./imageproxy.fetch.service.ts";
import { PictureFinder } from "./imageproxy.find.service.ts";
import { PictureMemoryCache } from "./imageproxy.hot.service.ts";
import { PictureEncoder } from "./imageproxy.picture.service.ts";
import { hostRules } from "./imageproxy.policy.ts";
import { ImageProxy } from "./imageproxy.service.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A site with pictures, by default on 127.0.0.1. */
export interface Origin {
  readonly port: number;
  /** Path and `If-None-Match` of every request. */
  readonly requests: string[];
  answer: Handler;
  stop(): Promise<void>;
}

export async function startOrigin(answer: Handler, host = "127.0.0.1", port = 0): Promise<Origin> {
  const server = createServer((request, response) => {
    origin.requests.push(`${request.url} ${request.headers["if-none-match"] ?? "-"}`);
    origin.answer(request, response);
  }).listen(port, host);
  await once(server, "listening");
  const origin: Origin = {
    port: (server.address() as AddressInfo).port,
    requests: [],
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

export const respondWith =
  (body: Uint8Array | string, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

export interface StageOptions {
  readonly allowHosts?: readonly string[];
  readonly denyHosts?: readonly string[];
  readonly minimumMs?: number;
  readonly limits?: Partial<FetchLimits>;
  /** Addresses of a name, one for each resolution; the last one repeats. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** By default only 127.0.0.1, which stands for the public internet. */
  readonly isPublic?: (address: string) => boolean;
  readonly folder?: string;
  readonly mostBytes?: number;
  readonly clock?: TestClock;
  /** Without memory, everything is read from disk. */
  readonly memory?: boolean;
  readonly pictures?: Pictures;
}

export interface Stage {
  readonly service: ImageProxy;
  readonly clock: TestClock;
  readonly disk: PictureDisk;
  readonly folder: string;
  /** The outcome of each request, or the reason of its refusal. */
  readonly outcomes: string[];
}

const folders: string[] = [];
/** Shared by all stages, so that its processes start once. */
const shared = createPictures({ clock: systemClock });
export const closePictures = async (): Promise<void> => await shared.close();

export function clearStages(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The whole proxy on real sockets, with its own name resolution and clock. */
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
  const disk = new PictureDisk({
    folder,
    clock,
    ids: createIds(systemClock),
    log: silentLog,
    mostBytes: options.mostBytes ?? 1_000_000,
  });
  const outcomes: string[] = [];
  const finder = new PictureFinder({
    clock,
    rules,
    rulesName: JSON.stringify([allowHosts, denyHosts]),
    disk,
    hot: new PictureMemoryCache({ mostBytes: options.memory === false ? 0 : 1_000_000, largest: 1_000_000 }),
    fetcher: new PictureFetcher({
      outgoing,
      clock,
      rules,
      minimumMs,
      limits: { ...usualFetchLimits, ...options.limits },
      encoder: new PictureEncoder(options.pictures ?? shared),
      onFetched: () => undefined,
    }),
    onOutcome: (outcome, detail) => void outcomes.push(outcome === "refused" ? String(detail) : outcome),
  });
  const signer = createSigner("cookie-secret-of-the-picture-tests");
  const service = new ImageProxy({ clock, signer, rules, finder });
  return { service, clock, disk, folder, outcomes };
}

/** Requests a picture; returns the outcome or the reason of a refusal, of the request that ended last: see `outcomes` for several at once. */
export async function ask(
  { service, outcomes }: Stage,
  url: string,
  namedBy: NamedBy = "people",
  requester = "the tests",
  drawings = false,
): Promise<string> {
  await service.picture({ url, size: 256, namedBy, requester, drawings });
  return outcomes.at(-1) ?? "";
}
