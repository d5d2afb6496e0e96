import { hash, verify } from "@node-rs/argon2";
import type { Clock } from "#core/ports/index.ts";
import type { HashingCaller } from "./accounts.api.ts";
import { busy, HashQueue, type QueueLimits } from "./accounts.hashqueue.service.ts";

/** argon2id with 19 MiB and two passes: about 30 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
  #decoy: Promise<string> | undefined;

  constructor(clock: Clock) {
    this.#known = new HashQueue(limits.known, clock);
    this.#unknown = new HashQueue(limits.unknown, clock);
  }

  /** Throws `accounts.busy` when no unknown caller can wait for a hash now. */
  rejectUnknownWhenFull(): void {
    if (this.#unknown.full) throw busy();
  }

  async hash(password: string, caller: HashingCaller): Promise<string> {
    return await this.#queueOf(caller).run(caller.network, async () => await hash(password.normalize("NFKC"), cost));
  }

  /** Takes as long for an account that does not exist: the time must not reveal which names exist. */
  async matches(stored: string | null, password: string, caller: HashingCaller, before?: () => Promise<void>): Promise<boolean> {
    this.#decoy ??= hash("a password that nobody has", cost);
    const against = stored ?? (await this.#decoy);
    const matches = await this.#queueOf(caller).run(caller.network, async () => {
      await before?.();
      return await verify(against, password.normalize("NFKC"));
    });
    return stored !== null && matches;
  }

  #queueOf({ known }: HashingCaller): HashQueue {
    return known ? this.#known : this.#unknown;
  }
}
