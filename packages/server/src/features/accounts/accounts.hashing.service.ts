import type { Clock, PasswordHashes } from "#core/ports/index.ts";
import type { HashingCaller } from "./accounts.api.ts";
import { busy, HashQueue, type QueueLimits } from "./accounts.hashqueue.service.ts";

/**
 * Callers that an account knows never wait behind unknown ones, and many unknown callers leave most of a
 * processor to everything else: a single one waits for nothing, one in a full queue about four seconds.
 */
const limits: Readonly<Record<"known" | "unknown", QueueLimits>> = {
  known: { perNetwork: 8, total: 200, rest: 0 },
  unknown: { perNetwork: 4, total: 32, rest: 3 },
};

/** Hashes and checks passwords, one at a time for known and one for unknown callers. */
export class PasswordHashing {
  readonly #known: HashQueue;
  readonly #unknown: HashQueue;
  readonly #hashes: PasswordHashes;
  #decoy: Promise<string> | undefined;

  constructor({ clock, passwordHashes }: { readonly clock: Clock; readonly passwordHashes: PasswordHashes }) {
    this.#hashes = passwordHashes;
    this.#known = new HashQueue(limits.known, clock);
    this.#unknown = new HashQueue(limits.unknown, clock);
  }

  /** Throws `accounts.busy` when no unknown caller can wait for a hash now. */
  rejectUnknownWhenFull(): void {
    if (this.#unknown.full) throw busy();
  }

  async hash(password: string, caller: HashingCaller): Promise<string> {
    return await this.#queueOf(caller).run(caller.network, async () => await this.#hashes.hash(password.normalize("NFKC")));
  }

  /** Takes as long for an account that does not exist: the time must not reveal which names exist. */
  async matches(stored: string | null, password: string, caller: HashingCaller, before?: () => Promise<void>): Promise<boolean> {
    this.#decoy ??= this.#hashes.hash("a password that nobody has");
    const against = stored ?? (await this.#decoy);
    const matches = await this.#queueOf(caller).run(caller.network, async () => {
      await before?.();
      return await this.#hashes.verify(against, password.normalize("NFKC"));
    });
    return stored !== null && matches;
  }

  #queueOf({ known }: HashingCaller): HashQueue {
    return known ? this.#known : this.#unknown;
  }
}
