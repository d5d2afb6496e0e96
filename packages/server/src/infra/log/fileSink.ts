import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import type { Clock } from "#core/ports/clock.ts";
import { Backups } from "./backups.ts";
import type { RotationSettings } from "./settings.ts";
import type { Sink } from "./sink.ts";

const bytesPerMegabyte = 1_000_000;
const tickMs = 3_600_000;
/** How often to check whether the file was moved or deleted. */
const identityCheckMs = 1000;

interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  /** When the file was created, also by an earlier process. Milliseconds UTC. */
  readonly begunAt: number;
  size: number;
}

/**
 * Writes lines to a file and rotates it by size and age. Lines are written synchronously, so nothing is
 * lost at exit. With a full disk lines are lost, but the process continues; the next line that can be
 * written reports how many.
 */
export function fileSink(file: string, settings: RotationSettings, clock: Pick<Clock, "now" | "setTimeout">): Sink {
  return new FileSink(file, settings, clock);
}

class FileSink implements Sink {
  readonly #path: string;
  readonly #settings: RotationSettings;
  readonly #clock: Pick<Clock, "now" | "setTimeout">;
  readonly #backups: Backups;
  /** Null while the file cannot be opened. */
  #open: OpenFile | null = null;
  #checkedAt: number;
  #lost = 0;
  #timer: { cancel(): void } | null = null;
  #isClosing = false;

  constructor(file: string, settings: RotationSettings, clock: Pick<Clock, "now" | "setTimeout">) {
    this.#path = file;
    this.#settings = settings;
    this.#clock = clock;
    this.#backups = new Backups(file, settings);
    this.#checkedAt = clock.now();
    this.#current();
    this.#rotateWhenDue();
    this.#backups.tidy(clock.now());
    this.#armTimer();
  }

  write(line: string): void {
    try {
      this.#reopenWhenReplaced();
      const bytes = Buffer.from(this.#lost > 0 ? this.#lostNotice() + line : line);
      const { size } = this.#current();
      const isFull = size > 0 && size + bytes.length > this.#settings.maxSize * bytesPerMegabyte;
      if (isFull) this.#rotate();
      this.#rotateWhenDue();
      const open = this.#current();
      const isFirst = open.size === 0;
      writeAll(open.descriptor, bytes);
      open.size += bytes.length;
      if (isFirst) this.#armTimer();
      this.#lost = 0;
    } catch {
      this.#lost++;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer?.cancel();
    await this.#backups.settled();
  }

  #lostNotice(): string {
    const time = new Date(this.#clock.now()).toISOString();
    return `${JSON.stringify({ level: "error", time, subsystem: "log", lost: this.#lost, msg: "lines could not be written" })}\n`;
  }

  #current(): OpenFile {
    this.#open ??= openFile(this.#path, this.#clock.now());
    return this.#open;
  }

  /** Forgets the descriptor before closing it, because its number may be reused for another file. */
  #close(): void {
    const descriptor = this.#open?.descriptor;
    this.#open = null;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  /** Another process or an operator may have moved or deleted the file. */
  #reopenWhenReplaced(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#checkedAt) < identityCheckMs) return;
    this.#checkedAt = now;
    if (this.#open !== null && !this.#isStillOurs(this.#open)) this.#close();
  }

  #isStillOurs(open: OpenFile): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === open.inode;
  }

  #dueAt(): number {
    const { rotationInterval } = this.#settings;
    return rotationInterval === 0 ? Number.POSITIVE_INFINITY : this.#current().begunAt + rotationInterval;
  }

  #rotateWhenDue(): void {
    if (this.#current().size > 0 && this.#clock.now() >= this.#dueAt()) this.#rotate();
  }

  #rotate(): void {
    const now = this.#clock.now();
    const isOurs = this.#isStillOurs(this.#current());
    this.#close();
    if (isOurs) renameSync(this.#path, this.#backups.nextFile(now));
    this.#backups.tidy(now);
  }

  #armTimer(): void {
    this.#timer?.cancel();
    if (this.#isClosing) return;
    this.#timer = this.#clock.setTimeout(() => this.#onTick(), Math.min(Math.max(this.#untilDue(), 1), tickMs));
  }

  #untilDue(): number {
    if (this.#open === null || this.#open.size === 0) return Number.POSITIVE_INFINITY;
    return this.#dueAt() - this.#clock.now();
  }

  #onTick(): void {
    try {
      this.#refreshEmptyFile();
      this.#rotateWhenDue();
      this.#backups.tidy(this.#clock.now());
    } catch {
      // The next check retries.
    }
    this.#armTimer();
  }

  /** An empty file over its age is created again, so that its age counts from its first lines even after a restart. */
  #refreshEmptyFile(): void {
    if (this.#current().size > 0 || this.#clock.now() < this.#dueAt()) return;
    this.#close();
    rmSync(this.#path, { force: true });
  }
}

function openFile(file: string, now: number): OpenFile {
  mkdirSync(path.dirname(file), { recursive: true });
  const descriptor = openSync(file, "a", 0o640);
  const stats = fstatSync(descriptor);
  // Some file systems have no creation time; the last change is the best substitute.
  const birth = stats.birthtimeMs > 0 ? stats.birthtimeMs : stats.mtimeMs;
  return { descriptor, inode: stats.ino, begunAt: stats.size === 0 ? now : birth, size: stats.size };
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
