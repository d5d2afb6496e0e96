import { type AddressOrigin, type Clock, type Outgoing, OutgoingFailed } from "#core/ports/index.ts";
import { imageType } from "./oauth.policy.ts";

export interface Image {
  readonly type: string;
  readonly bytes: Uint8Array;
}

interface Kept {
  readonly image: Image | null;
  readonly until: number;
}

const keptMs = 60 * 60_000;
const missedMs = 60_000;
const largest = 512 * 1024;
const mostBytes = 16 * 1024 * 1024;
const mostKept = 1000;

/** Pictures from elsewhere, fetched through the guard and kept in memory for an hour. */
export function createImages({ outgoing, clock }: { readonly outgoing: Outgoing; readonly clock: Clock }) {
  /** The one used last stands last. */
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Image | null>>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= kept.get(key)?.image?.bytes.length ?? 0;
    kept.delete(key);
  }

  function keep(key: string, image: Image | null): void {
    drop(key);
    kept.set(key, { image, until: clock.monotonic() + (image ? keptMs : missedMs) });
    bytes += image?.bytes.length ?? 0;
    for (const oldest of kept.keys()) {
      if (bytes <= mostBytes && kept.size <= mostKept) break;
      drop(oldest);
    }
  }

  async function load(url: string, from: AddressOrigin, svg: boolean): Promise<Image | null> {
    try {
      const headers = { accept: "image/*" };
      const answer = await outgoing.request({ url, from, headers, maxBytes: largest, timeoutMs: 5000 });
      const type = answer.status === 200 ? imageType(answer.body, { svg }) : null;
      return type === null ? null : { type, bytes: answer.body };
    } catch (error) {
      if (error instanceof OutgoingFailed) return null;
      throw error;
    }
  }

  /** Null when there is no such picture, or none that may be shown. */
  return async function image(url: string, from: AddressOrigin, options = { svg: false }): Promise<Image | null> {
    // By origin too: what a person names must not be answered from what the configuration may reach.
    const key = `${from} ${options.svg} ${url}`;
    const known = kept.get(key);
    if (known && known.until > clock.monotonic()) {
      kept.delete(key);
      kept.set(key, known);
      return known.image;
    }
    let loading = underWay.get(key);
    if (!loading) {
      loading = load(url, from, options.svg).finally(() => underWay.delete(key));
      underWay.set(key, loading);
    }
    const found = await loading;
    keep(key, found);
    return found;
  };
}

export type Images = ReturnType<typeof createImages>;
