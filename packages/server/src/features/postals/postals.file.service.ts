import { readFile, stat } from "node:fs/promises";
import type { Finding } from "#core/feature.ts";
import type { Clock, Health, Log } from "#core/ports/index.ts";
import { type Counted, mostPostals, readPostals } from "./postals.policy.ts";
import { PostalSet } from "./postals.set.policy.ts";

/** How often the file is looked at. Milliseconds. */
const lookEveryMs = 3000;
const largestBytes = 8 * 1024 * 1024;

export interface PostalsFileDeps {
  /** `isSet`: the configuration names the file; without it nothing has to be there. */
  readonly file: { readonly path: string; readonly isSet: boolean };
  readonly clock: Clock;
  readonly log: Log;
  readonly health: Health;
}

/** Why the file cannot be used. `none`: it is the default one, and there is none. */
interface Trouble {
  readonly name: "none" | "missing" | "unreadable" | "tooLarge" | "tooMany" | "noJson" | "noList" | "noneUsable";
  readonly reason: string;
}

interface Loaded {
  readonly set: PostalSet;
  readonly leftOut: Counted;
  readonly repeated: Counted;
}

const nothing: Counted = { count: 0, first: -1 };
/** As the log and the status page call them; the findings have texts of their own. */
const inWords: Readonly<Record<Trouble["name"], string>> = {
  none: "does not exist; create it, or set postalsFile",
  missing: "does not exist; create it, or set postalsFile",
  unreadable: "cannot be read",
  tooLarge: `is larger than ${largestBytes} bytes`,
  tooMany: `has more than ${mostPostals} entries`,
  noJson: "is not valid JSON",
  noList: "is not a list of {code, x, y}",
  noneUsable: "has no entry with a code, and x and y as numbers",
};

/**
 * Keeps the postal codes of the file in memory, and follows it by looking at its time, size and inode: unlike events of
 * the file system, that also works on network mounts, and with editors that put another file in its place. A list
 * counts as soon as it is a complete one. Anything else may be a file that is being written, so it is reported only
 * when the next look finds the same, and the last list stays in use.
 */
export class PostalsFile {
  readonly #deps: PostalsFileDeps;
  #loaded: Loaded = { set: new PostalSet([]), leftOut: nothing, repeated: nothing };
  #trouble: Trouble | null = null;
  /** A list was read, perhaps an empty one. */
  #isRead = false;
  /** What the last look found, and what two looks in a row found: that is not read again. */
  #seen: string | null = null;
  #settled: string | null = null;
  #looking: Promise<void> | null = null;
  #timer: { cancel(): void } | null = null;
  #isFollowing = false;

  constructor(deps: PostalsFileDeps) {
    this.#deps = deps;
  }

  get set(): PostalSet {
    return this.#loaded.set;
  }

  /** Resolves when the file was read for the first time, or could not be. */
  async start(): Promise<void> {
    this.#isFollowing = true;
    await this.look();
    this.#wait();
  }

  stop(): void {
    this.#isFollowing = false;
    this.#timer?.cancel();
  }

