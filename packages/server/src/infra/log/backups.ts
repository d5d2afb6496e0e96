import { createReadStream, createWriteStream, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { RotationSettings } from "./settings.ts";

const dayMs = 86_400_000;
const stamp = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z(?:-(\d+))?$/;

interface Backup {
  /** Without `.gz`. */
  readonly name: string;
  readonly rotatedAt: number;
  readonly order: number;
  readonly files: string[];
}

/** The rotated files of one log file: `rollcall-20261120T101500000Z.log`, later `.log.gz`. */
export class Backups {
  readonly #directory: string;
  readonly #stem: string;
  readonly #extension: string;
  readonly #settings: RotationSettings;
  readonly #compressing = new Map<string, Promise<void>>();

  constructor(file: string, settings: RotationSettings) {
    this.#directory = path.dirname(file);
    this.#extension = path.extname(file);
    this.#stem = path.basename(file, this.#extension);
    this.#settings = settings;
  }

  /** A free name for a file that is rotated at `now`. */
  nextFile(now: number): string {
    const text = new Date(now).toISOString().replace(/[-:.]/g, "");
    const taken = new Set(this.#list().map((backup) => backup.name));
    const nameOf = (n: number) => `${this.#stem}-${text}${n === 0 ? "" : `-${n}`}${this.#extension}`;
    let n = 0;
    while (taken.has(nameOf(n))) n++;
    return path.join(this.#directory, nameOf(n));
  }

  /** Removes files over the limits of age and number and compresses the rest, including files of an earlier process. */
  tidy(now: number): void {
    const { maxAge, maxBackups, compress } = this.#settings;
    const newestFirst = this.#list().toSorted((a, b) => b.rotatedAt - a.rotatedAt || b.order - a.order);
    newestFirst.forEach((backup, index) => {
      const isOld = maxAge > 0 && now - backup.rotatedAt > maxAge * dayMs;
      const isExtra = maxBackups > 0 && index >= maxBackups;
      if (isOld || isExtra) this.#remove(backup);
      else if (compress && backup.files.includes(backup.name)) this.#compress(backup.name);
    });
  }

  /** Waits for running compressions. */
  async settled(): Promise<void> {
    while (this.#compressing.size > 0) await Promise.all(this.#compressing.values());
  }

  #list(): Backup[] {
    const backups = new Map<string, Backup>();
    for (const file of readdirSync(this.#directory)) {
      const name = file.replace(/\.gz$/, "");
      if (!name.startsWith(`${this.#stem}-`) || !name.endsWith(this.#extension)) continue;
      const match = stamp.exec(name.slice(this.#stem.length + 1, name.length - this.#extension.length));
      if (!match) continue;
      const [year = 0, month = 1, day = 1, hours, minutes, seconds, ms, order = 0] = match
        .slice(1)
        .map((part) => Number(part ?? 0));
      const backup = backups.get(name) ?? {
        name,
        rotatedAt: Date.UTC(year, month - 1, day, hours, minutes, seconds, ms),
        order,
        files: [],
      };
      backup.files.push(file);
      backups.set(name, backup);
    }
    return [...backups.values()];
  }

  #remove(backup: Backup): void {
    for (const file of backup.files) rmSync(path.join(this.#directory, file), { force: true });
  }

  #compress(name: string): void {
    if (this.#compressing.has(name)) return;
    const file = path.join(this.#directory, name);
    // The temporary name does not match the pattern of backups, so an unfinished file is not listed.
    const unfinished = path.join(this.#directory, `.${name}.${process.pid}.tmp`);
    const work = pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: 0o640 }))
      .then(() => {
        renameSync(unfinished, `${file}.gz`);
        rmSync(file, { force: true });
      })
      // The plain file stays and is retried at the next rotation.
      .catch(() => rmSync(unfinished, { force: true }))
      .finally(() => this.#compressing.delete(name));
    this.#compressing.set(name, work);
  }
}
