import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { LogSettings, RotationSettings } from "./settings.ts";
import type { Sink } from "./sink.ts";

/** A clock that tests advance. */
export class ManualClock {
  #now: number;
  readonly #timers = new Set<{ at: number; action: () => void }>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(action: () => void, ms: number): { cancel(): void } {
    const timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the clock and runs the due timers, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.action();
    }
    this.#now = end;
  }
}

export class MemorySink implements Sink {
  text = "";
  write(line: string): void {
    this.text += line;
  }
  async close(): Promise<void> {}
  get lines(): string[] {
    return this.text.split("\n").filter((line) => line !== "");
  }
  get records(): Record<string, unknown>[] {
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

interface SettingsChange {
  readonly mode?: LogSettings["mode"];
  readonly logLevel?: LogSettings["logLevel"];
  readonly logToStderr?: boolean;
  readonly logToFile?: boolean;
  readonly path?: string;
  readonly rotation?: Partial<RotationSettings>;
  readonly levelOverrides?: LogSettings["log"]["levelOverrides"];
}

export function settings(change: SettingsChange = {}): LogSettings {
  const { mode = "release", logLevel = "info", logToStderr = true, logToFile = false, levelOverrides = {} } = change;
  const rotation = {
    maxSize: 100,
    maxBackups: 7,
    maxAge: 14,
    compress: false,
    rotationInterval: 86_400_000,
    ...change.rotation,
  };
  return {
    mode,
    logLevel,
    log: {
      logToStderr,
      logToFile,
      levelOverrides,
      file: { path: change.path ?? "/nonexistent/rollcall.log", rotation },
    },
  };
}

export function emptyFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "rollcall-log-"));
}

/** The decompressed text of every file in the folder, by name. */
export function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder).toSorted();
  return Object.fromEntries(
    files.map((name) => {
      const bytes = readFileSync(path.join(folder, name));
      return [name, (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()];
    }),
  );
}