  /** Reads the file if it changed. Never throws. */
  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    await this.#looking;
  }

  /** For the doctor. */
  findings(): Finding[] {
    const { file } = this.#deps;
    const { set, leftOut, repeated } = this.#loaded;
    const found = (name: string, state: Finding["state"], params: Finding["params"]): Finding => {
      return { id: `postals.${name}`, state, params: { file: file.path, ...params } };
    };
    if (this.#trouble?.name === "none") return [found("none", "hint", {})];
    const findings: Finding[] = [];
    if (this.#trouble !== null) {
      const { name, reason } = this.#trouble;
      const limits = { tooLarge: { most: largestBytes / 1024 / 1024 }, tooMany: { most: mostPostals } };
      const params = name === "tooLarge" || name === "tooMany" ? limits[name] : { reason };
      findings.push(found(name, "warning", params));
    }
    if (leftOut.count > 0) findings.push(found("leftOut", "warning", { ...leftOut }));
    if (repeated.count > 0) findings.push(found("repeated", "hint", { ...repeated }));
    if (this.#isRead && this.#trouble === null && set.postals.length === 0) findings.push(found("empty", "hint", {}));
    if (set.postals.length > 0) findings.push(found("loaded", "ok", { count: set.postals.length }));
    return findings;
  }

  #wait(): void {
    if (!this.#isFollowing) return;
    this.#timer = this.#deps.clock.setTimeout(() => void this.look().then(() => this.#wait()), lookEveryMs);
  }

  async #look(): Promise<void> {
    const before = await this.#state();
    if (before.mark === this.#settled) return;
    const isFirst = this.#seen === null;
    const isSeen = this.#seen === before.mark;
    this.#seen = before.mark;
    const result = before.trouble ?? (await this.#read());
    if (before.trouble === null && (await this.#state()).mark !== before.mark) return;
    if ("set" in result) this.#adopt(result);
    else if (isFirst || isSeen) this.#report(result);
    if (isSeen) this.#settled = before.mark;
  }

  /** `mark` changes with the file, and with the reason why there is none. */
  async #state(): Promise<{ mark: string; trouble: Trouble | null }> {
    try {
      const entry = await stat(this.#deps.file.path);
      const mark = `${entry.mtimeMs} ${entry.ctimeMs} ${entry.size} ${entry.ino}`;
      if (!entry.isFile()) return { mark, trouble: { name: "unreadable", reason: "it is not a file" } };
      return { mark, trouble: entry.size > largestBytes ? { name: "tooLarge", reason: "" } : null };
    } catch (error) {
      return { mark: String((error as NodeJS.ErrnoException).code), trouble: this.#unread(error) };
    }
  }

  #unread(error: unknown): Trouble {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") return { name: "unreadable", reason: code ?? message };
    const isNeeded = this.#deps.file.isSet || this.#loaded.set.postals.length > 0;
    return { name: isNeeded ? "missing" : "none", reason: "" };
  }

  async #read(): Promise<Loaded | Trouble> {
    let text: string;
    try {
      text = await readFile(this.#deps.file.path, "utf8");
    } catch (error) {
      return this.#unread(error);
    }
    const result = readPostals(text);
    if ("trouble" in result) return { name: result.trouble, reason: result.reason };
    const { postals, leftOut, repeated } = result;
    return { set: new PostalSet(postals), leftOut, repeated };
  }

  #adopt(loaded: Loaded): void {
    const { file, log, health } = this.#deps;
    const isSame = loaded.set.version === this.set.version && this.#trouble === null;
    const isNew = !isSame || loaded.leftOut.count !== this.#loaded.leftOut.count;
    this.#loaded = isSame ? { ...loaded, set: this.set } : loaded;
    this.#trouble = null;
    this.#isRead = true;
    health.report("postals", "ok", null);
    if (!isNew) return;
    const { leftOut, set } = loaded;
    const fields = { file: file.path, count: set.postals.length, leftOut: leftOut.count };
    if (leftOut.count === 0) log.info(fields, "postal codes were read");
    else log.warn(fields, `postal codes were read; entries were left out, the first at index ${leftOut.first}`);
  }

  #report(trouble: Trouble): void {
    const { file, log, health } = this.#deps;
    const isNew = this.#trouble?.name !== trouble.name || this.#trouble.reason !== trouble.reason;
    this.#trouble = trouble;
    if (trouble.name === "none") return;
    const because = trouble.reason === "" ? "" : ` (${trouble.reason})`;
    const line = `postalsFile ${file.path} ${inWords[trouble.name]}${because}`;
    health.report("postals", "degraded", line);
    if (isNew) log.warn({ file: file.path }, `${line}; the postal codes that were read before stay in use`);
  }
}
