import { createHash } from "node:crypto";
import { type Answer, call, type Person, sendTo, userToken } from "./api.ts";
import { pngNoise, uploadTo } from "./uploads.ts";

/** Pause between uploads: the rate limit is ten writes a second per person. Milliseconds. */
const betweenMs = 120;
const edge = 320;
/** Most attachments of a notice. */
const mostAttached = 10;

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

/**
 * Uploads pictures one after the other until it is stopped, puts them on notices, because an account may leave
 * few files unused, and reads the acknowledged ones back. The person has to be an admin.
 */
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
  /** Ids of files that are on no notice yet. */
  #unused: number[] = [];

  static async start(url: string, who: Person): Promise<Uploader> {
    const pictures: Buffer[] = [];
    for (let i = 0; i < 6; i += 1) pictures.push(await pngNoise(edge, edge));
    await sendTo(url, "jobs", [{ name: "police", label: "Police", grades: [{ grade: 1, label: "Officer" }] }]);
    // Who may put up notices depends on the job, but an admin may take its place.
    // The rights of the job have just changed, which ends older tokens.
    const token = await userToken(url, who);
    const { status, text } = await call(url, "/api/auth/job-admin", { token, body: { reason: "uploads", job: "police" } });
    if (status >= 300) throw new Error(`no admin mode: ${status} ${text}`);
    return new Uploader(url, { ...who, token: await userToken(url, who) }, pictures);
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
      const { status, body }: Answer = await uploadTo(
        this.#url,
        this.#who,
        "new/notices.attachment",
        this.#pictures[i % this.#pictures.length]!,
        name,
      );
      const { code, id = 0, url = "", thumbnail = "" } = body ?? {};
      this.tried.push({ name, status, code, id, url, thumbnail, began, ended: performance.now() });
      if (status === 200) this.#unused.push(id);
      await this.#pause();
      if (this.#unused.length >= mostAttached) await this.#use();
    }
  }

  /** Puts files on a notice; tried again later if it is refused. */
  async #use(): Promise<void> {
    const attachments = this.#unused.slice(0, mostAttached);
    const access = { public: false, entries: [] };
    const body = { title: "Pictures", text: "", expiresAt: null, access, attachments };
    const { status } = await call(this.#url, "/api/notices", { token: this.#who.token, body });
    if (status === 200) this.#unused = this.#unused.slice(attachments.length);
    await this.#pause();
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
