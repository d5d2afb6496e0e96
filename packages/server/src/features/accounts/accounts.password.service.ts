import { hash, verify } from "@node-rs/argon2";

/** argon2id with 19 MiB and two passes: about 30 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing at once, so that a flood of logins leaves a core for everyone else. */
const atOnce = 1;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export async function hashPassword(password: string): Promise<string> {
  return await inTurn(async () => await hash(password.normalize("NFKC"), cost));
}

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist: the time must not tell which names do. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("a password that nobody has");
  const against = stored ?? (await decoy);
  const matches = await inTurn(async () => await verify(against, password.normalize("NFKC")));
  return stored !== null && matches;
}
