import type { InputOf, OutputOf } from "@rollcall/server/contract/core";
import { characters, login, logout, token } from "@rollcall/server/contract/auth";
import type { Clock } from "#core/clock.ts";
import { asProblem, Problem } from "#core/problem.ts";
import type { KeptValues } from "#core/storage.ts";
import { createStore, type Store } from "#core/store.ts";
import type { TokenSource } from "#core/api.ts";
import type { Transport } from "#core/transport.ts";
import { createTokenKeeper, type IssuedToken, type TokenKeeper } from "./token.ts";

type Listed = OutputOf<typeof characters>;
export type Account = Listed["account"];
export type ListedCharacter = Listed["characters"][number];
type Credentials = InputOf<typeof login>["body"];
type SignedIn = OutputOf<typeof login>;
export type SignInState = "signedIn" | "factorNeeded";

/** What a chosen character is and may do. */
export type ActiveIdentity = Omit<IssuedToken, "token" | "expiresAt">;

export type SessionState =
  | { readonly phase: "starting" }
  | { readonly phase: "unreachable"; readonly problem: Problem }
  | { readonly phase: "signedOut" }
  | { readonly phase: "choosing"; readonly account: Account; readonly characters: readonly ListedCharacter[] }
  /** `lost`: the server forgot the session; the page stays and waits for a new sign-in. */
  | ({ readonly phase: "active"; readonly lost: boolean } & ActiveIdentity);

export interface Session extends TokenSource {
  readonly state: Store<SessionState>;
  /** Finds out who is signed in, and resumes the last character. */
  start(): Promise<void>;
  signIn(credentials: Credentials): Promise<SignInState>;
  /** Takes over the session that `step` opened; returns whether the second factor is still needed. */
  enter(step: () => Promise<SignedIn>): Promise<SignInState>;
  choose(characterId: number): Promise<void>;
  /** Back to the choice of characters. */
  leaveCharacter(): Promise<void>;
  signOut(): Promise<void>;
  /** Checks the session after sleep, or after another tab signed in. */
  wake(): void;
  /** Requests a new token with the current rights. */
  renewRights(): Promise<void>;
}

export interface SessionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Survives the browser's end. */
  readonly device: KeptValues;
  /** Survives a reload of this tab. */
  readonly tab: KeptValues;
}

const SIGN_IN_NEEDED = "system.signInNeeded";

export function createSession(options: SessionOptions): Session {
  return new BrowserSession(options);
}

interface Waiting {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

class BrowserSession implements Session {
  readonly state = createStore<SessionState>({ phase: "starting" });
  readonly #options: SessionOptions;
  readonly #keeper: TokenKeeper;
  /** Calls that wait for a new sign-in. */
  #waiting: Waiting | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { clock, transport } = options;
    this.#keeper = createTokenKeeper({
      clock,
      serverNow: transport.serverNow,
      issue: (characterId) => transport.send(token, { body: { characterId } }),
      issued: ({ token: _token, expiresAt: _expiresAt, ...identity }) => {
        this.state.set({ phase: "active", lost: false, ...identity });
      },
      refused: (problem) => {
        if (problem.code === SIGN_IN_NEEDED) this.#lose();
        else void this.#list().catch(() => undefined);
      },
    });
  }

  async start(): Promise<void> {
    const { device, tab } = this.#options;
    try {
      const { account, characters: own } = await this.#list();
      const last = tab.read(lastCharacter(account.id)) ?? device.read(lastCharacter(account.id));
      const known = own.find((one) => one.id === last);
      if (known) await this.choose(known.id);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401) this.#toSignedOut();
      else if (this.state.get().phase !== "choosing") this.state.set({ phase: "unreachable", problem });
    }
  }

  signIn(credentials: Credentials): Promise<SignInState> {
    return this.enter(() => this.#options.transport.send(login, { body: credentials }));
  }

  async enter(step: () => Promise<SignedIn>): Promise<SignInState> {
    const { account } = await step();
    if (!account) return "factorNeeded";
    await this.#takeUp(account.id).catch((error: unknown) => {
      throw withoutCookie(error);
    });
    return "signedIn";
  }

  async #takeUp(accountId: number): Promise<void> {
    const before = this.state.get();
    if (before.phase === "active" && before.account.id === accountId) return this.choose(before.character.id);
    this.#release(new Problem(SIGN_IN_NEEDED, 401));
    await this.#list();
  }

  async choose(characterId: number): Promise<void> {
    const { device, tab } = this.#options;
    const { account } = await this.#keeper.choose(characterId);
    device.write(lastCharacter(account.id), characterId);
    tab.write(lastCharacter(account.id), characterId);
    this.#release(null);
  }

  async leaveCharacter(): Promise<void> {
    await this.#list();
  }

  async signOut(): Promise<void> {
    const { transport, device, tab } = this.#options;
    const current = this.state.get();
    await transport.send(logout, {});
    if ("account" in current) {
      device.remove(lastCharacter(current.account.id));
      tab.remove(lastCharacter(current.account.id));
    }
    this.#toSignedOut();
  }

  wake(): void {
    const current = this.state.get();
    if (current.phase !== "active") return;
    const check = current.lost ? this.choose(current.character.id) : this.#keeper.fresh();
    check.catch(() => undefined);
  }

  hasCharacter(): boolean {
    return this.state.get().phase === "active";
  }

  async token(): Promise<string> {
    const current = this.state.get();
    if (current.phase === "active" && current.lost) await this.recover();
    try {
      return await this.#keeper.fresh();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== SIGN_IN_NEEDED) throw error;
      await this.recover();
      return this.#keeper.fresh();
    }
  }

  renew(refused: string | null): Promise<void> {
    this.#keeper.drop(refused);
    return Promise.resolve();
  }

  renewRights(): Promise<void> {
    return this.#keeper.again();
  }

  recover(): Promise<void> {
    const { phase } = this.state.get();
    if (phase === "choosing") this.#toSignedOut();
    if (phase !== "active") return Promise.reject(new Problem(SIGN_IN_NEEDED, 401));
    this.#lose();
    this.#waiting ??= waiting();
    return this.#waiting.promise;
  }

  #lose(): void {
    const current = this.state.get();
    if (current.phase === "active" && !current.lost) this.state.set({ ...current, lost: true });
  }

  #release(problem: Problem | null): void {
    const pending = this.#waiting;
    this.#waiting = null;
    if (problem) pending?.reject(problem);
    else pending?.resolve();
  }

  async #list(): Promise<Listed> {
    const listed = await this.#options.transport.send(characters, {});
    this.#keeper.forget();
    this.state.set({ phase: "choosing", ...listed });
    return listed;
  }

  #toSignedOut(): void {
    this.#keeper.forget();
    this.state.set({ phase: "signedOut" });
    this.#release(new Problem(SIGN_IN_NEEDED, 401));
  }
}

/** Right after signing in, a missing session can only mean that the browser dropped its cookie. */
function withoutCookie(error: unknown): Problem {
  const problem = asProblem(error);
  return problem.code === SIGN_IN_NEEDED ? new Problem("web.cookieDropped", 401) : problem;
}

function lastCharacter(account: number): string {
  return `character.${account}`;
}

function waiting(): Waiting {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Without a waiting call the rejection would be unhandled.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
