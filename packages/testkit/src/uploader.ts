import { createHash } from "node:crypto";
import type { Answer, Person } from "./api.ts";
import { pngNoise, uploadAvatar } from "./uploads.ts";

/** Pause between uploads: the rate limit is ten writes a second per person. Milliseconds. */
const betweenMs = 120;
const edge = 320;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** One upload and its response. */
export interface Tried {
  readonly name: string;
  readonly status: number;
  readonly code: string | undefined;
  /** Id of the file, if it was accepted. */
  readonly id: number;
  readonly url: string;
  readonly thumbnail: string;
  /** Time by `performance.now()`. */
  readonly began: number;
  readonly ended: number;
}

/** Uploads pictures one after the other until it is stopped, and reads the acknowledged ones back. */
export class Uploader {
  readonly #url: string;
  readonly #who: Person;
  readonly #pictures: readonly Buffer[];
  readonly #running: Promise<unknown>;
  #stopped = false;
  readonly tried: Tried[] = [];
  /** Counts of reads by status; 0 for a read that was interrupted. */
  readonly reads = new Map<number, number>();
  /** Reads that were answered 200 with other bytes than before. */
  wrong = 0;

  static async start(url: string, who: Person): Promise<Uploader> {
    const pictures: Buffer[] = [];
    for (let i = 0; i < 6; i += 1) pictures.push(await pngNoise(edge, edge));
    return new Uploader(url, who, pictures);
  }

  private constructor(url: string, who: Person, pictures: readonly Buffer[]) {
    this.#url = url;
    this.#who = who;
    this.#pictures = pictures;
    this.#running = Promise.all([this.#upload(), this.#read()]);
  }

  get taken(): Tried[] {
    return this.tried.filter(({ status }) => status === 200);
  }

  async #pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }

  async #upload(): Promise<void> {
    for (let i = 0; !this.#stopped; i += 1) {
      const began = performance.now();
      const name = `${this.#who.username}-${i}.png`;
      const { status, body }: Answer = await uploadAvatar(this.#url, this.#who, this.#pictures[i % this.#pictures.length]!, name);
      const { code, id = 0, url = "", thumbnail = "" } = body ?? {};
      this.tried.push({ name, status, code, id, url, thumbnail, began, ended: performance.now() });
      await this.#pause();
    }
  }

  /** The status and bytes at an address; the bytes are null without success. */
  async bytes(address: string): Promise<{ status: number; bytes: Uint8Array | null }> {
    const response = await fetch(`${this.#url}${address}`, { headers: { cookie: this.#who.cookie } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, bytes: response.status === 200 ? bytes : null };
  }

  async #read(): Promise<void> {
    const known = new Map<number, string>();
    for (let i = 0; !this.#stopped; i += 1) {
      const { taken } = this;
      const file = taken[(i * 7) % Math.max(1, taken.length)];
      const { status, bytes } = file
        ? await this.bytes(file.url).catch(() => ({ status: 0, bytes: null }))
        : { status: 200, bytes: null };
      this.reads.set(status, (this.reads.get(status) ?? 0) + 1);
      if (file && bytes) {
        const sum = sha256(bytes);
        if ((known.get(file.id) ?? sum) !== sum) this.wrong += 1;
        known.set(file.id, sum);
      }
      await this.#pause();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}
