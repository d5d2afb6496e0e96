import { buffer } from "node:stream/consumers";
import { FairQueue, type FairQueueOptions, QueueFull } from "#core/fair-queue.ts";
import { BadPicture, type Clock, type Pictures } from "#core/ports/index.ts";
import { PictureProcesses } from "./process.ts";

export interface PicturesOptions {
  readonly clock: Clock;
  /** Milliseconds after which a task is aborted. */
  readonly limitMs?: number;
  /** Milliseconds after which an idle process ends. */
  readonly idleMs?: number;
  /** Limits for pictures of other sites. */
  readonly sites?: Partial<Pick<FairQueueOptions, "atOnce" | "budget">>;
}

const defaults = { limitMs: 10_000, idleMs: 30_000 };
// One upload at a time, so that many uploads need no more memory than one.
const uploadsQueue = { atOnce: 1, perRequester: 1, waiting: 100, budget: { burstMs: 60_000, msPerSecond: 500 } };
// In the long run, one network or account gets an eighth of the two processes' time.
const sitesQueue = { atOnce: 2, perRequester: 1, waiting: 100, budget: { burstMs: 30_000, msPerSecond: 250 } };

export function createPictures({ clock, sites = {}, ...given }: PicturesOptions): Pictures & { readonly processes: number } {
  const limits = { ...defaults, ...given, clock };
  const pools = {
    uploads: {
      queue: new FairQueue({ clock, ...uploadsQueue }),
      processes: new PictureProcesses({ ...limits, pool: "uploads" }),
    },
    sites: {
      queue: new FairQueue({ clock, ...sitesQueue, ...sites }),
      processes: new PictureProcesses({ ...limits, pool: "sites" }),
    },
  };

  async function inTurn<T>(
    pool: keyof typeof pools,
    requester: string,
    work: (processes: PictureProcesses, begun: () => void) => Promise<T>,
  ) {
    const { queue, processes } = pools[pool];
    try {
      return await queue.run(requester, async (begun) => await work(processes, begun));
    } catch (error) {
      throw error instanceof QueueFull ? new BadPicture("busy", { cause: error }) : error;
    }
  }

  return {
    encode: async (source, target, requester) =>
      await inTurn("uploads", requester, async (processes, begun) => {
        const answer = await processes.run({ kind: "encode", bytes: await buffer(source), target }, begun);
        if (!("encoded" in answer)) throw new BadPicture("unreadable");
        return answer.encoded;
      }),
    webp: async (bytes, target, requester) =>
      await inTurn("sites", requester, async (processes, begun) => {
        const answer = await processes.run({ kind: "webp", bytes, target }, begun);
        if (!("webp" in answer)) throw new BadPicture("unreadable");
        return answer.webp;
      }),
    get processes() {
      return pools.uploads.processes.size + pools.sites.processes.size;
    },
    async close() {
      await Promise.all([pools.uploads.processes.close(), pools.sites.processes.close()]);
    },
  };
}
